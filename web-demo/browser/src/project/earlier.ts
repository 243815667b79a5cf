// Projects of the user that a link, an example or an import replaced.
import type { Snapshot } from "./project";
import { pack, PAGE, unpack } from "./share";

/** A replaced project: its contents, the time, and the page that stored it if another one overwrote it. */
export interface Earlier {
  packed: string;
  at: number;
  count: number;
  writer?: string | null;
}

const KEY = "callsheet-earlier";
const MOST = 5;

let all: Earlier[] = stored();

/** The replaced projects, newest first. */
export function earlier(): readonly Earlier[] {
  return all;
}

/** Adds a project, and returns whether it could. One that another page stored replaces what that page and this one stored before: each has a newer version. */
export function addEarlier(snapshot: Snapshot, writer: string | null): boolean {
  refresh();
  const packed = pack(snapshot);
  if (packed === undefined) return false;
  const isOld = (one: Earlier) => writer !== null && (one.writer === writer || one.writer === PAGE);
  const others = all.filter((one) => one.packed !== packed && !isOld(one));
  all = [{ packed, at: Date.now(), count: snapshot.files.size, writer }, ...others].slice(0, MOST);
  store();
  return true;
}

/** Removes a project from the list and returns it. */
export function takeEarlier(at: number): Snapshot | undefined {
  refresh();
  const taken = all.find((one) => one.at === at);
  all = all.filter((one) => one !== taken);
  store();
  return taken && unpack(taken.packed);
}

/** Adds what other pages stored in the meantime. */
function refresh(): void {
  const packed = new Set(all.map((one) => one.packed));
  all = [...all, ...stored().filter((one) => !packed.has(one.packed))].sort((one, other) => other.at - one.at);
}

function stored(): Earlier[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** Stores as many as fit. */
function store(): void {
  for (let count = all.length; count >= 0; count -= 1) {
    try {
      return localStorage.setItem(KEY, JSON.stringify(all.slice(0, count)));
    } catch {
      // Storage is unavailable in private windows, and limited: this page still has the list.
    }
  }
}
