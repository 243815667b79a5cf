// Starts the build of wrangler in workerd.
import { join } from "node:path";
import { built as modules } from "../capnp.mjs";

const here = new URL("..", import.meta.url).pathname;

/** The address of another server for the same tests; it stores no sessions. */
export const other = process.env.CALLSHEET_URL;

/** `built` is a build of wrangler, `storage` the folder for sessions. */
export async function start({ built = "dist", storage, port = 0 } = {}) {
  if (other) return { url: other, stop: () => undefined };
  const { Miniflare } = await import("miniflare");
  const folder = join(here, built);
  const server = new Miniflare({
    cf: false,
    host: "127.0.0.1",
    port,
    modulesRoot: folder,
    modules: modules(folder).map(({ name }) => ({ type: name.endsWith(".js") ? "ESModule" : "CompiledWasm", path: join(folder, name) })),
    compatibilityDate: "2026-04-01",
    durableObjects: { SESSIONS: { className: "Sessions", useSQLite: true } },
    durableObjectsPersist: storage ?? false,
  });
  const url = (await server.ready).href;
  return { url, stop: () => server.dispose() };
}
