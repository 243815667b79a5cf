// What is wrong with the files of a project, what fixes make of them, and what they are in another dialect.
import { overFiles } from "./component.js";
import type { Root } from "./component.js";
import type { documents, projects } from "./contract.js";
import { answered } from "./error.js";
import { worldOf } from "./world.js";
import type { FilesInMemory, Settings } from "./world.js";

/** What to check, and by whose rules. */
export interface CheckSettings extends Omit<Settings, "files" | "project" | "check" | "cacheCapacity"> {
  /** The dialect that reads everything; if not given, each file is judged by its owner. */
  dialect?: string;
  /** Dialects that the files have to work in besides: their findings count, too. */
  targets?: string[];
  /** Files and directories of the project to report on; the whole project if not given. */
  paths?: string[];
}

/** What to fix. */
export interface FixSettings extends CheckSettings {
  /** Whether fixes that may change intent are applied, too. */
  unsafe?: boolean;
}

/** Checks a project directory, or files in memory, as `callsheet check` does. Throws a `CallsheetError` if a dialect is unknown. */
export async function check(what: string | FilesInMemory, settings: CheckSettings = {}): Promise<projects.Report> {
  const { root, project } = await lend(what, settings);
  return answered(() => root.projects.check(project, request(settings)));
}

/**
 * What the fixes of findings make of a project's files. Files that stay as they are are left out, and nothing is written. Throws as
 * `check` does.
 */
export async function fix(what: string | FilesInMemory, settings: FixSettings = {}): Promise<projects.Fixed[]> {
  const { root, project } = await lend(what, settings);
  return answered(() => root.projects.fix(project, request(settings), settings.unsafe ?? false, []));
}

/** What to convert into, and from what. */
export interface ConvertSettings {
  /** The dialect of the result. */
  to: string;
  /** The dialect of the file; its owner's if not given. */
  dialect?: string;
  /** Whether rights may be lost that the other dialect cannot say. Rights are never widened. */
  allowLoss?: boolean;
}

/**
 * What a file says, in another dialect. The path tells whose file it is; nothing is read or written. Throws a `CallsheetError`,
 * whose tag is `refused` and whose value is the report, if there is anything that the other dialect cannot say.
 */
export async function convert(path: string, contents: string | Uint8Array, settings: ConvertSettings): Promise<documents.Converted> {
  const bytes = typeof contents === "string" ? new TextEncoder().encode(contents) : contents;
  const root = await overFiles(worldOf({ files: {} }).import);
  return answered(() => root.documents.convert(path, bytes, settings.dialect, settings.to, settings.allowLoss ?? false));
}

/** An instance that sees the project and the places where its dialects look. */
async function lend(what: string | FilesInMemory, settings: CheckSettings): Promise<{ root: Root; project: projects.Project }> {
  const world = worldOf({ ...settings, ...(typeof what === "string" ? { project: what } : { files: what }) });
  const { project: directory, ancestors, home, plugins, directories, inline, failClosed } = world.options("");
  const project = { directory, ancestors, home, plugins, directories, inline, failClosed };
  const root = await overFiles(world.import);
  const { locations, referred } = root.projects.placesOf(project);
  for (const path of [directory, ...ancestors, ...referred]) world.grantPath(path);
  for (const location of locations) world.grant(location);
  for (const path of settings.paths ?? []) world.grantNamed(path);
  return { root, project };
}

function request({ dialect, targets = [], paths = [] }: CheckSettings): projects.Request {
  return { dialect, targets, paths };
}
