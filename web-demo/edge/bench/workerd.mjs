// workerd by itself, without wrangler's proxy before it.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import workerd from "workerd";

/** Starts a worker of these modules, the entry first: its address, its process, and the milliseconds to its first answer. */
export async function run(modules, { sessions = false, path = "/healthz" } = {}) {
  const port = await free();
  const folder = mkdtempSync(join(tmpdir(), "callsheet-workerd-"));
  for (const { name, contents } of modules) writeFileSync(join(folder, name), contents);
  writeFileSync(join(folder, "config.capnp"), config(modules, port, sessions));
  const url = `http://127.0.0.1:${port}`;
  const begun = performance.now();
  const server = spawn(workerd.default, ["serve", join(folder, "config.capnp")], { stdio: ["ignore", "inherit", "inherit"] });
  for (;;) {
    if (server.exitCode !== null) throw new Error(`workerd ended with ${server.exitCode} before it answered`);
    try {
      const answer = await fetch(url + path);
      if (!answer.ok) throw new Error(`${path} says ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
      break;
    } catch (error) {
      if (error.cause?.code !== "ECONNREFUSED") throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  return { url, server, started: performance.now() - begun };
}

/** What wrangler built, the entry first. */
export function built(folder) {
  const names = readdirSync(folder).filter((name) => /\.(js|wasm)$/.test(name));
  names.sort((one, other) => Number(other.endsWith(".js")) - Number(one.endsWith(".js")));
  return names.map((name) => ({ name, contents: readFileSync(join(folder, name)) }));
}

function config(modules, port, sessions) {
  const embed = ({ name }) => `(name = "${name}", ${name.endsWith(".js") ? "esModule" : "wasm"} = embed "${name}")`;
  const objects = `
    durableObjectNamespaces = [(className = "Sessions", uniqueKey = "sessions", enableSql = true)],
    durableObjectStorage = (inMemory = void),
    bindings = [(name = "SESSIONS", durableObjectNamespace = "Sessions")],`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [${modules.map(embed).join(", ")}],
    compatibilityDate = "2026-04-01",${sessions ? objects : ""}
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
}

function free() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
