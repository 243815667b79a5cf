// Generates the workerd configuration for a worker built by wrangler. `node capnp.mjs FOLDER` writes FOLDER/callsheet.capnp.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The modules of a folder, entry point first. */
export function built(folder) {
  const names = readdirSync(folder).filter((name) => /\.(js|wasm)$/.test(name));
  names.sort((one, other) => Number(other.endsWith(".js")) - Number(one.endsWith(".js")));
  return names.map((name) => ({ name, contents: readFileSync(join(folder, name)) }));
}

/** With sessions, this is the deployed worker, which stores them in the directory `sessions`. */
export function config(modules, { sessions }) {
  const embed = ({ name }) => `(name = "${name}", ${name.endsWith(".js") ? "esModule" : "wasm"} = embed "${name}")`;
  const objects = `
    durableObjectNamespaces = [(className = "Sessions", uniqueKey = "sessions", enableSql = true)],
    durableObjectStorage = (localDisk = "sessions"),
    bindings = [(name = "SESSIONS", durableObjectNamespace = "Sessions")],`;
  const disk = `
    (name = "sessions", disk = (path = "sessions", writable = true)),`;
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [${sessions ? disk : ""}
    (name = "worker", worker = .worker),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "worker")],
);

const worker :Workerd.Worker = (
    modules = [
      ${modules.map(embed).join(",\n      ")},
    ],
    compatibilityDate = "2026-04-01",${sessions ? objects : ""}
);
`;
}

const [, script, folder] = process.argv;
if (script === new URL(import.meta.url).pathname) writeFileSync(join(folder, "callsheet.capnp"), config(built(folder), { sessions: true }));
