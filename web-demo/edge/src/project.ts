// The files of a request, as a project that the component looks at.
import type { Catalog, Options } from "../../shared/contract";
import { HOME } from "../../shared/engine";
import { Files } from "../../shared/files";
import { encode } from "../../shared/places";
import { COUNTED_BYTES, FINDINGS } from "./limits";
import type { Lent } from "./pool";
import { Problem } from "./problem";
import type { Contents, Paths } from "./requests";

export function filesOf(paths: Paths): Files {
  const files = new Files();
  for (const [path, contents] of Object.entries(paths)) files.write(path, bytesOf(contents));
  return files;
}

export function bytesOf(contents: Contents): Uint8Array {
  if (typeof contents === "string") return encode(contents);
  return Uint8Array.from(atob(contents.base64), (character) => character.charCodeAt(0));
}

/** Catalogs give all findings at once, which may be more than there is memory for: so they are counted before, file by file. */
export function bound(lent: Lent, named: string | undefined): void {
  const { root, files } = lent;
  const bytes = files.paths().reduce((sum, path) => sum + (files.contents(path)?.length ?? 0), 0);
  if (bytes < COUNTED_BYTES) return;
  const each = Math.max(1, dialects(lent, named).length);
  let found = 0;
  for (const { path, dialect, level } of root.documents.discover(".")[0]) {
    const contents = files.contents(path) ?? new Uint8Array();
    const { diagnostics, suppressed } = root.documents.parse(path, contents, named ?? dialect, level);
    found += (diagnostics.length + suppressed.length) * each;
    if (found <= FINDINGS) continue;
    throw new Problem(422, "too-many-findings", `the files have more than ${FINDINGS} findings, ${path} among others: send fewer files at a time`);
  }
}

/**
 * The dialects to go through: the one that is named, else every one that has a directory of its own here. Where its name tells
 * nothing, as that of a bare `agents`, it has to hold a file of that dialect, or none.
 */
export function dialects({ root, files, owned }: Lent, named: string | undefined): string[] {
  if (named !== undefined) return [named];
  const paths = files.paths();
  const isOf = (directory: string, id: string): boolean => {
    if (!paths.some((path) => path.startsWith(`${directory}/`))) return false;
    if (directory.split("/").some((part) => /^\.[^.]/.test(part))) return true;
    const [found] = root.documents.discover(directory);
    return found.length === 0 || found.some(({ dialect }) => dialect === id);
  };
  return [...owned()].flatMap(([id, directories]) => (directories.some((directory) => isOf(directory, id)) ? [id] : []));
}

export function options(dialect: string, check = false): Options {
  return {
    dialect,
    project: ".",
    ancestors: [],
    home: HOME,
    plugins: [],
    directories: [],
    // Each catalog answers once.
    cacheCapacity: 1,
    failClosed: false,
    check,
  };
}

/** Opens a catalog, asks it and drops it. */
export function ask<Answer>({ root }: Lent, options: Options, question: (catalog: Catalog) => Answer): Answer {
  return dropped(root.catalogs.Catalog.open(options), question);
}

/** Uses a resource of the component and drops it. */
export function dropped<Resource extends object, Answer>(resource: Resource, use: (resource: Resource) => Answer): Answer {
  try {
    return use(resource);
  } finally {
    // jco's types do not say that resources can be dropped.
    (resource as Partial<Disposable>)[Symbol.dispose]?.();
  }
}
