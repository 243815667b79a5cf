// The files of a request as a project.
import type { Catalog, Options } from "../../shared/contract";
import { Files } from "../../shared/files";
import { encode } from "../../shared/places";
import { COUNTED_BYTES, FINDINGS } from "./limits";
import type { Scope } from "./pool";
import { Problem } from "./problem";
import type { Check, Contents, Paths } from "./requests";

export function filesOf(paths: Paths): Files {
  const files = new Files();
  for (const [path, contents] of Object.entries(paths)) files.write(path, bytesOf(contents));
  return files;
}

export function bytesOf(contents: Contents): Uint8Array {
  if (typeof contents === "string") return encode(contents);
  return Uint8Array.from(atob(contents.base64), (character) => character.charCodeAt(0));
}

/** Counts findings per file first, because a report with all of them may exceed the memory. */
export function bound(scope: Scope, { dialect: named, targets = [] }: Pick<Check, "dialect" | "targets">): void {
  const { root, files } = scope;
  const bytes = files.paths().reduce((sum, path) => sum + (files.contents(path)?.length ?? 0), 0);
  if (bytes < COUNTED_BYTES) return;
  let found = 0;
  for (const { path, dialect, level } of root.documents.discover(".")[0]) {
    const reader = named ?? dialect;
    if (reader === undefined) continue;
    const contents = files.contents(path) ?? new Uint8Array();
    const { diagnostics, suppressed } = root.documents.parse(path, contents, reader, level);
    found += (diagnostics.length + suppressed.length) * (1 + targets.length);
    if (found <= FINDINGS) continue;
    throw new Problem(422, "too-many-findings", `the files have more than ${FINDINGS} findings, some in ${path}; send fewer files per request`);
  }
}

/** The requested dialect, or all dialects in use. */
export function dialects({ project }: Scope, named: string | undefined): string[] {
  return named === undefined ? project.inUse("agent") : [named];
}

export function options(dialect: string, check = false): Options {
  // Each catalog is used once.
  return { dialect, kind: "agent", cacheCapacity: 1, check };
}

/** Opens a catalog, uses it and drops it. */
export function ask<Answer>({ root, project }: Scope, options: Options, question: (catalog: Catalog) => Answer): Answer {
  return dropped(root.catalogs.Catalog.open(project, options), question);
}

/** Uses a resource of the component and drops it. */
export function dropped<Resource extends object, Answer>(resource: Resource, use: (resource: Resource) => Answer): Answer {
  try {
    return use(resource);
  } finally {
    // jco's types omit `Symbol.dispose`.
    (resource as Partial<Disposable>)[Symbol.dispose]?.();
  }
}
