// Parts of the extension, without an editor.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { build } from "esbuild";

/** The exports of a source file. `page` has the modules that it gets from elsewhere, by what they are imported as. */
async function loaded(file, page) {
  const standIns = {
    name: "stand-ins",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path }) => (path in page ? { path, namespace: "stand-in" } : undefined));
      onLoad({ filter: /.*/, namespace: "stand-in" }, ({ path }) => ({ contents: `module.exports = page[${JSON.stringify(path)}];` }));
    },
  };
  const options = { bundle: true, format: "cjs", write: false, define: { MODULES: "[]" }, plugins: [standIns] };
  const { outputFiles } = await build({ entryPoints: [new URL(`../src/${file}`, import.meta.url).pathname], ...options });
  const module = { exports: {} };
  new Function("page", "module", outputFiles[0].text)(page, module);
  return module.exports;
}

const ignored = () => {};
class EventEmitter {
  fire() {}
}

test("starts that overlap leave one server", async () => {
  const complaints = [];
  const vscode = {
    EventEmitter,
    commands: { executeCommand: async () => {} },
    window: {
      createTreeView: () => ({ visible: false, dispose: ignored }),
      createOutputChannel: () => ({ error: ignored, dispose: ignored }),
      showErrorMessage: (text) => complaints.push(text),
    },
    workspace: { workspaceFolders: [] },
  };
  const { Extension } = await loaded("extension.ts", { vscode, "vscode-languageclient": {} });
  const running = new Set();
  let failing = false;
  const client = () => {
    const own = { registerFeature: ignored, dispose: async () => void running.delete(own) };
    own.start = async () => {
      await turn();
      running.add(own);
    };
    return own;
  };
  const program = async () => {
    await turn();
    if (failing) throw new Error("broken");
    return {};
  };
  const extension = new Extension({ schemes: () => ["file"], lenses: () => [], program, client, stop: ignored });
  await Promise.all([extension.start(), extension.start(), extension.start()]);
  assert.equal(running.size, 1);
  failing = true;
  await extension.start();
  assert.deepEqual(complaints, ["Callsheet: broken"]);
  failing = false;
  await extension.start();
  assert.equal(running.size, 1);
  await Promise.all([extension.start(), extension.dispose()]);
  assert.equal(running.size, 0);
});

test("after the component failed or was stopped, commands fail instead of waiting, and the client is told", async () => {
  const said = [];
  const vscode = {
    Uri: { joinPath: () => ({}) },
    commands: {},
    window: { showErrorMessage: async (text) => void said.push(text) },
    workspace: { fs: { readFile: async () => new Uint8Array() } },
  };
  let closed = 0;
  class BrowserMessageReader {
    fireClose() {
      closed += 1;
    }
  }
  let platform;
  const begin = async (_, given) => (platform = given);
  const { activate } = await loaded("web.ts", { vscode, "vscode-languageclient/browser": { BrowserMessageReader }, "./extension": { begin } });
  let worker;
  globalThis.Worker = class {
    constructor() {
      worker = this;
    }
    terminate() {}
    postMessage({ kind }) {
      if (kind === "start") queueMicrotask(() => worker.onmessage({ data: { kind: "started" } }));
    }
  };
  await activate({ subscriptions: [], extensionUri: {} });
  const program = await platform.program({ error: ignored });
  const folder = { uri: { scheme: "file", authority: "", path: "/f" } };
  const failure = { status: 2, output: "", errors: "error: the component failed: unreachable" };
  const before = program.run(folder, ["list"]);
  worker.onmessage({ data: { kind: "died", reason: "unreachable" } });
  assert.deepEqual(await before, failure);
  assert.deepEqual(await Promise.race([program.run(folder, ["list"]), turn("waits")]), failure);
  assert.equal(closed, 1);
  assert.match(said.join(), /has stopped answering: unreachable/);
  const other = await platform.program({ error: ignored });
  const pending = other.run(folder, ["list"]);
  platform.stop();
  assert.equal((await pending).errors, "error: the component was stopped");
});

test("a name that begins with a hyphen is not an option", async () => {
  const lines = [];
  const vscode = {
    EventEmitter,
    QuickPickItemKind: {},
    ProcessExecution: class {
      constructor(_, words) {
        lines.push(words);
      }
    },
    Task: class {},
    TaskPanelKind: {},
    TaskRevealKind: {},
    tasks: { executeTask: ignored },
    window: { showQuickPick: async ([first]) => first, showInputBox: async () => "go" },
    workspace: {},
  };
  const { run, why } = await loaded("commands.ts", { vscode });
  const agent = { name: "-x", dialect: "kode", isActive: true, entry: { origin: {} }, folder: { name: "f", uri: { fsPath: "/f" } } };
  const program = {
    run: async (_, words) => {
      lines.push(words);
      return { output: "text" };
    },
  };
  const parts = { agents: { all: [agent] }, program: () => program, texts: { show: ignored } };
  await why(parts, undefined);
  await run(parts, undefined, (words) => ({ path: "callsheet", words }));
  assert.deepEqual(lines, [["why", "--", "-x"], ["run", "--as", "kode", "--", "-x", "go"]]);
});

test("a new file that cannot be written is not said to exist", async () => {
  const folder = { name: "f", uri: { toString: () => "f" } };
  const refusals = [];
  let exists = true;
  const vscode = {
    EventEmitter,
    QuickPickItemKind: {},
    WorkspaceEdit: class {
      createFile() {}
    },
    window: {
      showQuickPick: async ([first]) => first,
      showInputBox: async ({ prompt }) => {
        if (!prompt) return "a";
        refusals.push(prompt);
        return undefined;
      },
    },
    workspace: {
      isTrusted: true,
      workspaceFolders: [folder],
      fs: { stat: async () => assert.ok(exists) },
      applyEdit: async () => false,
    },
  };
  const { newAgent } = await loaded("commands.ts", { vscode });
  const program = { run: async () => ({ output: JSON.stringify({ dialects: [{ id: "kode", title: "Kode" }] }) }) };
  const parts = { agents: { all: [] }, program: () => program, newFile: async () => ({ uri: { fsPath: "/f/a.md" }, text: "" }) };
  await newAgent(parts, undefined);
  exists = false;
  await newAgent(parts, undefined);
  assert.deepEqual(refusals, ["/f/a.md already exists", "/f/a.md cannot be written"]);
});
