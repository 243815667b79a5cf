// What the extension and its worker tell each other. The protocol of the language server has a port of its own.

/** A file or a directory that the component needs. */
export interface Wanted {
  path: string;
  what: "directory" | "file";
}

export type Kind = "file" | "directory" | "link" | "other";

/** An error of the component's `files`. */
export type FileError = { tag: "not-found" } | { tag: "denied" } | { tag: "not-a-directory" } | { tag: "too-large"; val: bigint } | { tag: "other"; val: string };

/** What the editor has of it. */
export interface Fetched extends Wanted {
  found: { entries: Array<[string, Kind]> } | { contents: Uint8Array } | { error: FileError };
}

export type ToWorker =
  | { kind: "start"; modules: Record<string, Uint8Array>; port: MessagePort }
  | { kind: "folders"; paths: string[] }
  /** This path, and what is below it, may have changed. */
  | { kind: "changed"; path: string }
  | { kind: "fetched"; id: number; files: Fetched[] }
  /** Runs the command line in a folder. */
  | { kind: "run"; id: number; folder: string; words: string[] };

export type FromWorker =
  | { kind: "started" }
  | { kind: "fetch"; id: number; wanted: Wanted[] }
  | { kind: "ran"; id: number; status: number; output: string; errors: string }
  | { kind: "log"; text: string }
  /** The component failed and has stopped answering. */
  | { kind: "died"; reason: string };
