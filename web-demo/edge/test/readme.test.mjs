// Runs the commands in the README and compares their output. `BLESS=1` updates it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { start } from "./start.mjs";

const readme = new URL("../README.md", import.meta.url);

test("the commands of the README", async () => {
  const server = await start();
  try {
    const written = readFileSync(readme, "utf8");
    let session = "";
    const shown = written.replace(/(?<=```console\n)[^]*?(?=```)/g, (block) => {
      const commands = block.split("\n").filter((line) => line.startsWith("$ "));
      return commands.map((command) => {
        const run = command.slice(2).replaceAll("localhost:8787/", server.url).replaceAll("SESSION", session);
        const said = execFileSync("bash", ["-c", run], { encoding: "utf8" });
        session = /"id":"([0-9a-f]{64})"/.exec(said)?.[1] ?? session;
        return `${command}\n${said.replaceAll(session || "\0", "SESSION").replace(/"at":\d+/g, '"at":62000000')}`;
      }).join("");
    });
    if (process.env.BLESS) writeFileSync(readme, shown);
    else assert.equal(shown, written);
  } finally {
    await server.stop();
  }
});
