// The extension in an imitation of Zed, which follows the WIT of `zed_extension_api`.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.CALLSHEET_JCO, "package.json"));
const { transpileBytes } = await import(pathToFileURL(require.resolve("@bytecodealliance/jco-transpile")).href);

let folder, instantiate;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "callsheet-zed-"));
  const component = await readFile(process.env.CALLSHEET_ZED);
  const { files } = await transpileBytes(component, {
    name: "zed",
    instantiation: "async",
    nodejsCompat: false,
    // Errors have the reason as their payload.
    noComponentErrorWrapping: false,
  });
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const [name, contents] of Object.entries(files)) if (!name.includes("/")) await writeFile(join(folder, name), contents);
  ({ instantiate } = await import(pathToFileURL(join(folder, "zed.js")).href));
});
after(() => rm(folder, { recursive: true, force: true }));

const ENV = [["LANG", "C"], ["PATH", "/bin"]];

/** What Zed is asked to start, or the reason that it shows; with the settings of the server as JSON and the program on `PATH`. */
async function started(settings, program) {
  const asked = [];
  class Worktree {
    id() {
      return 7n;
    }
    which(name) {
      asked.push(name);
      return program;
    }
    shellEnv() {
      return [...ENV];
    }
  }
  const none = { default: class {} };
  const core = async (path) => WebAssembly.compile(await readFile(join(folder, path)));
  const extension = await instantiate(core, {
    "get-settings": {
      default(location, category, key) {
        assert.deepEqual([location, category, key], [{ worktreeId: 7n, path: "" }, "lsp", "callsheet"]);
        return settings;
      },
    },
    worktree: { default: Worktree },
    project: none,
    "key-value-store": none,
  });
  extension.initExtension();
  const worktree = new Worktree();
  try {
    const command = extension.languageServerCommand("callsheet", worktree);
    assert.equal(extension.languageServerInitializationOptions("callsheet", worktree), undefined);
    assert.equal(extension.languageServerWorkspaceConfiguration("callsheet", worktree), undefined);
    return { ...command, asked };
  } catch (error) {
    if (error.payload === undefined) throw error;
    return { reason: error.payload, asked };
  }
}

test("the program on PATH is started", async () => {
  const found = { command: "/usr/bin/callsheet", args: ["lsp"], env: ENV, asked: ["callsheet"] };
  for (const settings of ["{}", '{ "binary": null, "settings": {} }', '{ "binary": {} }', '{ "binary": { "path": null } }']) {
    assert.deepEqual(await started(settings, "/usr/bin/callsheet"), found, settings);
  }
});

test("the settings come first", async () => {
  const binary = { path: "/opt/callsheet", arguments: ["--no-home", "lsp"], env: { LANG: "de", OWN: "1" } };
  assert.deepEqual(await started(JSON.stringify({ binary }), "/usr/bin/callsheet"), {
    command: "/opt/callsheet",
    args: ["--no-home", "lsp"],
    env: [["LANG", "de"], ["OWN", "1"], ["PATH", "/bin"]],
    asked: [],
  });
  const { args } = await started('{ "binary": { "arguments": [] } }', "/usr/bin/callsheet");
  assert.deepEqual(args, []);
});

test("without a program, Zed shows what to do", async () => {
  const { reason } = await started("{}", undefined);
  assert.match(reason, /`callsheet` is not on PATH: install it, or set `lsp\.callsheet\.binary\.path`/);
});

test("settings that cannot be read are an error", async () => {
  for (const settings of ["", "[]", '{ "binary": 1 }', '{ "binary": { "arguments": "lsp" } }']) {
    const { reason, command } = await started(settings, "/usr/bin/callsheet");
    assert.equal(command, undefined, settings);
    assert.equal(typeof reason, "string", settings);
  }
});

test("the manifest names the server as the code does, and no other language", async () => {
  const manifest = await readFile(new URL("../extension.toml", import.meta.url), "utf8");
  const lines = manifest.split("\n").filter((line) => line !== "");
  const keys = lines.map((line) => (line.startsWith("[") ? line : line.split(" = ")[0]));
  assert.deepEqual(keys, [
    "id", "name", "version", "schema_version", "authors", "description",
    "[language_servers.callsheet]", "name", "languages",
    "[language_servers.callsheet.language_ids]", "Markdown", "TOML", "JSON", "JSONC",
  ]);
  assert.ok(lines.includes('languages = ["Markdown", "TOML", "JSON", "JSONC"]'));
  assert.ok(lines.includes("schema_version = 1"));
});
