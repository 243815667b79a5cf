// Where agents are read from: disk or memory.
import { homedir } from "node:os";
import { join } from "node:path";
import { Disk, realOf } from "./disk.js";
import type { Named } from "./disk.js";
import { Files } from "./shared/files.js";
import { CallsheetError } from "./error.js";
import type { catalogs, documents, files, projects, types } from "./contract.js";
import type { Imports } from "./component.js";

/** A directory, and its name in findings. A string is both. */
export interface Place {
  name: string;
  path: string;
}

/** Files by path: `.claude/agents/NAME.md` in the project, `~/.claude/agents/NAME.md` in the home directory. */
export type FilesInMemory = Record<string, string | Uint8Array>;

/** Where agents are read from, and how. */
export interface Settings {
  /** Files in memory, which replace the disk. */
  files?: FilesInMemory;
  /** The project directory; by default, the working directory. */
  project?: string | Place;
  /**
   * The home directory; by default, the user's, with the name `~`, and the directories that variables such as `CLAUDE_CONFIG_DIR` name
   * instead of parts of it. `null` for none.
   */
  home?: string | Place | null;
  /** Installed plugins: plugin names with their agent directories. */
  plugins?: Record<string, string | Place>;
  /** Additional agent directories, as on the command line. */
  directories?: Array<string | Place>;
  /** Agents as a JSON object from name to definition, as on the command line. */
  inline?: string;
  /** What the catalog's files define: agents by default. */
  kind?: types.Kind;
  /** Number of parsed definitions to cache; 1024 by default. */
  cacheCapacity?: number;
  /** Whether a broken file that would win leaves its name without an agent. */
  failClosed?: boolean;
  /** Whether to check files against all rules. Otherwise, diagnostics only cover loading. */
  check?: boolean;
  /** Whether to follow links that lead out of these directories. */
  followLinks?: boolean;
  /** Maximum file size in bytes; 8 MiB by default. */
  maxFileSize?: number;
}

export interface Places {
  project: Place;
  home: Place | undefined;
  plugins: Array<{ name: string; place: Place }>;
  directories: Place[];
}

/** The files that an instance of the component can read. */
export interface World {
  readonly import: Imports["callsheet:agents/files"];
  readonly sources: projects.Sources;
  readonly options: Omit<catalogs.Options, "dialect">;
  /** Adds the directories that environment variables name instead of parts of the user's home directory. */
  relocate(variables: documents.Variable[]): void;
  /** Lets the component see a folder that its dialect searches. */
  grant(location: projects.Location): void;
  /** Lets the component see a path in one of the directories. */
  grantPath(path: string): void;
  /** Lets the component see a path that the user names; with `prefersProject`, the project's if both it and the working directory have it. */
  grantNamed(path: string, prefersProject?: boolean): Named;
}

const CACHE_CAPACITY = 1024;

export function worldOf(settings: Settings): World {
  const places = placesOf(settings);
  const options = { kind: settings.kind ?? "agent", cacheCapacity: settings.cacheCapacity ?? CACHE_CAPACITY, check: settings.check ?? false };
  if (settings.files) return inMemory(settings.files, { sources: sourcesOf(settings, places, []), options });
  const disk = new Disk(places, settings);
  const sources = sourcesOf(settings, places, disk.ancestors);
  return {
    import: disk.import,
    sources,
    options,
    relocate: (known) => {
      if (settings.home !== undefined) return;
      const project = places.project.path;
      const above = disk.ancestors.map((_, steps) => join(project, ...Array.from({ length: steps + 1 }, () => "..")));
      for (const { name, replaces } of known) {
        const path = process.env[name];
        // Its agents would be found twice.
        const isThere = path && [homedir(), project, ...above].some((other) => realOf(join(other, replaces)) === realOf(path));
        if (!path || isThere) continue;
        disk.add({ name: `$${name}`, path });
        sources.variables.push(name);
      }
    },
    grant: (location) => disk.grant(location),
    grantPath: (path) => disk.grantPath(path),
    grantNamed: (path, prefersProject) => disk.grantNamed(path, prefersProject),
  };
}

/** Files in memory are all visible. */
function inMemory(given: FilesInMemory, world: Pick<World, "sources" | "options">): World {
  // Not `instanceof`: it may be from another realm, such as a test runner's.
  if (Object.prototype.toString.call(given) !== "[object Object]") {
    throw new TypeError("files in memory must be a plain object from path to contents; convert a Map with `Object.fromEntries`");
  }
  const files = new Files();
  for (const [path, contents] of Object.entries(given)) {
    if (path.includes("\\")) throw new TypeError(`the path ${path} contains a backslash; separate folders with \`/\``);
    const bytes = typeof contents === "string" ? new TextEncoder().encode(contents) : contents;
    if (!ArrayBuffer.isView(bytes)) throw new TypeError(`the contents of ${path} must be a string or a Uint8Array`);
    files.write(path, bytes);
  }
  const grantNamed = (path: string) => {
    try {
      files.import.listDirectory(path);
    } catch (error) {
      if ((error as files.FileError).tag === "not-found") throw new CallsheetError("not-found", path);
    }
    return { name: path, path };
  };
  return { ...world, import: files.import, relocate: () => {}, grant: () => {}, grantPath: () => {}, grantNamed };
}

function placesOf(settings: Settings): Places {
  const { project = ".", plugins = {}, directories = [] } = settings;
  const home = settings.home === undefined ? { name: "~", path: homedir() } : settings.home;
  return {
    project: place(project),
    home: home === null ? undefined : place(home),
    plugins: Object.entries(plugins).map(([name, at]) => ({ name, place: place(at) })),
    directories: directories.map(place),
  };
}

function place(place: string | Place): Place {
  if (typeof place !== "string") return place;
  const path = place.length > 1 ? place.replace(/\/+$/, "") : place;
  return { name: path, path };
}

function sourcesOf(settings: Settings, places: Places, ancestors: string[]): projects.Sources {
  return {
    directory: places.project.name,
    ancestors,
    home: places.home?.name,
    variables: [],
    plugins: places.plugins.map(({ name, place }) => ({ name, directory: place.name })),
    directories: places.directories.map(({ name }) => name),
    inline: settings.inline,
    failClosed: settings.failClosed ?? false,
  };
}
