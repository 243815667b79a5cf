// A complete host that uses only jco's output: node host.mjs DIALECT [PROJECT]
import { readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { instantiate } from "../dist/shared/component/callsheet.js";

const [dialect = "claude-code", folder = "."] = process.argv.slice(2);
const project = realpathSync(folder);

/** Resolves a path of the component. It begins with a directory from the options; here all are in the project. */
function pathOf(name) {
  const path = realpathSync(resolve(project, name));
  if (path !== project && !path.startsWith(project + sep)) throw { code: "EACCES" };
  return path;
}

/** Turns errors into the typed error that the import has to throw. */
function typed(work) {
  try {
    return work();
  } catch ({ code, message }) {
    const tag = { ENOENT: "not-found", ENOTDIR: "not-a-directory", EACCES: "denied" }[code];
    throw tag ? { tag } : { tag: "other", val: message };
  }
}

function entry(name, path) {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found?.isDirectory()) return { name, kind: "directory", size: 0n };
  return found?.isFile() ? { name, kind: "file", size: found.size, modified: found.mtimeNs } : { name, kind: "other", size: 0n };
}

const files = {
  listDirectory: (name) =>
    typed(() => {
      const path = pathOf(name);
      const found = readdirSync(path, { withFileTypes: true });
      const entries = found.map((one) => (one.isSymbolicLink() ? { name: one.name, kind: "link", size: 0n } : entry(one.name, `${path}/${one.name}`)));
      return entries.sort((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)));
    }),
  read: (name) => typed(() => readFileSync(pathOf(name))),
};
const denied = () => {
  throw { tag: "denied", val: "this host uses sessions" };
};

const component = new URL("../dist/shared/component/", import.meta.url);
const core = (name) => WebAssembly.compile(readFileSync(new URL(name, component)));
const { catalogs, projects } = await instantiate(core, {
  "callsheet:agents/files": files,
  "callsheet:agents/model": { complete: denied },
  "callsheet:agents/tools": { call: denied },
});

const opened = projects.Project.open({ directory: ".", ancestors: [], variables: [], plugins: [], directories: [], failClosed: false });
const catalog = catalogs.Catalog.open(opened, { dialect, kind: "agent", cacheCapacity: 1024, check: true });
for (const { name, origin } of catalog.entries(false)) console.log(`${name}: ${origin.path ?? origin.source}`);
for (const { message, rule, primary } of catalog.diagnostics()) {
  console.log(`${primary.place.path}:${primary.place.start.line}: ${message} [${rule}]`);
}
