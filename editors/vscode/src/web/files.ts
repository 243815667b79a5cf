// The editor's files as the component sees them. It reads synchronously, the editor does not: what is not here yet is wanted, and until it was
// fetched, it does not exist.
import { compareBytes } from "../../../../web-demo/shared/order";
import type { Fetched, FileError, Kind, Wanted } from "./messages";

interface Entry {
  name: string;
  kind: Kind;
  size: bigint;
}

const MISSING: FileError = { tag: "not-found" };

export class Files {
  /** The directory of relative paths. */
  base = "";
  #folders = new Set<string>();
  readonly #directories = new Map<string, Fetched["found"]>();
  readonly #contents = new Map<string, Fetched["found"]>();
  readonly #unsaved = new Map<string, Uint8Array>();
  readonly #wanted = new Map<string, Wanted>();
  /** What is being fetched, and was not forgotten since. */
  readonly #awaited = new Map<string, Wanted>();

  /** Sets the directories with all files. */
  open(folders: string[]): void {
    this.#folders = new Set(folders);
  }

  /** What was asked for and is not here. */
  takeWanted(): Wanted[] {
    const wanted = [...this.#wanted.values()];
    for (const one of wanted) this.#awaited.set(keyOf(one), one);
    this.#wanted.clear();
    return wanted;
  }

  /** Adds what was fetched, unless it may have changed since it was read. */
  add({ path, what, found }: Fetched): void {
    if (!this.#awaited.delete(keyOf({ path, what }))) return;
    (what === "directory" ? this.#directories : this.#contents).set(path, found);
  }

  /** Forgets a path, what is below it, and the directories above it. */
  forget(path: string): void {
    const isForgotten = (other: string) => other === path || other.startsWith(`${path}/`);
    for (const known of [this.#directories, this.#contents]) {
      for (const other of known.keys()) if (isForgotten(other)) known.delete(other);
    }
    for (const [key, wanted] of this.#awaited) {
      if (isForgotten(wanted.path) || path.startsWith(`${wanted.path}/`)) this.#awaited.delete(key);
    }
    for (let above = parentOf(path); above !== ""; above = parentOf(above)) this.#directories.delete(above);
  }

  /** Sets the contents of an open file, or removes them. */
  setUnsaved(path: string, contents: Uint8Array | undefined): void {
    if (contents) this.#unsaved.set(path, contents);
    else this.#unsaved.delete(path);
  }

  /** The import `callsheet:agents/files`. It throws a `file-error`. */
  readonly import = {
    listDirectory: (path: string): Entry[] => this.#list(this.#resolved(path)),
    read: (path: string): Uint8Array => this.#read(this.#resolved(path)),
  };

  #list(path: string): Entry[] {
    const kind = this.#kind(path);
    if (kind === "link") throw { tag: "denied" } satisfies FileError;
    if (kind !== undefined && kind !== "directory") throw { tag: "not-a-directory" } satisfies FileError;
    const listed = kind && (this.#entries(path) ?? (this.#leadsToUnsaved(path) ? [] : undefined));
    if (!listed) throw MISSING;
    const entries = new Map(listed.map(([name, kind]) => [name, { name, kind, size: this.#size(`${path}/${name}`) }]));
    for (const [file, { length }] of this.#unsaved) {
      if (!file.startsWith(`${path}/`)) continue;
      const [name, ...deeper] = file.slice(path.length + 1).split("/") as [string, ...string[]];
      if (deeper.length === 0) entries.set(name, { name, kind: "file", size: BigInt(length) });
      else if (!entries.has(name)) entries.set(name, { name, kind: "directory", size: 0n });
    }
    return [...entries.values()].sort((one, other) => compareBytes(one.name, other.name));
  }

  #read(path: string): Uint8Array {
    const unsaved = this.#unsaved.get(path);
    if (unsaved) return unsaved;
    const kind = this.#kind(path);
    if (kind === undefined) throw MISSING;
    if (kind !== "file") throw { tag: "denied" } satisfies FileError;
    const found = this.#contents.get(path);
    if (found && "contents" in found) return found.contents;
    if (found && "error" in found) throw found.error;
    this.#want({ path, what: "file" });
    throw MISSING;
  }

  /** What a path is, by the directories above it. */
  #kind(path: string): Kind | undefined {
    if (this.#folders.has(path)) return "directory";
    if (this.#unsaved.has(path)) return "file";
    const parent = parentOf(path);
    if (parent === "" || this.#kind(parent) !== "directory") return undefined;
    const name = path.slice(parent.length + 1);
    const stored = this.#entries(parent)?.find(([other]) => other === name)?.[1];
    return stored ?? (this.#leadsToUnsaved(path) ? "directory" : undefined);
  }

  /** Whether an unsaved file is below this directory, which need not exist. */
  #leadsToUnsaved(directory: string): boolean {
    return [...this.#unsaved.keys()].some((file) => file.startsWith(`${directory}/`));
  }

  #entries(directory: string): Array<[string, Kind]> | undefined {
    const found = this.#directories.get(directory);
    if (!found) this.#want({ path: directory, what: "directory" });
    return found && "entries" in found ? found.entries : undefined;
  }

  #size(path: string): bigint {
    const found = this.#contents.get(path);
    return found && "contents" in found ? BigInt(found.contents.length) : 0n;
  }

  #want(wanted: Wanted): void {
    this.#wanted.set(keyOf(wanted), wanted);
  }

  /** An absolute path without empty parts. One with `..` does not exist. */
  #resolved(path: string): string {
    const whole = path.startsWith("/") ? path : `${this.base}/${path}`;
    const parts = whole.split("/").filter((part) => part !== "" && part !== ".");
    if (parts.includes("..")) throw MISSING;
    return `/${parts.join("/")}`;
  }
}

function keyOf({ path, what }: Wanted): string {
  return `${what} ${path}`;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
