// What is wrong with the files of a project.
import { Catalog } from "./catalog.js";
import { overFiles } from "./component.js";
import type { Root } from "./component.js";
import type { types } from "./contract.js";
import { answered } from "./error.js";
import { worldOf } from "./world.js";
import type { FilesInMemory, Settings, World } from "./world.js";

/** Something that is wrong, and the dialects that say so, in the order in which they were gone through. */
export interface Finding extends types.Diagnostic {
  dialects: string[];
}

/** What a check found. */
export interface Checked {
  /** The files that were looked at, sorted. */
  files: string[];
  /** What is wrong, as each dialect sorts it. */
  findings: Finding[];
  /** What comments in the files want left. */
  suppressed: Finding[];
}

/** How to check. */
export interface CheckSettings extends Omit<Settings, "files" | "project" | "check"> {
  /** The only dialect to ask; every dialect with a directory there if not said. */
  dialect?: string;
}

/**
 * Checks a project directory, or files in memory, as `callsheet check` does. Where no dialect has a directory of its own,
 * every file that may be an agent is read by itself, as `callsheet check PATH` does.
 */
export async function check(what: string | FilesInMemory, settings: CheckSettings = {}): Promise<Checked> {
  const { dialect, ...others } = settings;
  const where: Settings = typeof what === "string" ? { project: what } : { files: what };
  const all: Settings = { ...others, ...where, check: true };
  const world = worldOf(all);
  const root = await overFiles(world.import);
  const dialects = dialect === undefined ? inUse(root, world) : [dialect];
  const found = new Collected();
  if (dialects.length === 0) oneByOne(root, world, found);
  for (const dialect of dialects) {
    // Each sees no more than its own places.
    const catalog = await Catalog.over(worldOf(all), dialect);
    for (const { origin } of catalog.entries(true)) if (origin.path !== undefined) found.files.add(origin.path);
    found.add(found.findings, catalog.diagnostics(), dialect);
    found.add(found.suppressed, catalog.suppressed(), dialect);
    catalog.close();
  }
  return found.end();
}

/**
 * The dialects of which a directory of their own is there. Where its name tells nothing, as that of a bare `agents`, it has to
 * hold a file of that dialect, or none.
 */
function inUse(root: Root, world: World): string[] {
  const isOf = (directory: string, id: string): boolean => {
    if (!world.isDirectory(directory)) return false;
    if (directory.split("/").some((part) => /^\.[^.]/.test(part))) return true;
    world.grantPath(directory);
    const [files] = root.documents.discover(directory);
    return files.length === 0 || files.some(({ dialect }) => dialect === id);
  };
  const ids = root.documents.dialects().map((dialect) => dialect.id);
  return ids.filter((id) => {
    const locations = root.catalogs.locations(world.options(id));
    return locations.some((location) => location.owned && isOf(location.directory, id));
  });
}

function oneByOne(root: Root, world: World, found: Collected): void {
  const { project } = world.options("");
  world.grantPath(project);
  const [files, unlisted] = root.documents.discover(project);
  found.add(found.findings, unlisted);
  for (const { path, dialect, level } of files) {
    const parsed = answered(() => root.documents.parse(path, world.import.read(path), dialect, level));
    found.files.add(path);
    found.add(found.findings, parsed.diagnostics, parsed.dialect);
    found.add(found.suppressed, parsed.suppressed, parsed.dialect);
  }
}

/** Findings, those that several dialects report in the same words joined. */
class Collected {
  readonly files = new Set<string>();
  readonly findings = new Map<string, Finding>();
  readonly suppressed = new Map<string, Finding>();

  add(to: Map<string, Finding>, diagnostics: types.Diagnostic[], dialect?: string): void {
    for (const diagnostic of diagnostics) {
      const { rule, severity, message, primary } = diagnostic;
      const key = JSON.stringify([rule, severity, message, primary.place]);
      const known = to.get(key) ?? { ...diagnostic, dialects: [] };
      if (dialect !== undefined && !known.dialects.includes(dialect)) known.dialects.push(dialect);
      to.set(key, known);
    }
  }

  end(): Checked {
    return { files: [...this.files].sort(), findings: [...this.findings.values()], suppressed: [...this.suppressed.values()] };
  }
}
