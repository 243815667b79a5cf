// Requests of the page to the worker, and the answers.
import type { Annotations, Carried, Completions, Converted, Diagnostic, Edge, Edit, Entry, Explanation, Fixed, Graph, Node, Renaming, Reply, Seen, Span, Task, ToolSpec, Visited } from "../../shared/contract";
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

/** The definition in a file, and its parts in order. */
export interface Outline {
  name: string;
  /** The fields of the frontmatter. */
  keys: Array<{ text: string; span: Span }>;
  headings: Array<{ text: string; span: Span; depth: number }>;
  body: Span;
}

/** A file with its findings, and what an editor shows in it besides its text. */
export interface Look {
  findings: Diagnostic[];
  annotations: Annotations;
  /** None for a file without a definition. */
  outline: Outline | undefined;
}

/** A line above a file, and the panel with more about it. */
export interface Lens {
  text: string;
  tab: "why" | "readers" | "run";
}

/** A name in a file that leads to another file. */
export interface Link {
  span: Span;
  path: string;
  /** The name that the panel Why explains. */
  name: string;
}

/** What surrounds the open file. */
export interface Around {
  links: Link[];
  /** The name of its definition for the panel Why. */
  name: string | undefined;
  /** The dialect that owns it. */
  dialect: string | undefined;
  lenses: Lens[];
}

/** What has a name, and the places that refer to it. */
export interface Named {
  nodes: Node[];
  users: Array<{ node: Node; place: Edge["place"] }>;
}

/** What is written at a place. Names are in backticks. */
export interface Hover {
  span: Span;
  texts: string[];
  /** How other releases that read this folder differ. */
  others: string[];
  /** The file of what is named. */
  path: string | undefined;
}

/** What has the name at a place. */
export interface Renamable {
  path: string;
  name: string;
}

/** Results that depend on all files. */
export interface Report {
  entries: Entry[];
  visited: Visited[];
  marks: Map<string, Mark>;
  /** Whether safe fixes would change a file. */
  isFixable: boolean;
  around: Around | undefined;
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
  glance(path: string, contents: Uint8Array): Look;
  /** Applies the writes and looks at the open file. */
  look(writes: Write[], dialect: string, open: string | undefined): Look;
  /** The results after the last `look`. */
  survey(dialect: string, open: string | undefined): Report;
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
  /** What has a name, which may have its kind before it. */
  named(name: string): Named;
  /** What the files define and refer to, as of the last `look`. */
  graph(): Graph;
  /** What is written at this byte of a file, as of the last `look`. */
  hover(path: string, at: number): Hover | undefined;
  /** An edit that suppresses a finding of a rule at this byte of a file, if a comment can. */
  suppress(path: string, rule: string, at: number): Edit | undefined;
  /** What has the name at this byte of a file, as of the last `look`. */
  renamable(path: string, at: number): Renamable | undefined;
  /** What changes if the definition in a file gets another name. */
  rename(path: string, to: string): Renaming;
  /** What changes with the path of a file, if that renames its definition. */
  follow(path: string, to: string): Renaming | undefined;
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
