// Clients for two kinds of endpoint. The key is only sent to the endpoint that the user named.
import type { ModelAnswer, ModelRequest, ToolCall } from "./contract";

export interface Endpoint {
  kind: "openai" | "anthropic";
  url: string;
  key: string;
  /** Model to use for all agents; if empty, each agent's own. */
  model: string;
}

const ANTHROPIC_VERSION = "2023-06-01";
const MOST_TOKENS = 4_096;
/** Of the text of an error. */
const MOST_CHARACTERS = 300;

export async function askModel(endpoint: Endpoint, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
  return endpoint.kind === "openai" ? askOpenAi(endpoint, request, signal) : askAnthropic(endpoint, request, signal);
}

interface OpenAiAnswer {
  choices: Array<{ message: { content: string | null; tool_calls?: Array<{ id: string; function: { name: string; arguments: string } }> } }>;
  usage?: { prompt_tokens: number; completion_tokens: number };
}

async function askOpenAi(endpoint: Endpoint, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
  const messages = request.messages.map(({ role, text, calls, answers }) => {
    const tool_calls = calls.map((call) => ({ id: call.id, type: "function", function: { name: call.name, arguments: call.arguments } }));
    return { role, content: text, ...(tool_calls.length > 0 && { tool_calls }), ...(answers !== undefined && { tool_call_id: answers }) };
  });
  const tools = request.tools.map(({ name, description, schema }) => ({
    type: "function",
    function: { name, description, parameters: JSON.parse(schema) as unknown },
  }));
  const body = { model: endpoint.model || request.model, messages, ...(tools.length > 0 && { tools }), max_tokens: request.maxTokens };
  const answer = await post<OpenAiAnswer>(`${endpoint.url}/chat/completions`, { authorization: `Bearer ${endpoint.key}` }, body, "choices", signal);
  const message = answer.choices[0]?.message;
  const calls = message?.tool_calls?.map((call) => ({ id: call.id, ...call.function })) ?? [];
  return { text: message?.content ?? "", calls, inputTokens: answer.usage?.prompt_tokens ?? 0, outputTokens: answer.usage?.completion_tokens ?? 0 };
}

type Block =
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: unknown }
  | { type: "tool_result"; tool_use_id: string; content: string; is_error: boolean };

interface AnthropicAnswer {
  content: Block[];
  usage?: { input_tokens: number; output_tokens: number };
}

async function askAnthropic(endpoint: Endpoint, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
  const system = request.messages.filter(({ role }) => role === "system").map(({ text }) => text).join("\n\n");
  const tools = request.tools.map(({ name, description, schema }) => ({ name, description, input_schema: JSON.parse(schema) as unknown }));
  const body = {
    model: endpoint.model || request.model,
    max_tokens: request.maxTokens ?? MOST_TOKENS,
    messages: turns(request),
    ...(system !== "" && { system }),
    ...(tools.length > 0 && { tools }),
  };
  const headers = {
    "x-api-key": endpoint.key,
    "anthropic-version": ANTHROPIC_VERSION,
    "anthropic-dangerous-direct-browser-access": "true",
  };
  const answer = await post<AnthropicAnswer>(`${endpoint.url}/messages`, headers, body, "content", signal);
  const text = answer.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const calls = answer.content.flatMap((block): ToolCall[] =>
    block.type === "tool_use" ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }] : [],
  );
  return { text, calls, inputTokens: answer.usage?.input_tokens ?? 0, outputTokens: answer.usage?.output_tokens ?? 0 };
}

/** Tool results have the role `user`; those of one turn are merged. */
function turns(request: ModelRequest): Array<{ role: string; content: Block[] }> {
  const turns: Array<{ role: string; content: Block[] }> = [];
  for (const { role, text, calls, answers, isError } of request.messages) {
    if (role === "system") continue;
    const speaker = role === "assistant" ? "assistant" : "user";
    const content: Block[] = [];
    if (answers !== undefined) content.push({ type: "tool_result", tool_use_id: answers, content: text, is_error: isError });
    else if (text !== "") content.push({ type: "text", text });
    for (const call of calls) content.push({ type: "tool_use", id: call.id, name: call.name, input: JSON.parse(call.arguments) as unknown });
    const last = turns.at(-1);
    if (last?.role === speaker) last.content.push(...content);
    else turns.push({ role: speaker, content });
  }
  return turns;
}

/** Fails with the cause, as text for the user. */
async function post<Answer extends object>(
  address: string,
  headers: Record<string, string>,
  body: unknown,
  needed: keyof Answer,
  signal: AbortSignal,
): Promise<Answer> {
  const url = checked(address);
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    // Send no credentials except the user's key.
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal,
  }).catch(() => {
    // The browser does not tell scripts which.
    throw new Error(`no answer from ${url.host}: it cannot be reached, or it does not allow requests from web pages (CORS)`);
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url.host} returned HTTP ${response.status}: ${reasonIn(text)}`);
  const answer = parsed(text) as Answer | undefined;
  if (!Array.isArray(answer?.[needed])) throw new Error(`the answer of ${url.host} has no \`${String(needed)}\``);
  return answer;
}

function checked(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLocal = url?.hostname === "localhost" || url?.hostname === "127.0.0.1";
  if (url && (url.protocol === "https:" || (url.protocol === "http:" && isLocal))) return url;
  throw new Error(`the address ${address} does not begin with https://, or http:// on localhost`);
}

/** The message of an error, in the formats of both APIs. */
function reasonIn(text: string): string {
  const { error } = (parsed(text) ?? {}) as { error?: { message?: string } };
  return (error?.message ?? text).slice(0, MOST_CHARACTERS) || "no reason given";
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
