// Imports files: dropped, chosen, or in a zip archive.
import { unzipSync } from "fflate";

export type Taken = Map<string, Uint8Array>;

/** Limits for accidental drops of large folders. */
const MOST_FILES = 5_000;
const LARGEST = 1 << 20;
const PASSED_OVER = new Set([".git", ".hg", ".svn", "node_modules", "target", "__MACOSX"]);

/** Dropped files, folders and zip archives. */
export async function dropped(transfer: DataTransfer): Promise<Taken> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const found: File[] = [];
  const paths: string[] = [];
  for (const entry of entries) await walk(entry, found, paths);
  return take(found, paths);
}

/** Files chosen with a dialog. */
export function chosen(list: FileList): Promise<Taken> {
  const files = [...list];
  return take(files, files.map((file) => file.webkitRelativePath || file.name));
}

async function take(files: File[], paths: string[]): Promise<Taken> {
  const taken: Taken = new Map();
  for (const [index, file] of files.entries()) {
    const contents = () => file.arrayBuffer().then((buffer) => new Uint8Array(buffer));
    if (file.name.endsWith(".zip")) unzip(await contents(), taken);
    else if (wanted(paths[index] ?? "", file.size)) taken.set(paths[index] ?? "", await contents());
  }
  return new Map([...withoutTop(taken)].slice(0, MOST_FILES));
}

function unzip(archive: Uint8Array, taken: Taken): void {
  const files = unzipSync(archive, { filter: ({ name, originalSize }) => wanted(name, originalSize) });
  for (const [name, contents] of Object.entries(files)) {
    if (!name.endsWith("/")) taken.set(name, contents);
  }
}

function wanted(path: string, size: number): boolean {
  const parts = path.split("/");
  return size <= LARGEST && !path.startsWith("/") && !parts.includes("..") && !parts.some((part) => PASSED_OVER.has(part));
}

/** Strips the top folder, which is the project itself, unless it is a folder within a project, such as `agents`. */
function withoutTop(taken: Taken): Taken {
  const tops = new Set([...taken.keys()].map((path) => path.split("/")[0] ?? ""));
  const [top = ""] = tops;
  const plain = tops.size === 1 && !/^[.~]/.test(top) && top !== "agents" && top !== "plugins";
  const inFolders = [...taken.keys()].every((path) => path.includes("/"));
  if (!plain || !inFolders) return taken;
  return new Map([...taken].map(([path, contents]) => [path.slice(top.length + 1), contents]));
}

async function walk(entry: FileSystemEntry, found: File[], paths: string[]): Promise<void> {
  if (found.length >= MOST_FILES || PASSED_OVER.has(entry.name)) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push(file);
    paths.push(entry.fullPath.replace(/^\//, ""));
    return;
  }
  for (const below of await children(entry as FileSystemDirectoryEntry)) await walk(below, found, paths);
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
