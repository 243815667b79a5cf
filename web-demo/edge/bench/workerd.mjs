// Runs workerd without wrangler's proxy.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import workerd from "workerd";
import { config } from "../capnp.mjs";

/** Starts a worker with these modules, entry point first. Returns its address, process, and milliseconds to the first response. */
export async function run(modules, { sessions, path = "/healthz" } = {}) {
  const port = await free();
  const folder = mkdtempSync(join(tmpdir(), "callsheet-workerd-"));
  for (const { name, contents } of modules) writeFileSync(join(folder, name), contents);
  writeFileSync(join(folder, "callsheet.capnp"), config(modules, { sessions }));
  const command = ["serve", join(folder, "callsheet.capnp"), `--socket-addr=http=127.0.0.1:${port}`];
  if (sessions) {
    mkdirSync(sessions, { recursive: true });
    command.push(`--directory-path=sessions=${sessions}`);
  }
  const begun = performance.now();
  const server = spawn(workerd.default, command, { stdio: ["ignore", "inherit", "inherit"] });
  server.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (server.exitCode !== null) throw new Error(`workerd ended with ${server.exitCode} before it answered`);
    try {
      const answer = await fetch(url + path);
      if (!answer.ok) throw new Error(`${path} returned ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
      return { url, server, started: performance.now() - begun };
    } catch (error) {
      if (error.cause?.code !== "ECONNREFUSED") throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
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
