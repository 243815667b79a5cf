// Maps names to directories.

/** A path in a root directory that it cannot leave. */
export interface Target {
  root: string;
  below: string[];
}

/** Names with the directories they stand for. */
export class Names {
  readonly #known = new Map<string, Target>();

  add(name: string, target: Target): void {
    this.#known.set(segments(name).join("/"), target);
  }

  /** Resolves a path by the longest name that is a prefix of it. Returns nothing if the path leaves the directory. */
  resolve(path: string): Target | undefined {
    const parts = segments(path);
    for (let length = parts.length; length >= 0; length -= 1) {
      const known = this.#known.get(parts.slice(0, length).join("/"));
      if (!known) continue;
      const rest = parts.slice(length);
      if (rest.includes("..") || rest.includes("/")) return undefined;
      return { root: known.root, below: [...known.below, ...rest] };
    }
    return undefined;
  }
}

/** The segments of a path; the leading slash of an absolute path is one. */
function segments(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return path.startsWith("/") ? ["/", ...parts] : parts;
}
