// Checks, fixes and converts the files of a project.
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, normalize, resolve } from "node:path";
import { overFiles } from "./component.js";
import type { Root } from "./component.js";
import type { documents, projects } from "./contract.js";
import { located } from "./disk.js";
import { answered } from "./error.js";
import { compareBytes } from "./shared/order.js";
import { worldOf } from "./world.js";
import type { FilesInMemory, Settings, World } from "./world.js";

/** What to check, and with which dialects. */
export interface CheckSettings extends Omit<Settings, "files" | "project" | "kind" | "check" | "cacheCapacity"> {
  /** Dialect for all files; by default, each file is judged by its owner. */
  dialect?: string;
  /** Other dialects in which the files must work; their findings also count. */
  targets?: string[];
  /**
   * Files and directories to report on; by default, the whole project. A relative path that begins with the name of the project or of another
   * directory, such as `~`, is as in a report. Others are relative to the project if they exist there, otherwise to the working directory.
   * Those outside the project are checked as parts of their own projects.
   */
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

/**
 * Checks a project directory, or files in memory, like `callsheet check`. Throws a `CallsheetError` for an unknown dialect, and if a path does
 * not exist.
 */
export async function check(what: string | FilesInMemory, settings: ReportSettings = {}): Promise<projects.Report> {
  const { project, named, others } = await open(what, settings);
  const reports = await Promise.all(others.map((other) => check(other.directory, elsewhere(settings, other.paths))));
  if (named.length > 0 || others.length === 0) {
    reports.push(answered(() => project.check(request({ ...settings, paths: named }), settings.build && build(settings.build))));
  }
  return reports.reduce(joined);
}

/** Returns the files that fixes change, with their new contents, and writes nothing. Throws like `check`. */
export async function fix(what: string | FilesInMemory, settings: FixSettings = {}): Promise<projects.Fixed[]> {
  const { project, named, others } = await open(what, settings);
  const fixed = await Promise.all(others.map((other) => fix(other.directory, elsewhere(settings, other.paths))));
  if (named.length > 0 || others.length === 0) {
    fixed.push(answered(() => project.fix(request({ ...settings, paths: named }), settings.unsafe ?? false, [])));
  }
  return fixed.flat();
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
  const { project } = await open(what, settings);
  const { scope = { tag: "everything" }, part = "whole" } = settings;
  return answered(() => project.graph(request(settings), scope, part));
}

/** Returns what acts in a project: agents, skills, commands, MCP servers and hooks, and what agents reach by calling others. */
export async function inventory(what: string | FilesInMemory, settings: Omit<CheckSettings, "dialect" | "paths" | "targets"> = {}): Promise<projects.Inventory> {
  const { project } = await open(what, settings);
  return answered(() => project.inventory(request(settings)));
}

/**
 * Returns what changes if the agent, skill or command in the file `path` gets another name: its file or folder, its name, and every reference
 * to it. The path is as in a report, or relative to the project. Writes nothing. Throws a `CallsheetError` with the reason if that is impossible.
 */
export async function rename(what: string | FilesInMemory, path: string, to: string, settings: Omit<CheckSettings, "dialect" | "paths" | "targets"> = {}): Promise<projects.Renaming> {
  const { project } = await open(what, settings);
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
  const { project } = await open(what, settings);
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

interface Opened {
  project: projects.Project;
  /** The named paths that are in the project, by its names. */
  named: string[];
  /** The other named paths. */
  others: Elsewhere[];
}

/** Paths in another project. */
export interface Elsewhere {
  directory: string;
  paths: string[];
}

async function open(what: string | FilesInMemory, settings: CheckSettings): Promise<Opened> {
  if (typeof what !== "string" && (typeof what !== "object" || what === null)) {
    throw new TypeError(`expected a project directory or an object of files, not ${String(what)}`);
  }
  const world = worldOf({ ...settings, ...(typeof what === "string" ? { project: what } : { files: what }) });
  const root = await overFiles(world.import);
  world.relocate(root.documents.variables());
  const project = openProject(root, world);
  const found = (settings.paths ?? []).map((path) => world.grantNamed(path, true));
  const named = found.flatMap(({ name }) => name ?? []);
  const pathsOf = (isHere: boolean) => found.filter(({ name }) => (name !== undefined) === isHere).map(({ path }) => path);
  return { project, named, others: byProject(pathsOf(false), pathsOf(true)) };
}

/** Paths outside of the project, by their own projects, without the files that are also `here` by another name. */
export function byProject(paths: string[], here: string[]): Elsewhere[] {
  if (paths.length === 0) return [];
  const seen = new Set(here.map(located));
  // A directory can be spelled in several ways.
  const projects = new Map<string, Elsewhere>();
  for (const path of paths) {
    if (seen.has(located(path))) continue;
    const directory = projectOf(path);
    const real = realpathSync.native(directory);
    const project = projects.get(real) ?? { directory, paths: [] };
    project.paths.push(path);
    projects.set(real, project);
  }
  return [...projects.values()];
}

/** Lets an instance see the project and the folders that its dialects search. */
export function openProject({ projects }: Pick<Root, "projects">, world: World): projects.Project {
  const project = projects.Project.open(world.sources);
  const { locations, referred } = project.places();
  for (const path of [world.sources.directory, ...world.sources.ancestors, ...referred]) world.grantPath(path);
  for (const location of locations) world.grant(location);
  return project;
}

/** The directory of a path's own project: the parent of its hidden folder, such as `.claude`, otherwise the directory itself or the file's. */
function projectOf(path: string): string {
  const normal = normalize(path);
  for (let at = normal; dirname(at) !== at; at = dirname(at)) {
    if (/^\.[^.]/.test(basename(at))) return dirname(at);
  }
  return statSync(normal).isDirectory() ? normal : dirname(normal);
}

/** The settings for paths of another project. */
function elsewhere<Given extends CheckSettings>(settings: Given, paths: string[]): Given {
  return { ...settings, paths: paths.map((path) => resolve(path)), plugins: {}, directories: [], inline: undefined, build: undefined };
}

/** Two reports as one, sorted by place. */
function joined(one: projects.Report, other: projects.Report): projects.Report {
  const byPlace = (one: projects.Finding, other: projects.Finding) => {
    const [here, there] = [one.diagnostic.primary.place, other.diagnostic.primary.place];
    return compareBytes(here.path, there.path) || here.span.start - there.span.start;
  };
  return {
    files: [...one.files, ...other.files].sort((one, other) => compareBytes(one.path, other.path)),
    others: [...one.others, ...other.others].sort(compareBytes),
    findings: [...one.findings, ...other.findings].sort(byPlace),
    suppressed: [...one.suppressed, ...other.suppressed].sort(byPlace),
    unowned: [...one.unowned, ...other.unowned],
    counts: {
      errors: one.counts.errors + other.counts.errors,
      warnings: one.counts.warnings + other.counts.warnings,
      notes: one.counts.notes + other.counts.notes,
    },
  };
}

function request({ dialect, targets = [], paths = [] }: CheckSettings): projects.Request {
  return { dialect, targets, paths };
}

function build({ from, to, dialect, sets = {}, allowLoss = false }: Sources): projects.Build {
  const named = Object.entries(sets).map(([name, tools]) => ({ name, tools }));
  return { directory: from, dialect, targets: to, sets: named, allowLoss };
}
