// Imports files: dropped, chosen, or in a zip archive.
import { unzipSync } from "fflate";
import { problemOf } from "./paths";

/** The imported files, and what was skipped: paths by reason. */
export interface Taken {
  files: Map<string, Uint8Array>;
  skipped: Map<string, Set<string>>;
}

/** Limits for accidental drops of large folders. */
const MOST_FILES = 5_000;
const TOO_MANY = `over ${MOST_FILES.toLocaleString("en-US")} files`;
const LARGEST_MEGABYTES = 1;
const IGNORED = new Set([".git", ".hg", ".svn", "node_modules", "target", "__MACOSX"]);
const MOST_NAMED = 3;

/** Dropped files, folders and zip archives. */
export async function dropped(transfer: DataTransfer): Promise<Taken> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const taking = new Taking();
  const found: Array<[path: string, file: File]> = [];
  for (const entry of entries) await walk(entry, found, taking);
  return taking.take(found);
}

/** Files chosen with a dialog. */
export function chosen(list: FileList): Promise<Taken> {
  return new Taking().take([...list].map((file) => [file.webkitRelativePath || file.name, file]));
}

/** The skipped files, as one text. */
export function skippedText({ skipped }: Taken): string {
  const parts = [...skipped].map(([reason, paths]) => {
    const others = paths.size - MOST_NAMED;
    const named = [...paths].slice(0, MOST_NAMED).join(", ") + (others > 0 ? ` and ${others} more` : "");
    return `${named} (${reason})`;
  });
  return parts.length === 0 ? "" : `Skipped: ${parts.join("; ")}.`;
}

class Taking {
  readonly #files = new Map<string, Uint8Array>();
  readonly #skipped = new Map<string, Set<string>>();

  async take(files: Array<[path: string, file: File]>): Promise<Taken> {
    for (const [path, file] of files) {
      const contents = () => file.arrayBuffer().then((buffer) => new Uint8Array(buffer));
      if (isArchive(path)) this.#unzip(path, await contents());
      else if (this.#isWanted(path, file.size) && this.#hasSpace(path)) this.#files.set(path, await contents());
    }
    return { files: withoutTop(this.#files), skipped: this.#skipped };
  }

  skip(path: string, reason: string): void {
    const paths = this.#skipped.get(reason) ?? new Set();
    this.#skipped.set(reason, paths.add(path));
  }

  /** Skips a path in an ignored folder, and names the folder instead of each file. */
  isIgnored(path: string): boolean {
    const parts = path.split("/");
    const at = parts.findIndex((part) => IGNORED.has(part));
    if (at >= 0) this.skip(parts.slice(0, at + 1).join("/"), "ignored folder");
    return at >= 0;
  }

  #isWanted(path: string, size: number): boolean {
    if (this.isIgnored(path)) return false;
    if (path.startsWith("/") || path.split("/").includes("..")) this.skip(path, "outside of the project");
    else if (problemOf(path) !== undefined) this.skip(path, "invalid path");
    else if (size > LARGEST_MEGABYTES << 20) this.skip(path, `over ${LARGEST_MEGABYTES} MB`);
    else return true;
    return false;
  }

  #hasSpace(path: string): boolean {
    if (this.#files.size >= MOST_FILES) this.skip(path, TOO_MANY);
    return this.#files.size < MOST_FILES;
  }

  #unzip(path: string, archive: Uint8Array): void {
    try {
      const files = unzipSync(archive, { filter: ({ name, originalSize }) => !/[\\/]$/.test(name) && this.#isWanted(plain(name), originalSize) });
      for (const [name, contents] of Object.entries(files)) if (this.#hasSpace(plain(name))) this.#files.set(plain(name), contents);
    } catch {
      this.skip(path, "not a valid zip archive");
    }
  }
}

/** Whether a file was itself chosen or dropped and is an archive: those in a folder are files of the project. */
function isArchive(path: string): boolean {
  return !path.includes("/") && /\.zip$/i.test(path);
}

/** A path of an archive with `/` between the folders, and without `.` and empty parts. */
function plain(name: string): string {
  const parts = name.replaceAll("\\", "/").split("/");
  return parts.filter((part, at) => part !== "." && (part !== "" || at === 0)).join("/");
}

/** Strips the top folder, which is the project itself, unless it is a folder within a project, such as `agents`. */
function withoutTop(files: Map<string, Uint8Array>): Map<string, Uint8Array> {
  const tops = new Set([...files.keys()].map((path) => path.split("/")[0] ?? ""));
  const [top = ""] = tops;
  const plain = tops.size === 1 && !/^[.~]/.test(top) && top !== "agents" && top !== "plugins";
  const inFolders = [...files.keys()].every((path) => path.includes("/"));
  if (!plain || !inFolders) return files;
  return new Map([...files].map(([path, contents]) => [path.slice(top.length + 1), contents]));
}

async function walk(entry: FileSystemEntry, found: Array<[string, File]>, taking: Taking): Promise<void> {
  const path = entry.fullPath.replace(/^\//, "");
  if (taking.isIgnored(path)) return;
  if (found.length >= MOST_FILES) return taking.skip(path, TOO_MANY);
  if (entry.isFile) {
    found.push([path, await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]);
    return;
  }
  for (const below of await children(entry as FileSystemDirectoryEntry)) await walk(below, found, taking);
}

async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // The browser returns entries in batches until there are none.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
