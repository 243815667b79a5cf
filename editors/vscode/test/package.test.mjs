// What is in the package that is published.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("../", import.meta.url));
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [bundle, web] = ["desktop", "web"].map((name) => readFileSync(new URL(`../dist/${name}.js`, import.meta.url), "utf8"));

test("the package has the bundles, the component, its pictures and its texts, and nothing else", () => {
  const listed = execFileSync("npx", ["--no-install", "vsce", "ls", "--no-dependencies"], { cwd: here, encoding: "utf8" });
  assert.deepEqual(listed.trim().split("\n").sort(), [
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "dist/callsheet-editor.core.wasm",
    "dist/callsheet-editor.core10.wasm",
    "dist/callsheet-editor.core11.wasm",
    "dist/callsheet-editor.core2.wasm",
    "dist/callsheet-editor.core3.wasm",
    "dist/callsheet-editor.core4.wasm",
    "dist/callsheet-editor.core5.wasm",
    "dist/callsheet-editor.core6.wasm",
    "dist/callsheet-editor.core7.wasm",
    "dist/callsheet-editor.core8.wasm",
    "dist/callsheet-editor.core9.wasm",
    "dist/desktop.js",
    "dist/licenses.txt",
    "dist/web.js",
    "dist/worker.js",
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

test("the browser has every command that no menu hides there", () => {
  const { commands, menus } = manifest.contributes;
  const hidden = menus.commandPalette.filter(({ when }) => when.includes("callsheet.native")).map(({ command }) => command);
  assert.deepEqual(hidden, ["callsheet.run"]);
  for (const { command } of commands.filter(({ command }) => !hidden.includes(command))) {
    const [, name] = command.split(".");
    assert.ok(new RegExp(`\\("${name}",`).test(web), `${command} is not registered`);
  }
  for (const entries of Object.values(menus)) {
    for (const { command, when } of entries) assert.equal(when.includes("callsheet.native"), hidden.includes(command), `${command}: ${when}`);
  }
});

test("texts that are not Markdown have no backticks", () => {
  const { viewsWelcome, walkthroughs } = manifest.contributes;
  const texts = [...viewsWelcome.map(({ contents }) => contents), ...walkthroughs.flatMap(({ steps }) => steps.map(({ description }) => description))];
  assert.deepEqual(texts.filter((text) => text.includes("`")), []);
});

test("no language is claimed", () => {
  assert.equal(manifest.contributes.languages, undefined);
  assert.equal(manifest.contributes.grammars, undefined);
});
