// Answers of models that were written down, so that a session needs no model.
import type { Entry, ModelAnswer, ModelRequest } from "../../../shared/contract";

export interface Recording {
  agent: string;
  prompt: string;
  /** By the agent that asks, the outermost first, joined with `/`. */
  answers: Record<string, ModelAnswer[]>;
}

const recordings = Object.values(
  import.meta.glob<Recording>("/examples/*/recording.json", { eager: true, import: "default" }),
);

/** The recording that begins with an agent that is in force. */
export function recordingFor(entries: Entry[]): Recording | undefined {
  const inForce = new Set(entries.filter(({ standing }) => standing === "in-force").map(({ name }) => name));
  return recordings.find(({ agent }) => inForce.has(agent));
}

/** The next answers of a recording. What was said so far tells which one is next. */
export function replay(recording: Recording, { agent, messages }: ModelRequest): ModelAnswer {
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const answer = recording.answers[agent.join("/")]?.[turn];
  if (!answer) throw new Error(`the recording has no answer ${turn + 1} of ${agent.join(" → ")}`);
  return answer;
}
