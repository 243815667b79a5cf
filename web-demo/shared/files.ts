// Files in memory, for the component's `files` import.
import type { Entry } from "./component/interfaces/callsheet-agents-files.js";
import { compareBytes } from "./order.js";

interface Kept {
  contents: Uint8Array;
  modified: bigint;
}

/** Files by path, without `.` and empty segments. All paths come from the component or the user. */
export class Files {
  readonly #kept = new Map<string, Kept>();
  #writes = 0n;

  write(path: string, contents: Uint8Array): void {
    this.#writes += 1n;
    this.#kept.set(plain(path), { contents, modified: this.#writes });
  }

  remove(path: string): void {
    this.#kept.delete(plain(path));
  }

  clear(): void {
    this.#kept.clear();
  }

  paths(): string[] {
    return [...this.#kept.keys()];
  }

  contents(path: string): Uint8Array | undefined {
    return this.#kept.get(plain(path))?.contents;
  }

  /** The import. It throws a `file-error`. */
  readonly import = {
    listDirectory: (path: string): Entry[] => this.#list(path),
    read: (path: string): Uint8Array => {
      const contents = this.contents(path);
      if (!contents) throw { tag: "not-found" };
      return contents;
    },
  };

  #list(given: string): Entry[] {
    const path = plain(given);
    if (this.#kept.has(path)) throw { tag: "not-a-directory" };
    const above = path === "" ? "" : `${path}/`;
    const found = new Map<string, Entry>();
    for (const [file, kept] of this.#kept) {
      if (!file.startsWith(above)) continue;
      const [name = "", ...below] = file.slice(above.length).split("/");
      found.set(name, below.length > 0 ? { name, kind: "directory", size: 0n } : entry(name, kept));
    }
    if (found.size === 0 && above !== "") throw { tag: "not-found" };
    return [...found.values()].sort((one, other) => compareBytes(one.name, other.name));
  }
}

function plain(path: string): string {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  return (path.startsWith("/") ? "/" : "") + segments.join("/");
}

function entry(name: string, kept: Kept): Entry {
  return { name, kind: "file", size: BigInt(kept.contents.length), modified: kept.modified };
}
