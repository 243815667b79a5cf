// Finds the program on this machine.
import { execFile, spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { Uri, workspace } from "vscode";
import type { WorkspaceFolder } from "vscode";
import { Missing } from "./program";
import type { Output, Program } from "./program";

const NAME = process.platform === "win32" ? "callsheet.exe" : "callsheet";
/** A list of 10,000 agents has 10 MB. */
const MOST_OUTPUT = 256 << 20;

/** The program of the settings, otherwise the one in the extension, otherwise the one on `PATH`. */
export function find(extension: Uri): Native {
  const settings = workspace.getConfiguration("callsheet");
  const options = settings.get<string[]>("arguments", []);
  const stated = settings.get("path", "");
  if (stated !== "") {
    const path = isAbsolute(stated) ? stated : join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", stated);
    if (!isProgram(path)) throw new Missing(`the setting \`callsheet.path\` names ${path}, which is not a program`);
    return new Native(path, options);
  }
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const places = [join(extension.fsPath, "bin", NAME), ...folders.map((folder) => join(folder, NAME))];
  const path = places.find(isProgram);
  if (path === undefined) throw new Missing("the program `callsheet` was not found on `PATH`");
  return new Native(path, options);
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

  /** The version; undefined if this is another program or cannot be run. */
  version(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const child = spawn(this.path, ["--version"], { stdio: ["ignore", "pipe", "ignore"] });
      let printed = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
      child.on("error", () => resolve(undefined));
      child.on("close", () => resolve(/^callsheet (\S+)/.exec(printed)?.[1]));
    });
  }
}
