// Starts what wrangler built, in workerd.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Miniflare } from "miniflare";

const here = new URL("..", import.meta.url).pathname;

/** `built` is a folder of wrangler's, `storage` one that sessions are kept in. */
export async function start({ built = "dist", storage, port = 0 } = {}) {
  const folder = join(here, built);
  const modules = readdirSync(folder).filter((name) => /\.(js|wasm)$/.test(name));
  const kind = (name) => (name.endsWith(".js") ? "ESModule" : "CompiledWasm");
  // The entry comes first.
  modules.sort((one, other) => Number(other.endsWith(".js")) - Number(one.endsWith(".js")));
  const server = new Miniflare({
    cf: false,
    host: "127.0.0.1",
    port,
    modulesRoot: folder,
    modules: modules.map((name) => ({ type: kind(name), path: join(folder, name) })),
    compatibilityDate: "2026-04-01",
    durableObjects: { SESSIONS: { className: "Sessions", useSQLite: true } },
    durableObjectsPersist: storage ?? false,
  });
  const url = (await server.ready).href;
  return { url, stop: () => server.dispose() };
}
