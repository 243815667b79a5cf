// Requests of the page to the worker, and the answers.
import type { Carried, Completions, Converted, Diagnostic, Entry, Explanation, Fixed, Reply, Seen, Task, ToolSpec, Visited } from "../../shared/contract";
import type { Known } from "../../shared/engine";
import type { Progress } from "../../shared/session";

/** A file that was written or removed. */
export interface Write {
  path: string;
  contents: Uint8Array | undefined;
}

/** The number of errors and warnings of a file in the tree. */
export interface Mark {
  errors: number;
  warnings: number;
}

/** Results that depend on all files. */
export interface Report {
  entries: Entry[];
  visited: Visited[];
  marks: Map<string, Mark>;
  /** Whether safe fixes would change a file. */
  isFixable: boolean;
}

/** A conversion, or why it failed; `isLossy` if it is possible with losses. */
export type Conversion =
  | { kind: "converted"; result: Converted; text: string }
  | { kind: "refused"; report: Carried[]; isLossy: boolean }
  | { kind: "failed"; reason: string };

/** The requests, each with its answer. */
export interface Questions {
  known(): Known;
  /** The findings of a file that was edited since the last `look`, without a look at the others. */
  glance(path: string, contents: Uint8Array): Diagnostic[];
  /** Applies the writes and returns the findings of the open file. */
  look(writes: Write[], dialect: string, open: string | undefined): Diagnostic[];
  /** The results after the last `look`. */
  survey(dialect: string): Report;
  /** The files that safe fixes change, as of the last `look`. */
  fixed(): Fixed[];
  /** The dialects with agents in the project or the home directory. */
  inUse(): string[];
  /** What fits this byte of a file. */
  complete(path: string, contents: Uint8Array, at: number): Completions;
  /** The folders for new agents of this dialect, the project's first. */
  ownDirectories(dialect: string): string[];
  /** The contents of a new file at this path. */
  blank(path: string): Uint8Array;
  explain(dialect: string, name: string): Explanation;
  readings(path: string): Seen[];
  convert(path: string, to: string, allowLoss: boolean): Conversion;
  /** Starts a session and discards the previous one. */
  begin(dialect: string, task: Task, tools: ToolSpec[], now: bigint): Progress;
  answer(id: number, reply: Reply, now: bigint): Progress;
  cancel(now: bigint): Progress;
}

/** A pending request. */
export interface Asked {
  id: number;
  question: keyof Questions;
  given: unknown[];
}

/** Its answer, or the error. */
export type Answered = { id: number; answer: unknown } | { id: number; failure: string };
