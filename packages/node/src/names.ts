// Maps names to directories.

/** A path in a root directory that it cannot leave. */
export interface Target {
  root: string;
  below: string[];
}

/** Names with the directories they stand for. */
export class Names {
  readonly #known: Array<{ name: string[]; target: Target }> = [];

  add(name: string, target: Target): void {
    this.#known.push({ name: segments(name), target });
  }

  /** Resolves a path by the longest name that is a prefix of it. Returns nothing if the path leaves the directory. */
  resolve(path: string): Target | undefined {
    const parts = segments(path);
    let best: { name: string[]; target: Target } | undefined;
    for (const known of this.#known) {
      const begins = known.name.every((part, index) => parts[index] === part);
      if (begins && (!best || known.name.length >= best.name.length)) best = known;
    }
    if (!best) return undefined;
    const rest = parts.slice(best.name.length);
    if (rest.includes("..") || rest.includes("/")) return undefined;
    return { root: best.target.root, below: [...best.target.below, ...rest] };
  }
}

/** The segments of a path; the leading slash of an absolute path is one. */
function segments(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return path.startsWith("/") ? ["/", ...parts] : parts;
}
