// The findings of a file without a look at the others, to answer every keystroke.
import type { Diagnostic } from "../../shared/contract";

const NEWLINE = 10;

export class Glance {
  #path = "";
  #contents: Uint8Array = new Uint8Array();
  /** The findings that need the other files. */
  #kept: Diagnostic[] = [];

  /** Remembers the result of a whole check; `own` are the findings of the file alone. */
  keep(path: string, contents: Uint8Array, findings: Diagnostic[], own: Diagnostic[]): void {
    const keys = new Set(own.map(key));
    this.#path = path;
    this.#contents = contents;
    this.#kept = findings.filter((found) => !keys.has(key(found)));
  }

  /** The findings of a changed file: its own, and the others as they were, unless their lines have changed. */
  findings(path: string, contents: Uint8Array, own: Diagnostic[]): Diagnostic[] {
    const kept = path === this.#path ? moved(this.#kept, path, this.#contents, contents) : [];
    return [...own, ...kept].sort((one, other) => one.primary.place.span.start - other.primary.place.span.start);
  }
}

function key({ rule, message, primary }: Diagnostic): string {
  return JSON.stringify([rule, message, primary.place.span.start]);
}

/** The findings at their places after a change of the file, without those on changed lines. */
function moved(findings: Diagnostic[], path: string, before: Uint8Array, after: Uint8Array): Diagnostic[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const lines = (bytes: Uint8Array) => bytes.subarray(head, bytes.length - tail).filter((byte) => byte === NEWLINE).length;
  const [bytes, rows] = [after.length - before.length, lines(after) - lines(before)];
  const rest = before.indexOf(NEWLINE, before.length - tail);
  const span = ({ start, end }: { start: number; end: number }) => {
    if (end < head) return { start, end };
    return rest >= 0 && start > rest ? { start: start + bytes, end: end + bytes } : undefined;
  };
  const label = (one: Diagnostic["primary"]) => {
    const { place } = one;
    const there = place.path === path ? span(place.span) : place.span;
    if (!there) return undefined;
    const down = there.start === place.span.start ? 0 : rows;
    const position = ({ line, column }: { line: number; column: number }) => ({ line: line + down, column });
    return { ...one, place: { ...place, span: there, start: position(place.start), end: position(place.end) } };
  };
  return findings.flatMap((found) => {
    const primary = label(found.primary);
    // Its fixes belong to the old text; the next whole check has new ones.
    return primary ? [{ ...found, primary, related: found.related.flatMap((one) => label(one) ?? []), fixes: [] }] : [];
  });
}
