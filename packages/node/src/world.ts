// Where agents are looked for: on the disk, or among files in memory.
import { homedir } from "node:os";
import { Disk } from "./disk.js";
import { Files } from "./shared/files.js";
import type { catalogs } from "./contract.js";
import type { Imports } from "./component.js";

/** A directory, and the name that findings call it by. A text is both. */
export interface Place {
  name: string;
  path: string;
}

/** Files by path: `.claude/agents/NAME.md` in the project, `~/.claude/agents/NAME.md` in the home directory. */
export type FilesInMemory = Record<string, string | Uint8Array>;

/** Where agents are looked for, and how. */
export interface Settings {
  /** Files in memory; nothing of the disk is seen then. */
  files?: FilesInMemory;
  /** The project directory; the working directory if not said. */
  project?: string | Place;
  /** The home directory; the user's, called `~`, if not said, and none for null. */
  home?: string | Place | null;
  /** Installed plugins: the directory of its agents by a plugin's name. */
  plugins?: Record<string, string | Place>;
  /** Further directories of agents, as if given on the command line. */
  directories?: Array<string | Place>;
  /** Agents as a JSON object, name to definition, as if given on the command line. */
  inline?: string;
  /** How many parsed definitions are kept; 1024 if not said. */
  cacheCapacity?: number;
  /** Whether a broken file that would have won leaves its name without a winner. */
  failClosed?: boolean;
  /** Whether files are held against every rule. Otherwise a catalog's diagnostics tell only what decides how they load. */
  check?: boolean;
  /** Whether links that lead out of these places are followed. */
  followLinks?: boolean;
  /** The largest file that is read, in bytes; 8 MiB if not said. */
  maxFileSize?: number;
}

export interface Places {
  project: Place;
  home: Place | undefined;
  plugins: Array<{ name: string; place: Place }>;
  directories: Place[];
}

/** Where agents are looked for, as an instance of the component is lent it. */
export interface World {
  readonly import: Imports["callsheet:agents/files"];
  options(dialect: string): catalogs.Options;
  /** Lets the component see a place where its dialect looks. */
  grant(location: catalogs.Location): void;
  /** Lets the component see a path below one of the places. */
  grantPath(path: string): void;
  /** A path that the user names. */
  grantNamed(path: string): void;
}

const CACHE_CAPACITY = 1024;

export function worldOf(settings: Settings): World {
  const places = placesOf(settings);
  const options = (ancestors: string[]) => (dialect: string) => optionsOf(settings, places, ancestors, dialect);
  if (settings.files) return inMemory(settings.files, options([]));
  const disk = new Disk(places, settings);
  return {
    import: disk.import,
    options: options(disk.ancestors),
    grant: (location) => disk.grant(location),
    grantPath: (path) => disk.grantPath(path),
    grantNamed: (path) => disk.grantNamed(path),
  };
}

/** Nothing is held back of what is in memory. */
function inMemory(given: FilesInMemory, options: World["options"]): World {
  const files = new Files();
  for (const [path, contents] of Object.entries(given)) {
    files.write(path, typeof contents === "string" ? new TextEncoder().encode(contents) : contents);
  }
  return { import: files.import, options, grant: () => {}, grantPath: () => {}, grantNamed: () => {} };
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

function optionsOf(settings: Settings, places: Places, ancestors: string[], dialect: string): catalogs.Options {
  return {
    dialect,
    project: places.project.name,
    ancestors,
    home: places.home?.name,
    plugins: places.plugins.map(({ name, place }) => ({ name, directory: place.name })),
    directories: places.directories.map(({ name }) => name),
    inline: settings.inline,
    cacheCapacity: settings.cacheCapacity ?? CACHE_CAPACITY,
    failClosed: settings.failClosed ?? false,
    check: settings.check ?? false,
  };
}
