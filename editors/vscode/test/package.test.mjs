// What is in the package that is published.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("../", import.meta.url));
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const bundle = readFileSync(new URL("../dist/desktop.js", import.meta.url), "utf8");

test("the package has the bundle, its pictures and its texts, and nothing else", () => {
  const listed = execFileSync("npx", ["--no-install", "vsce", "ls", "--no-dependencies"], { cwd: here, encoding: "utf8" });
  assert.deepEqual(listed.trim().split("\n").sort(), [
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "dist/desktop.js",
    "dist/licenses.txt",
    "media/agents.png",
    "media/agents.svg",
    "media/convert.md",
    "media/icon.png",
    "media/problems.png",
    "media/program.md",
    "package.json",
  ]);
});

test("every command of the manifest has code, and every setting is in the README", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  for (const { command } of manifest.contributes.commands) {
    const [, name] = command.split(".");
    assert.ok(new RegExp(`\\("${name}",`).test(bundle), `${command} is not registered`);
  }
  for (const setting of Object.keys(manifest.contributes.configuration.properties)) assert.ok(readme.includes(`\`${setting}\``), setting);
});

test("no language is claimed", () => {
  assert.equal(manifest.contributes.languages, undefined);
  assert.equal(manifest.contributes.grammars, undefined);
});
