// The command line as a component, with the files that `Disk` provides.
import { parseArgs } from "node:util";
import { openProject } from "./check.js";
import type { Imports } from "./component.js";
import { compiled } from "./modules.js";
import { PACKAGE } from "./native.js";
import { instantiate } from "./shared/callsheet-command/callsheet-command.js";
import type { ImportObject } from "./shared/callsheet-command/callsheet-command.js";
import { wasi } from "./shared/streams.js";
import { worldOf } from "./world.js";
import type { World } from "./world.js";

const STATUS = { clean: 0, problems: 1, failed: 2, "native-only": 2 };

/** Runs the command line and returns its exit status. */
export async function runPortable(words: string[]): Promise<number> {
  const opened = openedWorld(words);
  const denied = () => {
    throw { tag: "denied", val: "not available" };
  };
  const imports = {
    "callsheet:agents/files": opened?.world.import ?? MISSING,
    "callsheet:agents/model": { complete: denied },
    "callsheet:agents/tools": { call: denied },
    // The last `--home` counts.
    ...wasi(() => ["callsheet", "--home", "~", ...words], writer(process.stdout), writer(process.stderr)),
  };
  // At run time, the keys have no version, unlike in the generated types.
  const root = await instantiate((name) => compiled(`../callsheet-command/${name}`), imports as unknown as ImportObject);
  if (opened) openProject(root, opened.world, opened.named);
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

/** The directories and paths of a command line; none if the project cannot be opened, which the component reports. */
function openedWorld(words: string[]): { world: World; named: string[] } | undefined {
  try {
    return worldOfCommandLine(words);
  } catch {
    return undefined;
  }
}

function worldOfCommandLine(words: string[]): { world: World; named: string[] } {
  const option = { type: "string", multiple: true } as const;
  const options = { project: option, home: option, plugin: option, "agents-dir": option };
  const { values, positionals } = parseArgs({ args: words, strict: false, options });
  const texts = (given: Array<string | boolean> = []) => given.filter((it) => typeof it === "string");
  const project = texts(values.project).at(-1);
  const home = texts(values.home).at(-1);
  const world = worldOf({
    ...(project === undefined ? {} : { project }),
    ...(home === undefined ? {} : { home }),
    plugins: Object.fromEntries(texts(values.plugin).flatMap((text) => plugin(text))),
    directories: texts(values["agents-dir"]),
  });
  // Some of these words are not paths; then there is nothing to see.
  return { world, named: positionals };
}

/** A plugin's name and directory; none if the option is malformed, which the component reports. */
function plugin(text: string): Array<[string, string]> {
  const at = text.indexOf("=");
  return at < 0 ? [] : [[text.slice(0, at), text.slice(at + 1)]];
}

function writer(to: NodeJS.WriteStream): (contents: Uint8Array) => void {
  // The reader of a closed pipe needs no more output.
  to.on("error", () => {});
  return (contents) => void to.write(contents);
}
