// Names of places, and what they lead to.

/** A directory that nothing below it leads out of, and a place there. */
export interface Target {
  root: string;
  below: string[];
}

/** Names with the places that they lead to. */
export class Names {
  readonly #known: Array<{ name: string[]; target: Target }> = [];

  add(name: string, target: Target): void {
    this.#known.push({ name: segments(name), target });
  }

  /** Where a path leads: below the longest of the names that it begins with. Nowhere if it climbs out again. */
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

/** A path's parts; the leading slash of an absolute path is one. */
function segments(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return path.startsWith("/") ? ["/", ...parts] : parts;
}
