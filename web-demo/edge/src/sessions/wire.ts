// Converts a session to JSON: events as in docs/json.md for `run`, steps as in openapi.json.
import type { Event, ModelRequest, Outcome, Outstanding, Session, ToolSpec } from "../../../shared/contract";

export function state(id: string, session: Session, now: bigint, from: number): object {
  const steps = session.poll(now, from).map(step);
  const ended = session.outcome();
  const { turns, children, inputTokens, outputTokens, cost } = session.usage();
  return {
    id,
    steps,
    outcome: ended ? outcome(ended) : null,
    usage: { turns, children, input_tokens: Number(inputTokens), output_tokens: Number(outputTokens), cost: Number(cost) },
  };
}

export function event({ number, at, run, agent, what }: Event): object {
  return { number: Number(number), at: Number(at), run, agent, event: what.tag, ...happening(what) };
}

function happening(what: Event["what"]): object {
  switch (what.tag) {
    case "called":
      return { task: what.val };
    case "waits":
      return {};
    case "ignored":
      return { what: what.val };
    case "compacted":
      return { results: what.val };
    case "asked":
      return { model: what.val };
    case "said":
      return { text: what.val.text, input_tokens: what.val.inputTokens, output_tokens: what.val.outputTokens };
    case "calls":
      return { id: what.val.id, tool: what.val.name, arguments: what.val.arguments };
    case "refused":
    case "invalid":
      return { id: what.val.id, tool: what.val.tool, reason: what.val.reason };
    case "returned":
      return { id: what.val.id, is_error: what.val.isError };
    case "ended":
      return outcome(what.val);
  }
}

function outcome({ ending, text }: Outcome): object {
  switch (ending.tag) {
    case "answer":
      return { outcome: "answer", text };
    case "bound":
      return { outcome: "bound", bound: ending.val.bound, text: ending.val.partial };
    case "failed":
      return { outcome: "failed", reason: text };
    case "cancelled":
      return { outcome: "cancelled" };
  }
}

function step({ id, run, step }: Outstanding): object {
  if (step.tag === "call-tool") return { id, run, step: step.tag, request: step.val };
  return { id, run, step: step.tag, request: request(step.val) };
}

function request(request: ModelRequest): object {
  return {
    agent: request.agent,
    provider: request.provider ?? null,
    model: request.model,
    messages: request.messages.map(({ role, text, calls, answers = null, isError }) => ({ role, text, calls, answers, is_error: isError })),
    tools: request.tools.map(tool),
    max_tokens: request.maxTokens ?? null,
    effort: request.effort ?? null,
    thinking_budget: request.thinkingBudget ?? null,
    base_url: request.baseUrl ?? null,
    api_key_variable: request.apiKeyVariable ?? null,
  };
}

function tool({ name, description, schema }: ToolSpec): object {
  return { name, description, schema: JSON.parse(schema) as object };
}
