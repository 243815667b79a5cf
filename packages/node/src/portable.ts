// The command line as a component, with the files that `Disk` provides.
import { realpathSync, statSync } from "node:fs";
import { parseArgs } from "node:util";
import { byProject, openProject } from "./check.js";
import type { Elsewhere } from "./check.js";
import type { Imports } from "./component.js";
import { CallsheetError, reasonOf } from "./error.js";
import { compiled } from "./modules.js";
import { PACKAGE } from "./native.js";
import { instantiate } from "./shared/callsheet-command/callsheet-command.js";
import type { ImportObject } from "./shared/callsheet-command/callsheet-command.js";
import { wasi } from "./shared/streams.js";
import { worldOf } from "./world.js";
import type { World } from "./world.js";

/** Options with a value. */
const VALUED = ["agents", "agents-dir", "as", "focus", "format", "home", "plugin", "project", "target", "to"];
const FLAGS = ["all", "allow-loss", "cycles", "fail-closed", "missing", "no-home", "no-ignore", "orphans", "q", "quiet"];

const STATUS = { clean: 0, problems: 1, failed: 2, "native-only": 2 };

/** Runs the command line and returns its exit status. */
export async function runPortable(words: string[]): Promise<number> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader of a closed pipe needs no more output.
    if (error.code === "EPIPE") return;
    console.error(`error: cannot print: ${reasonOf(error)}`);
    process.on("exit", () => (process.exitCode = STATUS.failed));
  });
  process.stderr.on("error", () => {});
  return run(words);
}

async function run(words: string[]): Promise<number> {
  const line = parsed(words);
  const world = openedWorld(line);
  if (world && line.converted !== undefined) grantFile(line.converted, world);
  if (!line.isKnown) {
    for (const index of line.paths) if (world) grantFile(words[index] ?? "", world);
    return runHere(words, world);
  }
  const { here, elsewhere, failures } = namedBy(line, world);
  const hasOwn = here.size > 0 || elsewhere.length + failures.length === 0;
  if (line.isJson && elsewhere.length + Number(hasOwn) > 1) {
    console.error("error: with `--format json`, all files must be in one project\nhelp: run `check` for each project");
    return STATUS.failed;
  }
  const statuses = hasOwn ? [await runHere(only(line, here), world)] : [];
  for (const { directory, paths } of elsewhere) {
    const same = new Map(paths.map((path) => [path, path]));
    statuses.push(await run(only(line, same, directory)));
  }
  for (const failure of failures) {
    console.error(`error: ${failure}`);
    statuses.push(STATUS.failed);
  }
  return Math.max(...statuses);
}

/** Runs a command line whose paths are all in its project. */
async function runHere(words: string[], world: World | undefined): Promise<number> {
  const denied = () => {
    throw { tag: "denied", val: "not available" };
  };
  const imports = {
    "callsheet:agents/files": world?.import ?? MISSING,
    "callsheet:agents/model": { complete: denied },
    "callsheet:agents/tools": { call: denied },
    // The last `--home` counts.
    ...wasi(() => ["callsheet", "--home", "~", ...words], writer(process.stdout), writer(process.stderr)),
  };
  // At run time, the keys have no version, unlike in the generated types.
  const root = await instantiate((name) => compiled(`../callsheet-command/${name}`), imports as unknown as ImportObject);
  if (world) openProject(root, world);
  const status = root.main.run();
  if (status === "native-only") {
    console.error(
      `help: npm installs the native program with the optional package ${PACKAGE}; if there is none for this machine, build it with cargo`,
    );
  }
  return STATUS[status];
}

const missing = () => {
  throw { tag: "not-found" };
};
const MISSING: Imports["callsheet:agents/files"] = { listDirectory: missing, read: missing };

/** A command line, as far as files depend on it. */
interface Line {
  words: string[];
  /** The paths to check, as numbers of words. */
  paths: Set<number>;
  /** The file to convert, which may also be a name. */
  converted: string | undefined;
  /** The words of `--project`, as numbers. */
  projects: Set<number>;
  /** Whether there are only options that go with paths. Of others, such as `--help`, only the component knows the effect. */
  isKnown: boolean;
  isJson: boolean;
  project: string | undefined;
  home: string | undefined;
  plugins: string[];
  directories: string[];
}

function parsed(words: string[]): Line {
  const option = { type: "string", multiple: true } as const;
  const options = Object.fromEntries(VALUED.map((name) => [name, option]));
  const { values, tokens } = parseArgs({ args: words, strict: false, tokens: true, options });
  const texts = (name: string) => [values[name] ?? []].flat().filter((it) => typeof it === "string");
  const [command, ...given] = tokens.filter((token) => token.kind === "positional");
  return {
    words,
    paths: new Set(command?.value === "check" ? given.map(({ index }) => index) : []),
    converted: command?.value === "convert" ? given[0]?.value : undefined,
    projects: new Set(tokens.flatMap((token) => (token.kind === "option" && token.name === "project" ? wordsOf(token) : []))),
    isKnown: tokens.every((token) => token.kind !== "option" || [...VALUED, ...FLAGS].includes(token.name)),
    isJson: texts("format").at(-1) === "json",
    project: texts("project").at(-1),
    home: texts("home").at(-1),
    plugins: texts("plugin"),
    directories: texts("agents-dir"),
  };
}

/** The numbers of an option's words; none if its value is missing, which the component reports. */
function wordsOf({ index, value, inlineValue }: { index: number; value?: string | undefined; inlineValue?: boolean | undefined }): number[] {
  if (value === undefined) return [];
  return inlineValue ? [index] : [index, index + 1];
}

/** The paths to check. */
interface Named {
  /** The names of those that one run can check: in the project, and directories. */
  here: Map<string, string>;
  /** Files of other projects. */
  elsewhere: Elsewhere[];
  /** Why others cannot be read. */
  failures: string[];
}

function namedBy({ words, paths }: Line, world: World | undefined): Named {
  const here = new Map<string, string>();
  const found: string[] = [];
  const elsewhere: string[] = [];
  // For the component, a directory is a project of its own.
  const directories = new Map<string, string>();
  const failures: string[] = [];
  for (const index of paths) {
    const path = words[index] ?? "";
    try {
      // Without a project, the component fails anyway.
      const named = world?.grantNamed(path) ?? { name: path, path };
      if (world && named.name === undefined && statSync(path).isDirectory()) {
        const real = realpathSync.native(path);
        named.name = directories.get(real) ?? path;
        directories.set(real, named.name);
      }
      if (named.name === undefined) {
        elsewhere.push(path);
        continue;
      }
      here.set(path, named.name);
      found.push(named.path);
    } catch (error) {
      if (!(error instanceof CallsheetError)) throw error;
      failures.push(error.message);
    }
  }
  return { here, elsewhere: byProject(elsewhere, found), failures };
}

function grantFile(path: string, world: World): void {
  try {
    world.grantNamed(path);
  } catch {
    // It may be the name of an agent, and the component reports a missing file.
  }
}

/** The words of a command line with only these paths, by other names, and optionally in another project. */
function only({ words, paths, projects }: Line, names: Map<string, string>, project?: string): string[] {
  const kept = words.flatMap((word, index) => {
    if (paths.has(index)) return names.get(word) ?? [];
    return project !== undefined && projects.has(index) ? [] : word;
  });
  // As the first word, it cannot be the value of an option, nor follow `--`.
  return project === undefined ? kept : [`--project=${project}`, ...kept];
}

/** The files of a command line; none if the project cannot be opened, which the component reports. */
function openedWorld({ project, home, plugins, directories }: Line): World | undefined {
  try {
    return worldOf({
      ...(project === undefined ? {} : { project }),
      ...(home === undefined ? {} : { home }),
      plugins: Object.fromEntries(plugins.flatMap((text) => plugin(text))),
      directories,
    });
  } catch {
    return undefined;
  }
}

/** A plugin's name and directory; none if the option is malformed, which the component reports. */
function plugin(text: string): Array<[string, string]> {
  const at = text.indexOf("=");
  return at < 0 ? [] : [[text.slice(0, at), text.slice(at + 1)]];
}

function writer(to: NodeJS.WriteStream): (contents: Uint8Array) => void {
  return (contents) => void to.write(contents);
}
