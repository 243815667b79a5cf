// Serves the built page from a subfolder, with compression.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { createGzip } from "node:zlib";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

/** Serves a folder at `/some/where/`; returns the address and a function to stop. */
export async function serve(folder) {
  const base = "/some/where/";
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const below = pathname.startsWith(base) ? normalize(pathname.slice(base.length)) : "..";
    const file = join(folder, below === "." || below === "" ? "index.html" : below);
    if (below.startsWith("..") || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-encoding": "gzip",
    });
    createReadStream(file).pipe(createGzip()).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}${base}`;
  return { address, stop: () => server.close() };
}
