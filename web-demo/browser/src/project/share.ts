// Encodes a project for a link: a line of JSON with the paths and lengths, then the bytes of all files, deflated.
import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";
import { problemOf } from "./paths";
import type { Project, Snapshot } from "./project";

interface Head {
  dialect: string;
  open: string | undefined;
  example?: string | undefined;
  files: Array<[path: string, length: number]>;
}

/** Limits the memory that a malicious link can use; larger than any project that fits in a link. */
const MOST_BYTES = 8 << 20;
/** Browsers refuse longer addresses. */
const LONGEST_LINK = 2_000_000;
const LINE_END = 10;
const KEY = "callsheet-project";
const WRITER_KEY = "callsheet-writer";
const FRAGMENT = "#p=";

/** Identifies this page among those that store projects. */
export const PAGE = String(Math.random());

/** What this page last read or stored. */
let last: string | null = null;

/** Encodes a project; undefined if `unpack` would refuse it. */
export function pack({ files, dialect, open, example }: Project | Snapshot): string | undefined {
  const head: Head = { dialect, open, example, files: [...files].map(([path, contents]) => [path, contents.length]) };
  const parts = [strToU8(`${JSON.stringify(head)}\n`), ...files.values()];
  const length = parts.reduce((length, part) => length + part.length, 0);
  if (length > MOST_BYTES) return undefined;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return base64url(deflateSync(all, { level: 9 }));
}

/** Decodes a project; undefined if the text is invalid or has no files. Files with invalid paths are dropped. */
export function unpack(packed: string): Snapshot | undefined {
  try {
    const all = inflateSync(bytesOf(packed), { out: new Uint8Array(MOST_BYTES) });
    const end = all.indexOf(LINE_END);
    const head = JSON.parse(strFromU8(all.subarray(0, end))) as Head;
    const files = new Map<string, Uint8Array>();
    let at = end + 1;
    for (const [path, length] of head.files) {
      if (problemOf(path) === undefined) files.set(path, all.slice(at, at + length));
      at += length;
    }
    if (at !== all.length || files.size === 0) return undefined;
    return { files, dialect: String(head.dialect), open: head.open, example: typeof head.example === "string" ? head.example : undefined };
  } catch {
    return undefined;
  }
}

/** A link to the project; undefined if it is too large for one. */
export function link(project: Project): string | undefined {
  const packed = pack(project);
  const url = `${location.href.split("#")[0]}${FRAGMENT}${packed}`;
  return packed === undefined || url.length > LONGEST_LINK ? undefined : url;
}

/** Whether the address bar has a link. */
export function hasLink(): boolean {
  return location.hash.startsWith(FRAGMENT);
}

export function fromLink(): Snapshot | undefined {
  return hasLink() ? unpack(location.hash.slice(FRAGMENT.length)) : undefined;
}

/**
 * Stores the project in the browser if the user changed it. Returns whether it could. What another page stored in the meantime stays if
 * the files of this one did not change; otherwise it goes to `onOther` first, with the page that stored it. A link in the address bar
 * stays if it has the same files.
 */
export function keep(project: Project, onOther: (other: Snapshot, writer: string | null) => void): boolean {
  const linked = isLinked(project) ? link(project) : undefined;
  if (linked === undefined) unlink();
  else history.replaceState(null, "", linked);
  if (!project.edited) return true;
  try {
    const packed = pack(project);
    if (packed === undefined) return false;
    if (packed === last) return true;
    const stored = localStorage.getItem(KEY);
    const other = stored !== null && stored !== last ? unpack(stored) : undefined;
    if (other && !areSame(other.files, project.files)) {
      const own = unpack(last ?? "");
      if (own && areSame(own.files, project.files)) return true;
      onOther(other, localStorage.getItem(WRITER_KEY));
    }
    localStorage.setItem(KEY, packed);
    localStorage.setItem(WRITER_KEY, PAGE);
    last = packed;
    return true;
  } catch {
    // Storage is unavailable in private windows, and limited.
    return false;
  }
}

/** Removes the link from the address bar, because a reload would restore its files. */
export function unlink(): void {
  if (hasLink()) history.replaceState(null, "", location.pathname + location.search);
}

/** Whether the address bar has a link to exactly these files. */
export function isLinked({ files }: Project | Snapshot): boolean {
  const linked = fromLink();
  return linked !== undefined && areSame(linked.files, files);
}

/** Whether two projects have the same files. */
export function areSame(one: Snapshot["files"], other: Snapshot["files"]): boolean {
  return one.size === other.size && [...one].every(([path, contents]) => isSame(other.get(path), contents));
}

/** Whether two files have the same contents, or neither exists. */
export function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === other || (one?.length === other?.length && one?.every((byte, at) => byte === other?.[at]) === true);
}

export function kept(): Snapshot | undefined {
  try {
    last = localStorage.getItem(KEY);
    return unpack(last ?? "");
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
