// Files in memory, lent to the component as its `files` import.
import type { Entry } from "./component/interfaces/callsheet-agents-files.js";

interface Kept {
  contents: Uint8Array;
  modified: bigint;
}

/** Files by path. Every path is one that the component asked for or that the user gave; there is no other disk. */
export class Files {
  readonly #kept = new Map<string, Kept>();
  #writes = 0n;

  write(path: string, contents: Uint8Array): void {
    this.#writes += 1n;
    this.#kept.set(path, { contents, modified: this.#writes });
  }

  remove(path: string): void {
    this.#kept.delete(path);
  }

  clear(): void {
    this.#kept.clear();
  }

  paths(): string[] {
    return [...this.#kept.keys()];
  }

  contents(path: string): Uint8Array | undefined {
    return this.#kept.get(path)?.contents;
  }

  /** The import: what it throws is a `file-error`. */
  readonly import = {
    listDirectory: (path: string): Entry[] => this.#list(path),
    read: (path: string): Uint8Array => {
      const kept = this.#kept.get(path);
      if (!kept) throw { tag: "not-found" };
      return kept.contents;
    },
  };

  #list(path: string): Entry[] {
    if (this.#kept.has(path)) throw { tag: "not-a-directory" };
    const above = path === "" || path === "." ? "" : `${path}/`;
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

function entry(name: string, kept: Kept): Entry {
  return { name, kind: "file", size: BigInt(kept.contents.length), modified: kept.modified };
}

/** The order of UTF-8 bytes is that of code points, which the order of UTF-16 units is not. */
export function compareBytes(one: string, other: string): number {
  const [left, right] = [[...one], [...other]];
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
