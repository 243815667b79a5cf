// Encodes a project for a link: a line of JSON with the paths and lengths, then the bytes of all files, deflated.
import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";
import type { Project, Snapshot } from "./project";

interface Head {
  dialect: string;
  open: string | undefined;
  example?: string | undefined;
  files: Array<[path: string, length: number]>;
}

/** Limits the memory that a malicious link can use; larger than any project that fits in a link. */
const MOST_BYTES = 8 << 20;
const LINE_END = 10;
const KEY = "callsheet-project";
const FRAGMENT = "#p=";

export function pack({ files, dialect, open, example }: Project | Snapshot): string {
  const head: Head = { dialect, open, example, files: [...files].map(([path, contents]) => [path, contents.length]) };
  const parts = [strToU8(`${JSON.stringify(head)}\n`), ...files.values()];
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return base64url(deflateSync(all, { level: 9 }));
}

/** Decodes a project; undefined if the text is invalid. */
export function unpack(packed: string): Snapshot | undefined {
  try {
    const all = inflateSync(bytesOf(packed), { out: new Uint8Array(MOST_BYTES) });
    const end = all.indexOf(LINE_END);
    const head = JSON.parse(strFromU8(all.subarray(0, end))) as Head;
    const files = new Map<string, Uint8Array>();
    let at = end + 1;
    for (const [path, length] of head.files) {
      files.set(String(path), all.slice(at, at + length));
      at += length;
    }
    return { files, dialect: String(head.dialect), open: head.open, example: typeof head.example === "string" ? head.example : undefined };
  } catch {
    return undefined;
  }
}

export function link(project: Project): string {
  return `${location.href.split("#")[0]}${FRAGMENT}${pack(project)}`;
}

export function fromLink(): Snapshot | undefined {
  return location.hash.startsWith(FRAGMENT) ? unpack(location.hash.slice(FRAGMENT.length)) : undefined;
}

/** Stores the project in the browser if the user changed it, unless the link in the address bar still contains it. Returns whether it could. */
export function keep(project: Project): boolean {
  if (isLinked(project)) return true;
  unlink();
  if (!project.edited) return true;
  try {
    if (sizeOf(project) > MOST_BYTES) return false;
    localStorage.setItem(KEY, pack(project));
    return true;
  } catch {
    // Storage is unavailable in private windows, and limited.
    return false;
  }
}

/** Removes the link from the address bar, because a reload would restore its files. */
export function unlink(): void {
  if (location.hash.startsWith(FRAGMENT)) history.replaceState(null, "", location.pathname + location.search);
}

/** Whether the address bar has a link to exactly these files. */
export function isLinked({ files }: Project | Snapshot): boolean {
  const linked = fromLink();
  if (linked?.files.size !== files.size) return false;
  return [...files].every(([path, contents]) => isSame(linked.files.get(path), contents));
}

export function isSame(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one?.length === other.length && one.every((byte, at) => byte === other[at]);
}

function sizeOf({ files }: Project): number {
  return [...files].reduce((sum, [path, contents]) => sum + path.length + contents.length, 0);
}

export function kept(): Snapshot | undefined {
  try {
    return unpack(localStorage.getItem(KEY) ?? "");
  } catch {
    return undefined;
  }
}

function base64url(bytes: Uint8Array): string {
  const text = strFromU8(bytes, true);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytesOf(packed: string): Uint8Array {
  return strToU8(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), true);
}
