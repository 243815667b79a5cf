// Recorded model answers, so that a session needs no model.
import type { Entry, ModelAnswer, ModelRequest } from "../../../shared/contract";

export interface Recording {
  agent: string;
  prompt: string;
  /** By agent path, outermost first, joined with `/`. */
  answers: Record<string, ModelAnswer[]>;
}

const recordings = Object.values(
  import.meta.glob<Recording>("/examples/*/recording.json", { eager: true, import: "default" }),
);

/** The recording whose first agent is active. */
export function recordingFor(entries: Entry[]): Recording | undefined {
  const active = new Set(entries.filter(({ standing }) => standing === "active").map(({ name }) => name));
  return recordings.find(({ agent }) => active.has(agent));
}

/** The next answer of a recording, by the number of earlier answers. */
export function replay(recording: Recording, { agent, messages }: ModelRequest): ModelAnswer {
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const answer = recording.answers[agent.join("/")]?.[turn];
  if (!answer) throw new Error(`the recording has no answer ${turn + 1} for ${agent.join(" → ")}`);
  return answer;
}
