// The program `callsheet`: one answer for each command, as JSON or as text.
import type { Uri, WorkspaceFolder } from "vscode";

/** The settings that choose the program. */
export type Setting = "callsheet.path" | "callsheet.arguments";

/** Why there is no program, as a sentence without a full stop. */
export class Missing extends Error {
  constructor(
    message: string,
    /** The setting to change, if one is wrong. */
    readonly setting?: Setting,
  ) {
    super(message);
  }
}

/** What a command printed. */
export interface Output {
  status: number;
  output: string;
  errors: string;
}

export interface Program {
  /** Whether it reads what open editors show, not what is on the disk. */
  readonly readsUnsaved: boolean;
  /** Runs a command in a folder. Fails if the program cannot be started. */
  run(folder: WorkspaceFolder, words: string[]): Promise<Output>;
  /** The address of a path that it printed in a folder. */
  uriOf(folder: WorkspaceFolder, path: string): Uri;
}

export interface Entry {
  name: string;
  description: string;
  model: { kind: string; name?: string };
  origin: { source: string; path: string | null };
  standing: string;
  reason: string;
}

/** The agents of one tool: `list --format json`. */
export interface Listing {
  dialect: string;
  entries: Entry[];
}

export interface Dialect {
  id: string;
  title: string;
}

/** `convert --format json`. */
export interface Converted {
  /** Null if the conversion was refused. */
  contents: string | null;
  file: string | null;
  directory: string | null;
  report: Array<{ field: string; fate: string; before: string; after: string; reason: string }>;
}

/** Agents by tool, with those that are not active. */
export async function listings(program: Program, folder: WorkspaceFolder): Promise<Listing[]> {
  return (await document<{ dialects: Listing[] }>(program, folder, ["list", "--all"])).dialects;
}

export async function dialects(program: Program, folder: WorkspaceFolder): Promise<Dialect[]> {
  return (await document<{ dialects: Dialect[] }>(program, folder, ["dialects"])).dialects;
}

/** A refused conversion has no contents. */
export async function convert(program: Program, folder: WorkspaceFolder, path: string, from: string, to: string, allowLoss: boolean): Promise<Converted> {
  const words = ["convert", path, "--as", from, "--to", to, ...(allowLoss ? ["--allow-loss"] : [])];
  return document<Converted>(program, folder, words);
}

/** The document of a command. Fails with the program's own words if there is none. */
async function document<Document>(program: Program, folder: WorkspaceFolder, words: string[]): Promise<Document> {
  const { output, errors } = await program.run(folder, [...words, "--format", "json"]);
  if (output === "") throw new Error(reason(errors));
  return JSON.parse(output) as Document;
}

/** The first line of what the program complained about, without its prefix. */
export function reason(errors: string): string {
  const line = errors.split("\n").find((line) => line.startsWith("error")) ?? errors;
  return line.replace(/^error: /, "").trim() || "the program printed nothing";
}
