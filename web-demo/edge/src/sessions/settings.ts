// Converts session requests to the contract, with the defaults of openapi.json.
import type { Reply as ContractReply, Settings, Task, ToolSpec } from "../../../shared/contract";
import { defaults } from "../description";
import type { Open, Reply } from "../requests";

const optional = (value: number | undefined) => (value === undefined ? undefined : BigInt(value));

export function settings(given: Open["settings"] = {}): Settings {
  const settings = { ...defaults.settings, ...given };
  const bounds = { ...defaults.bounds, ...given.bounds };
  return {
    bounds: {
      depth: bounds.depth,
      turns: bounds.turns,
      totalTurns: bounds.total_turns,
      children: bounds.children,
      parallel: bounds.parallel,
      tokens: optional(bounds.tokens),
      cost: optional(bounds.cost),
      context: optional(bounds.context),
      deadline: optional(bounds.deadline),
      resultBytes: bounds.result_bytes,
    },
    attenuate: settings.attenuate,
    mode: settings.mode,
    allow: settings.allow,
    trusted: settings.trusted,
    root: settings.root,
    isolation: { tag: "unavailable", val: "this worker makes no worktrees" },
    home: settings.home,
    basePrompt: settings.base_prompt,
    defaultModel: settings.default_model,
    aliases: Object.entries(settings.aliases),
  };
}

export function task({ agent, prompt, description, model }: Open["task"]): Task {
  return { agent, prompt, description, model };
}

export function tools(given: Open["tools"] = []): ToolSpec[] {
  return given.map(({ name, description, schema }) => ({ name, description, schema: JSON.stringify(schema) }));
}

export function reply({ model, tool, failed }: Reply): ContractReply {
  if (model) {
    const { text = "", calls = [], input_tokens: inputTokens = 0, output_tokens: outputTokens = 0, cost } = model;
    return { tag: "model", val: { text, calls, inputTokens, outputTokens, cost: optional(cost) } };
  }
  if (tool) return { tag: "tool", val: { text: tool.text, isError: tool.is_error ?? false } };
  const { error = "other", text = "" } = failed ?? {};
  return { tag: "failed", val: error === "timed-out" ? { tag: error } : { tag: error, val: text } };
}
