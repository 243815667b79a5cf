// The component and its files, as the worker uses them, without an editor.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { buildSync } from "esbuild";

const at = (path) => new URL(path, import.meta.url);
const { instantiate } = await import(at("../../../web-demo/shared/callsheet-editor/callsheet-editor.js"));
const bundled = (path) => {
  const { outputFiles } = buildSync({ entryPoints: [at(path).pathname], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
};
const { Files } = await bundled("../src/web/files.ts");
const { wasi } = await bundled("../../../web-demo/shared/streams.ts");

const FOLDER = "/vscode-vfs/github/owner/repository";
const AGENT = "---\nname: a\ndescription: Checks: all\n---\nCheck it.\n";

/** The component over a tree of texts, what it asked for, and what it printed. */
async function started(tree) {
  const files = new Files();
  files.open([FOLDER]);
  const [fetched, printed] = [[], []];
  let words = [];
  const denied = () => {
    throw { tag: "denied", val: "" };
  };
  const imports = {
    "callsheet:agents/files": files.import,
    "callsheet:agents/model": { complete: denied },
    "callsheet:agents/tools": { call: denied },
    "callsheet:server/buffers": { set: (path, contents) => files.setUnsaved(path, contents) },
    ...wasi(
      () => words,
      (bytes) => printed.push(new TextDecoder().decode(bytes)),
      (bytes) => printed.push(new TextDecoder().decode(bytes)),
    ),
  };
  const module = (name) => WebAssembly.compile(readFileSync(at(`../dist/${name}`)));
  const { server, main } = await instantiate(module, imports);
  /** Repeats a call until nothing is wanted, and counts. */
  const fetching = (call) => {
    for (let rounds = 1; ; rounds += 1) {
      call();
      const wanted = files.takeWanted();
      if (wanted.length === 0) return rounds;
      for (const one of wanted) {
        fetched.push(one);
        files.add({ ...one, found: found(tree, one) });
      }
    }
  };
  const receive = (...messages) => {
    const { messages: answers, failures, pause } = server.receive(messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message })));
    return { answers: answers.map((answer) => JSON.parse(answer)), failures, pause };
  };
  const run = (...given) => {
    printed.length = 0;
    words = ["callsheet", "--no-home", ...given];
    files.base = FOLDER;
    return main.run();
  };
  return { files, server, fetched, printed, fetching, receive, run };
}

function found(tree, { path, what }) {
  const below = path.slice(FOLDER.length + 1);
  if (what === "file") return below in tree ? { contents: new TextEncoder().encode(tree[below]) } : { error: { tag: "not-found" } };
  const prefix = below === "" ? "" : `${below}/`;
  const entries = new Map();
  for (const file of Object.keys(tree).filter((file) => file.startsWith(prefix))) {
    const [name, ...rest] = file.slice(prefix.length).split("/");
    entries.set(name, rest.length > 0 ? "directory" : "file");
  }
  return { entries: [...entries] };
}

const INITIALIZE = { id: 1, method: "initialize", params: { capabilities: {}, workspaceFolders: [{ uri: `file://${FOLDER}`, name: "repository" }] } };
const INITIALIZED = { method: "initialized", params: {} };

test("only what the component asks for is fetched, each once", async () => {
  const tree = { ".claude/agents/a.md": AGENT, "src/main.rs": "fn main() {}", "README.md": "# Read", "node_modules/x/.claude/agents/x.md": AGENT };
  const { server, fetched, fetching, receive } = await started(tree);
  const rounds = fetching(() => server.readAhead(FOLDER));
  assert.ok(rounds < 8, `${rounds} rounds`);
  const names = fetched.map(({ what, path }) => `${what} ${path.slice(FOLDER.length)}`);
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.includes("file /.claude/agents/a.md"));
  assert.deepEqual(names.filter((name) => /main\.rs|node_modules/.test(name) && !name.startsWith("directory /node_modules")), []);

  receive(INITIALIZE);
  const { answers, failures } = receive(INITIALIZED);
  const published = answers.filter(({ method }) => method === "textDocument/publishDiagnostics");
  assert.deepEqual(published.map(({ params }) => params.uri), [`file://${FOLDER}/.claude/agents/a.md`]);
  assert.ok(published[0].params.diagnostics.some(({ code }) => code === "unquoted-value"));
  assert.deepEqual(failures, []);
});

test("unsaved text replaces the file, and a look follows a change", async () => {
  const { server, fetching, receive, files } = await started({ ".claude/agents/a.md": AGENT });
  fetching(() => server.readAhead(FOLDER));
  receive(INITIALIZE);
  receive(INITIALIZED);
  const uri = `file://${FOLDER}/.claude/agents/a.md`;
  const codes = ({ answers }) => answers.find(({ method }) => method === "textDocument/publishDiagnostics")?.params.diagnostics.map(({ code }) => code);
  const open = { textDocument: { uri, languageId: "markdown", version: 1, text: AGENT } };
  receive({ method: "textDocument/didOpen", params: open });
  const text = AGENT.replace("Checks: all", "'Checks: all'");
  const change = { textDocument: { uri, version: 2 }, contentChanges: [{ text }] };
  const turn = receive({ method: "textDocument/didChange", params: change });
  assert.ok(!codes(turn).includes("unquoted-value"));
  assert.notEqual(turn.pause, undefined);
  assert.equal(server.look().pause, undefined);
  assert.deepEqual(files.takeWanted(), []);
  const closed = receive({ method: "textDocument/didClose", params: { textDocument: { uri } } });
  assert.ok(codes(closed).includes("unquoted-value"));
});

test("files of any scheme are renamed with their references", async () => {
  const caller = "---\nname: b\ndescription: Calls a\ntools: Agent(a)\n---\nCall it.\n";
  const called = AGENT.replace("Checks: all", "Checks all");
  const { server, fetching, receive } = await started({ ".claude/agents/a.md": called, ".claude/agents/b.md": caller });
  fetching(() => server.readAhead(FOLDER));
  const capabilities = { workspace: { fileOperations: { willRename: true }, workspaceEdit: { documentChanges: true } } };
  const { filters } = receive({ ...INITIALIZE, params: { ...INITIALIZE.params, capabilities } }).answers[0].result.capabilities.workspace.fileOperations.willRename;
  assert.deepEqual(filters.flatMap(({ scheme }) => scheme ?? []), []);
  receive(INITIALIZED);
  const [oldUri, newUri] = ["a", "c"].map((name) => `file://${FOLDER}/.claude/agents/${name}.md`);
  const [{ result }] = receive({ id: 2, method: "workspace/willRenameFiles", params: { files: [{ oldUri, newUri }] } }).answers;
  assert.deepEqual(result.documentChanges.map(({ textDocument }) => textDocument.uri.split("/").at(-1)), ["a.md", "b.md"]);
});

test("messages that are not of the protocol are refused, and the next one is answered", async () => {
  const { server, receive } = await started({});
  assert.match(server.receive(["no JSON"]).failures[0], /cannot be read/);
  assert.equal(receive({ id: 1, method: "textDocument/hover", params: {} }).answers[0].error.code, -32002);
  assert.equal(receive({ id: 2, method: "initialize", params: 3 }).answers[0].error.code, -32602);
  assert.ok(receive(INITIALIZE).answers[0].result.capabilities.hoverProvider);
  receive(INITIALIZED);
  assert.equal(receive({ id: 3, method: "textDocument/hover", params: { position: -1 } }).answers[0].error.code, -32602);
  assert.equal(receive({ id: 4, method: "none", params: {} }).answers[0].error.code, -32601);
  const elsewhere = { textDocument: { uri: "file:///etc/passwd" }, position: { line: 0, character: 0 } };
  assert.equal(receive({ id: 5, method: "textDocument/hover", params: elsewhere }).answers[0].result, null);
  assert.equal(receive({ id: 6, method: "shutdown" }, { method: "exit" }).answers[0].result, null);
  assert.equal(receive({ id: 7, method: "shutdown" }).answers[0].error.code, -32600);
});

test("the command line answers about the same files, with relative paths", async () => {
  const { fetching, printed, run } = await started({ ".claude/agents/a.md": AGENT });
  let status;
  fetching(() => (status = run("list", "--all", "--format", "json")));
  assert.equal(status, "clean");
  const paths = JSON.parse(printed.join("")).dialects.flatMap(({ entries }) => entries).map(({ origin }) => origin.path);
  assert.ok(paths.includes(".claude/agents/a.md"), paths.join());
  assert.equal(run("new", "x"), "native-only");
});

test("what files refer to is listed, drawn and counted", async () => {
  const caller = "---\nname: b\ndescription: Calls a\ntools: Agent(a), Agent(c)\n---\nCall it.\n";
  const { fetching, printed, run } = await started({ ".claude/agents/a.md": AGENT.replace("Checks: all", "Checks all"), ".claude/agents/b.md": caller });
  const told = (...words) => {
    let status;
    fetching(() => (status = run("graph", ...words)));
    return [status, printed.join("")];
  };
  assert.deepEqual(told(), ["clean", ".claude/agents/b.md:4:14: calls: a: there\n.claude/agents/b.md:4:24: calls: c: missing\n"]);
  assert.match(told("--format", "mermaid")[1], /^flowchart LR\n.*"agent a".*-->\|calls\|/s);
  assert.equal(JSON.parse(told("--missing", "--format", "json")[1]).edges.length, 1);
  assert.deepEqual(told("--focus", "d"), ["problems", "error: nothing here is called `d`\nhelp: `graph` shows all names\n"]);
  assert.equal(told("--format", "text")[0], "native-only");
});

test("the file of a new agent is an answer, and nothing is written", async () => {
  const { server, fetching, receive } = await started({ ".claude/agents/a.md": AGENT });
  fetching(() => server.readAhead(FOLDER));
  receive(INITIALIZE);
  receive(INITIALIZED);
  const folder = `file://${FOLDER}`;
  const wanted = { folder, dialect: "claude-code", name: "b", description: "Checks: all", prompt: "Check." };
  const ask = (params) => receive({ id: 2, method: "callsheet/newAgent", params: { ...wanted, ...params } }).answers[0];
  const { uri, text } = ask({}).result;
  assert.equal(uri, `${folder}/.claude/agents/b.md`);
  assert.match(text, /^description: "Checks: all"$/m);
  assert.deepEqual(ask({ dialect: "kodelet" }).result.missing.map(({ key }) => key), ["provider", "model", "max_tokens"]);
  assert.match(ask({ name: "a" }).error.message, /^\.claude\/agents\/a\.md already exists$/);
  assert.match(ask({ name: "../a" }).error.message, /not a valid agent name/);
  assert.match(ask({ dialect: "none" }).error.message, /unknown dialect/);
});

test("no path leads out of the folders", () => {
  const files = new Files();
  files.open([FOLDER]);
  files.base = FOLDER;
  const missing = { tag: "not-found" };
  for (const path of ["/etc", `${FOLDER}/../other`, "..", "/", `${FOLDER}x`, "/vscode-vfs"]) {
    assert.throws(() => files.import.read(path), missing, path);
    assert.throws(() => files.import.listDirectory(path), missing, path);
  }
  assert.deepEqual(files.takeWanted(), []);
});

test("what is not here is wanted from the top, and forgotten with what is below it", () => {
  const files = new Files();
  files.open([FOLDER]);
  const ask = (path) => {
    try {
      return new TextDecoder().decode(files.import.read(`${FOLDER}/${path}`));
    } catch (error) {
      return error.tag;
    }
  };
  const add = (path, what, found) => files.add({ path: path === "" ? FOLDER : `${FOLDER}/${path}`, what, found });
  const wanted = () => files.takeWanted().map(({ path, what }) => `${what} ${path.slice(FOLDER.length)}`);
  assert.equal(ask("a/b.md"), "not-found");
  assert.deepEqual(wanted(), ["directory "]);
  add("", "directory", { entries: [["a", "directory"], ["l", "link"]] });
  assert.equal(ask("a/b.md"), "not-found");
  assert.equal(ask("l"), "denied");
  assert.equal(ask("l/b.md"), "not-found");
  assert.equal(ask("none/b.md"), "not-found");
  assert.deepEqual(wanted(), ["directory /a"]);
  add("a", "directory", { entries: [["b.md", "file"], ["c.md", "file"]] });
  ask("a/b.md");
  ask("a/c.md");
  assert.deepEqual(wanted(), ["file /a/b.md", "file /a/c.md"]);
  add("a/b.md", "file", { contents: new TextEncoder().encode("text") });
  add("a/c.md", "file", { error: { tag: "too-large", val: 9n } });
  assert.equal(ask("a/b.md"), "text");
  assert.equal(ask("a/c.md"), "too-large");
  assert.deepEqual(wanted(), []);
  files.forget(`${FOLDER}/a`);
  assert.equal(ask("a/b.md"), "not-found");
  assert.deepEqual(wanted(), ["directory "]);
});
