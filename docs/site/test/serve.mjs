// Serves the built site like a static host: folders have an index, and unknown addresses the page for them.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

/** Serves a folder at a path; returns the address and a function to stop. */
export async function serve(folder, base) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const below = path.startsWith(base) ? normalize(path.slice(base.length)) : "..";
    const named = join(folder, below);
    const page = existsSync(named) && statSync(named).isDirectory() ? join(named, "index.html") : named;
    const isThere = !below.startsWith("..") && existsSync(page);
    const file = isThere ? page : join(folder, "404.html");
    response.writeHead(isThere ? 200 : 404, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}${base}`, stop: () => server.close() };
}
