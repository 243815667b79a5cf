// Files on disk, limited to the opened directories.
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readSync, readdirSync, realpathSync, statSync } from "node:fs";
import type { BigIntStats, Dirent } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { files, projects } from "./contract.js";
import { CallsheetError, reasonOf } from "./error.js";
import { Names } from "./names.js";
import type { Target } from "./names.js";
import type { Place, Places } from "./world.js";

const MAX_FILE_SIZE = 8 * 1024 * 1024;
/** Non-blocking, because opening a pipe without a writer would never return. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Options of a disk. */
export interface DiskSettings {
  /** Whether to follow links that lead out of a directory. */
  followLinks?: boolean | undefined;
  /** Maximum file size in bytes; 8 MiB by default. */
  maxFileSize?: number | undefined;
}

/** A path that the user names. */
export interface Named {
  /** The project's name for it; nothing if it is in another project. */
  name: string | undefined;
  /** Where it is; in another project, as it is spelled. */
  path: string;
}

/**
 * The disk as the component sees it: no path leaves a directory by `..` or by a link. Links are resolved before the file is opened,
 * so a link that another process creates in between is not detected.
 */
export class Disk {
  /** The directories above the project, up to the root of its repository, nearest first. */
  readonly ancestors: string[];
  readonly #places = new Names();
  readonly #granted = new Names();
  /** The project and the directories above it, each as given and without links. */
  readonly #own: Place[] = [];
  readonly #given: Place;
  /** The home directory and other given directories. */
  readonly #others: Place[] = [];
  readonly #project: string;
  readonly #followLinks: boolean;
  readonly #maxFileSize: number;
  #last: { key: string; real: string } | undefined;

  constructor(places: Places, settings: DiskSettings = {}) {
    this.#followLinks = settings.followLinks ?? false;
    this.#maxFileSize = settings.maxFileSize ?? MAX_FILE_SIZE;
    const { project } = places;
    this.#given = project;
    const real = realpathSync.native(project.path);
    if (!statSync(real).isDirectory()) throw new Error(`${project.path} is not a directory`);
    const above = aboveInRepository(real);
    this.#project = above.at(-1) ?? real;
    let last = project;
    this.ancestors = above.map((path) => (last = placeAbove(last, path)).name);
    [real, ...above].forEach((path, steps) => {
      const name = [project.name, ...this.ancestors][steps] ?? "";
      const up = Array.from({ length: steps }, () => "..");
      this.#places.add(name, { root: this.#project, below: parts(relative(this.#project, path)) });
      this.#own.push({ name, path: resolve(project.path, ...up) }, { name, path });
    });
    const others: Place[] = [...(places.home ? [places.home] : []), ...places.plugins.map((plugin) => plugin.place), ...places.directories];
    for (const place of others) this.add(place);
  }

  /** Adds a directory, which the component does not see yet. */
  add(place: Place): void {
    this.#places.add(place.name, this.#target(resolve(place.path)));
    this.#others.push(place);
  }

  /** Lets the component see a folder that its dialect searches. */
  grant(location: projects.Location): void {
    const { directory } = location;
    const managed = location.level === "policy" && isAbsolute(directory) ? { root: directory, below: [] } : undefined;
    const target = this.#places.resolve(directory) ?? managed;
    if (target) this.#granted.add(directory, target);
  }

  /** Lets the component see a path in one of the directories. */
  grantPath(path: string): void {
    const target = this.#places.resolve(path);
    if (target) this.#granted.add(path, target);
  }

  /**
   * Lets the component see any path that the user names, which may be a link. With `prefersProject`, a relative one is in the project if it
   * exists there, unless it is as in a report. Throws a `CallsheetError` if it does not exist.
   */
  grantNamed(named: string, prefersProject = false): Named {
    const there = join(this.#given.path, named);
    const isThere = prefersProject && !isAbsolute(named) && !this.#isReported(named) && existsSync(there);
    const given = isThere ? there : named;
    const path = isThere ? resolve(there) : this.#path(named);
    const target = this.#target(path);
    this.#granted.add(named, target);
    try {
      realpathSync.native(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") throw new CallsheetError("not-found", named);
      throw new CallsheetError("other", `cannot read ${named}: ${reasonOf(error as NodeJS.ErrnoException)}`);
    }
    const hasName = this.#others.some((place) => place.name !== place.path && `${given}/`.startsWith(`${place.name}/`));
    const name = hasName ? given : this.#nameHere(path);
    if (name === undefined) return { name, path: given };
    this.#granted.add(name, target);
    return { name, path };
  }

  /** Whether a path begins with the name of the project or of another directory, as in a report. */
  #isReported(path: string): boolean {
    return [this.#given, ...this.#others].some(({ name }) => join(path, "/").startsWith(join(name, "/")));
  }

  #path(name: string): string {
    const known = this.#places.resolve(name);
    return known ? join(known.root, ...known.below) : resolve(name);
  }

  /** The name of a path in the project or a directory above it. */
  #nameHere(path: string): string | undefined {
    for (const there of [path, located(path), realpathSync.native(path)]) {
      const place = this.#own.find((place) => isBelow(place.path, there));
      if (!place) continue;
      const rest = parts(relative(place.path, there)).join("/");
      if (rest === "") return place.name;
      return place.name === "." ? rest : `${place.name.replace(/\/+$/, "")}/${rest}`;
    }
    return undefined;
  }

  /** The import `files`. */
  readonly import = {
    listDirectory: (path: string): files.Entry[] => refusing(() => this.#list(this.#opened(path))),
    read: (path: string): Uint8Array => {
      try {
        return refusing(() => this.#read(this.#opened(path)));
      } catch (error) {
        // A listing replaces invalid UTF-8 in names.
        if ((error as files.FileError).tag === "not-found" && path.includes("\ufffd")) throw other("its name is not UTF-8");
        throw error;
      }
    },
  };

  #opened(path: string): Target {
    const target = this.#granted.resolve(path);
    if (!target) throw denied();
    return target;
  }

  /** The real directory of a file. Consecutive reads are mostly in the same directory, so the last result is kept until the current call returns. */
  #realDirectory({ root, below }: Target): string {
    const key = join(root, ...below);
    if (this.#last?.key !== key) {
      this.#last = { key, real: this.#real({ root, below }) };
      queueMicrotask(() => (this.#last = undefined));
    }
    return this.#last.real;
  }

  /** The real path, unless it is outside. */
  #real({ root, below }: Target): string {
    return this.#inside(root, join(root, ...below));
  }

  #inside(root: string, path: string | Buffer): string {
    const real = realpathSync.native(path);
    if (!this.#followLinks && !isBelow(realpathSync.native(root), real)) throw denied();
    return real;
  }

  #list(target: Target): files.Entry[] {
    const real = this.#real(target);
    const entries: files.Entry[] = [];
    // As bytes, because a name need not be UTF-8.
    for (const found of readdirSync(real, { withFileTypes: true, encoding: "buffer" })) {
      const entry = this.#entry(target, real, found);
      if (entry) entries.push(entry);
    }
    return entries.sort((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)));
  }

  #entry({ root, below }: Target, directory: string, found: Dirent<Buffer>): files.Entry | undefined {
    const name = found.name.toString();
    const path = Buffer.concat([Buffer.from(directory + sep), found.name]);
    const plain = (kind: files.Kind): files.Entry => ({ name, kind, size: 0n });
    if (found.isDirectory()) return plain("directory");
    if (!found.isSymbolicLink()) {
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      if (!stats) return undefined;
      return stats.isFile() ? file(name, stats) : plain("other");
    }
    try {
      const real = this.#inside(root, path);
      const stats = statSync(real, { bigint: true });
      if (stats.isFile()) return file(name, stats);
      if (!stats.isDirectory()) return plain("other");
      // Following a link to a parent, or to where the path has been, would recurse forever.
      const leadsThrough = () => below.some((_, at) => realpathSync.native(join(root, ...below.slice(0, at))) === real);
      return plain(isBelow(real, directory) || leadsThrough() ? "link" : "directory");
    } catch {
      return plain("link");
    }
  }

  /** Opens a file directly, or the target of a link if it stays inside. */
  #open({ root, below }: Target): number {
    const name = below.at(-1);
    if (name !== undefined && constants.O_NOFOLLOW !== undefined) {
      try {
        return openSync(join(this.#realDirectory({ root, below: below.slice(0, -1) }), name), READING);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== "ELOOP" && code !== "EMLINK") throw error;
      }
    }
    return openSync(this.#real({ root, below }), READING);
  }

  #read(target: Target): Uint8Array {
    const opened = this.#open(target);
    try {
      const stats = fstatSync(opened);
      if (!stats.isFile()) throw other("not a regular file");
      if (stats.size > this.#maxFileSize) throw tooLarge(stats.size);
      return this.#whole(opened, stats.size);
    } finally {
      closeSync(opened);
    }
  }

  /** Reads one byte more than expected, to detect a file that has grown, and continues if there is one. */
  #whole(opened: number, size: number): Uint8Array {
    let contents = new Uint8Array(size + 1);
    let filled = 0;
    for (;;) {
      filled += readSync(opened, contents, filled, contents.length - filled, null);
      if (filled > this.#maxFileSize) throw tooLarge(filled);
      // A regular file returns fewer bytes than requested only at its end.
      if (filled < contents.length) return contents.subarray(0, filled);
      const longer = new Uint8Array(Math.min(filled * 2, this.#maxFileSize + 1));
      longer.set(contents);
      contents = longer;
    }
  }

  /** The root of a path: the project if the real path is in it, otherwise the path itself. */
  #target(path: string): Target {
    const real = existsSync(path) ? realpathSync.native(path) : path;
    if (isBelow(this.#project, real)) return { root: this.#project, below: parts(relative(this.#project, real)) };
    return { root: real, below: [] };
  }
}

/** An existing path without links in its directory. The same file in another folder may have another owner. */
export function located(path: string): string {
  const whole = resolve(path);
  return join(realpathSync.native(dirname(whole)), basename(whole));
}

/** The directory above a place: without the last part of both, unless that is a link or the name does not end like the path. */
function placeAbove({ name, path }: Place, directory: string): Place {
  const isAlike = ![".", ".."].includes(basename(name)) && basename(name) === basename(path);
  if (isAlike && realOf(dirname(path)) === directory) return { name: dirname(name), path: dirname(path) };
  return { name: name === "." ? ".." : `${name}/..`, path: directory };
}

/** The path without links, if it is there. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** The directories above, up to the root of the repository; none outside of a repository. */
function aboveInRepository(real: string): string[] {
  const above: string[] = [];
  for (let at = real; ; at = dirname(at)) {
    if (at !== real) above.push(at);
    // `.git` is a file in worktrees and submodules.
    if (existsSync(join(at, ".git"))) return above;
    if (dirname(at) === at) return [];
  }
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function parts(path: string): string[] {
  return path.split(sep).filter((part) => part !== "");
}

function file(name: string, stats: BigIntStats): files.Entry {
  return { name, kind: "file", size: stats.size, modified: stats.mtimeNs };
}

function denied(): files.FileError {
  return { tag: "denied" };
}

function tooLarge(size: number): files.FileError {
  return { tag: "too-large", val: BigInt(size) };
}

function other(reason: string): files.FileError {
  return { tag: "other", val: reason };
}

/** Maps system errors to those of the contract. */
function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!(error instanceof Error)) throw error;
    if (code === "ENOENT") throw { tag: "not-found" };
    if (code === "EACCES" || code === "EPERM") throw denied();
    if (code === "ENOTDIR") throw { tag: "not-a-directory" };
    // Not the message, which has an absolute path.
    throw other(reasonOf(error));
  }
}
