// Finds the program on this machine.
import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { Uri, workspace } from "vscode";
import type { WorkspaceFolder } from "vscode";
import { Missing, reason } from "./program";
import type { Output, Program } from "./program";

const ENDING = process.platform === "win32" ? ".exe" : "";
const NAME = `callsheet${ENDING}`;
/** A list of 10,000 agents has 10 MB. */
const MOST_OUTPUT = 256 << 20;

/** The program of the settings, otherwise the one in the extension, otherwise the one on `PATH`. */
export function find(extension: Uri): Native {
  const settings = workspace.getConfiguration("callsheet");
  // The editor does not check the types of settings.
  const options = settings.get<unknown>("arguments", []);
  if (!isStrings(options)) throw new Missing("the setting `callsheet.arguments` is not a list of strings", "callsheet.arguments");
  const stated = settings.get<unknown>("path", "");
  if (typeof stated !== "string") throw new Missing("the setting `callsheet.path` is not a string", "callsheet.path");
  if (stated !== "") return new Native(named(stated), options);
  const path = [join(extension.fsPath, "bin", NAME), ...onPath(NAME)].find(isProgram);
  if (path === undefined) throw new Missing("the program `callsheet` was not found on `PATH`");
  return new Native(path, options);
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** The program of the setting: a name on `PATH`, below `~`, absolute, or relative to the first folder. */
function named(stated: string): string {
  if (!/[/\\]/.test(stated)) {
    const name = stated.endsWith(ENDING) ? stated : stated + ENDING;
    const path = onPath(name).find(isProgram);
    if (path === undefined) throw new Missing(`the setting \`callsheet.path\` names ${name}, which was not found on \`PATH\``, "callsheet.path");
    return path;
  }
  const full = /^~[/\\]/.test(stated) ? join(homedir(), stated.slice(2)) : stated;
  const path = isAbsolute(full) ? full : join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", full);
  if (!isProgram(path)) throw new Missing(`the setting \`callsheet.path\` names ${path}, which is not a program`, "callsheet.path");
  return path;
}

function onPath(name: string): string[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A native program. */
export class Native implements Program {
  readonly readsUnsaved = false;

  constructor(
    readonly path: string,
    readonly options: string[],
  ) {}

  run(folder: WorkspaceFolder, words: string[]): Promise<Output> {
    const options = { cwd: folder.uri.fsPath, maxBuffer: MOST_OUTPUT, encoding: "utf8" } as const;
    return new Promise((resolve, reject) => {
      const child = execFile(this.path, [...this.options, ...words], options, (error, output, errors) => {
        const status = error === null ? 0 : error.code;
        // Without a number, it did not run to its end.
        if (typeof status === "number") resolve({ status, output, errors });
        else reject(error);
      });
      child.stdin?.end();
    });
  }

  /** Relative to the folder, below `~`, or absolute. */
  uriOf(folder: WorkspaceFolder, path: string): Uri {
    if (path === "~" || path.startsWith("~/")) return Uri.joinPath(Uri.file(homedir()), path.slice(1));
    return /^([/\\]|[A-Za-z]:)/.test(path) ? Uri.file(path) : Uri.joinPath(folder.uri, path);
  }

  /** The version. Fails if this is another program, cannot be run, or does not know the options. */
  async version(): Promise<string> {
    const { output } = await this.#print(["--version"]);
    const version = /^callsheet (\S+)/.exec(output)?.[1];
    if (version === undefined) throw new Missing(`${this.path} is not the program \`callsheet\`, or cannot be run here`, "callsheet.path");
    if (this.options.length === 0) return version;
    const { status, errors } = await this.#print([...this.options, "--version"]);
    if (status !== 0) throw new Missing(`the setting \`callsheet.arguments\` is wrong: ${reason(errors)}`, "callsheet.arguments");
    return version;
  }

  /** Runs it outside of the project. */
  #print(words: string[]): Promise<Output> {
    return new Promise((resolve) => {
      const child = execFile(this.path, words, { encoding: "utf8" }, (error, output, errors) => {
        resolve({ status: error === null ? 0 : 2, output, errors });
      });
      child.stdin?.end();
    });
  }
}
