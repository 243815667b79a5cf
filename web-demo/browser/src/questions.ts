// What the page asks the worker, and what it gets.
import type { Carried, Converted, Diagnostic, Entry, Explanation, Parsed, Reply, Seen, Task, ToolSpec, Visited } from "../../shared/contract";
import type { Known } from "../../shared/engine";
import type { Progress } from "../../shared/session";

/** A file that was written, or taken away. */
export interface Write {
  path: string;
  contents: Uint8Array | undefined;
}

/** How a file stands in the tree: the gravest finding counts. */
export interface Mark {
  errors: number;
  warnings: number;
}

/** All that depends on every file. */
export interface Report {
  entries: Entry[];
  visited: Visited[];
  marks: Map<string, Mark>;
}

/** A conversion, or why there is none. */
export type Conversion =
  | { kind: "converted"; result: Converted; text: string }
  | { kind: "refused"; report: Carried[] }
  | { kind: "failed"; reason: string };

/** The questions, each with its answer. */
export interface Questions {
  known(): Known;
  /** Takes the writes over and says what is wrong with the file that is open. */
  look(writes: Write[], dialect: string, open: string | undefined): Diagnostic[];
  /** What is so since the last look. */
  survey(dialect: string): Report;
  parse(path: string, contents: Uint8Array, dialect: string | undefined): Parsed;
  /** The directories for new agents of this dialect, the project's first. */
  ownDirectories(dialect: string): string[];
  /** The contents of a new file at this path. */
  blank(path: string): Uint8Array;
  explain(dialect: string, name: string): Explanation;
  readings(path: string): Seen[];
  convert(path: string, to: string, allowLoss: boolean): Conversion;
  /** Begins a session, in place of the one before. */
  begin(dialect: string, task: Task, tools: ToolSpec[], now: bigint): Progress;
  answer(id: number, reply: Reply, now: bigint): Progress;
  cancel(now: bigint): Progress;
}

/** A question under way. */
export interface Asked {
  id: number;
  question: keyof Questions;
  given: unknown[];
}

/** Its answer, or what went wrong. */
export type Answered = { id: number; answer: unknown } | { id: number; failure: string };
