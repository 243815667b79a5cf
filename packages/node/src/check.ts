// Checks, fixes and converts the files of a project.
import { overFiles } from "./component.js";
import type { Root } from "./component.js";
import type { documents, projects } from "./contract.js";
import { answered } from "./error.js";
import { worldOf } from "./world.js";
import type { FilesInMemory, Settings, World } from "./world.js";

/** What to check, and with which dialects. */
export interface CheckSettings extends Omit<Settings, "files" | "project" | "kind" | "check" | "cacheCapacity"> {
  /** Dialect for all files; by default, each file is judged by its owner. */
  dialect?: string;
  /** Other dialects in which the files must work; their findings also count. */
  targets?: string[];
  /** Files and directories of the project to report on; by default, the whole project. */
  paths?: string[];
}

/** What to report. */
export interface ReportSettings extends CheckSettings {
  /** Agents that extend and include others: what is wrong with how they are combined is reported, too. */
  build?: Sources;
}

/** What to fix. */
export interface FixSettings extends CheckSettings {
  /** Whether to also apply fixes that may change intent. */
  unsafe?: boolean;
}

/** Checks a project directory, or files in memory, like `callsheet check`. Throws a `CallsheetError` for an unknown dialect. */
export async function check(what: string | FilesInMemory, settings: ReportSettings = {}): Promise<projects.Report> {
  const project = await open(what, settings);
  return answered(() => project.check(request(settings), settings.build && build(settings.build)));
}

/** Returns the files that fixes change, with their new contents, and writes nothing. Throws like `check`. */
export async function fix(what: string | FilesInMemory, settings: FixSettings = {}): Promise<projects.Fixed[]> {
  const project = await open(what, settings);
  return answered(() => project.fix(request(settings), settings.unsafe ?? false, []));
}

/** What to return of a graph. */
export interface GraphSettings extends Omit<CheckSettings, "dialect" | "paths"> {
  /** The surroundings of a name; by default, all files. */
  scope?: projects.Scope;
  /** A part of these; by default, all of them. */
  part?: projects.Part;
}

/** Returns what the files of a project define, and what they refer to, or a part of that. */
export async function graph(what: string | FilesInMemory, settings: GraphSettings = {}): Promise<projects.Graph> {
  const project = await open(what, settings);
  const { scope = { tag: "everything" }, part = "whole" } = settings;
  return answered(() => project.graph(request(settings), scope, part));
}

/** Returns what acts in a project: agents, skills, commands, MCP servers and hooks, and what agents reach by calling others. */
export async function inventory(what: string | FilesInMemory, settings: Omit<CheckSettings, "dialect" | "paths" | "targets"> = {}): Promise<projects.Inventory> {
  const project = await open(what, settings);
  return answered(() => project.inventory(request(settings)));
}

/**
 * Returns what changes if the agent, skill or command in the file `path` gets another name: its file or folder, its name, and every reference
 * to it. The path is as in a report, or relative to the project. Writes nothing. Throws a `CallsheetError` with the reason if that is impossible.
 */
export async function rename(what: string | FilesInMemory, path: string, to: string, settings: Omit<CheckSettings, "dialect" | "paths" | "targets"> = {}): Promise<projects.Renaming> {
  const project = await open(what, settings);
  return answered(() => project.rename(path, to));
}

/** Agents that extend and include others, and what to compile them to. */
export interface Sources {
  /** Folder of the sources, below the project. */
  from: string;
  /** Dialects to compile to. */
  to: string[];
  /** Dialect of the sources; by default, the owner of the folder. */
  dialect?: string;
  /** Tools by the name of a set. */
  sets?: Record<string, string[]>;
  /** Whether to drop permissions that another dialect cannot represent. Permissions are never widened. */
  allowLoss?: boolean;
}

/** Which sources to compile, and to what. */
export interface ComposeSettings extends Omit<CheckSettings, "dialect" | "targets" | "paths">, Sources {}

/**
 * Returns what agents that extend and include others compile to, like `callsheet build`, with findings and the origin of each field. Writes
 * nothing. Throws a `CallsheetError` if a dialect is unknown, or if that of the sources has no Markdown files.
 */
export async function compose(what: string | FilesInMemory, settings: ComposeSettings): Promise<projects.Composition> {
  const project = await open(what, settings);
  return answered(() => project.compose(build(settings)));
}

/** Source and target of a conversion. */
export interface ConvertSettings {
  /** Dialect of the result. */
  to: string;
  /** Dialect of the file; by default, its owner's. */
  dialect?: string;
  /** Whether to drop permissions that the other dialect cannot represent. Permissions are never widened. */
  allowLoss?: boolean;
}

/**
 * Converts a file to another dialect, without reading or writing anything; the path determines its owner. If it cannot be converted,
 * throws a `CallsheetError` with the tag `refused` and the report as its value.
 */
export async function convert(path: string, contents: string | Uint8Array, settings: ConvertSettings): Promise<documents.Converted> {
  const bytes = typeof contents === "string" ? new TextEncoder().encode(contents) : contents;
  const root = await overFiles(worldOf({ files: {} }).import);
  return answered(() => root.documents.convert(path, bytes, settings.dialect, settings.to, settings.allowLoss ?? false));
}

async function open(what: string | FilesInMemory, settings: CheckSettings): Promise<projects.Project> {
  const world = worldOf({ ...settings, ...(typeof what === "string" ? { project: what } : { files: what }) });
  const root = await overFiles(world.import);
  world.relocate(root.documents.variables());
  return openProject(root, world, settings.paths);
}

/** Lets an instance see the project, the folders that its dialects search, and the paths that the user names. */
export function openProject({ projects }: Pick<Root, "projects">, world: World, paths: string[] = []): projects.Project {
  const project = projects.Project.open(world.sources);
  const { locations, referred } = project.places();
  for (const path of [world.sources.directory, ...world.sources.ancestors, ...referred]) world.grantPath(path);
  for (const location of locations) world.grant(location);
  for (const path of paths) world.grantNamed(path);
  return project;
}

function request({ dialect, targets = [], paths = [] }: CheckSettings): projects.Request {
  return { dialect, targets, paths };
}

function build({ from, to, dialect, sets = {}, allowLoss = false }: Sources): projects.Build {
  const named = Object.entries(sets).map(([name, tools]) => ({ name, tools }));
  return { directory: from, dialect, targets: to, sets: named, allowLoss };
}
