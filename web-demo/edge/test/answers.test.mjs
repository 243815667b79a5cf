// The responses match the command line.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { agent, client } from "./client.mjs";
import { start } from "./start.mjs";

const here = new URL(".", import.meta.url).pathname;
const examples = join(here, "../../browser/examples");
const callsheet = join(process.env.CARGO_TARGET_DIR ?? resolve(here, "../../../target"), "debug/callsheet");
let server;
let ask;

before(async () => {
  server = await start();
  ask = client(server.url);
});
after(() => server?.stop());

const post = async (path, body) => {
  const answer = await ask("POST", path, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};

/** An example on disk, without its plugins, and the same files for a request. */
function laid(example) {
  const folder = mkdtempSync(join(tmpdir(), "callsheet-edge-"));
  const from = join(examples, example, "files");
  const files = {};
  for (const path of readdirSync(from, { recursive: true })) {
    if (path.startsWith("plugins/") || !statSync(join(from, path)).isFile()) continue;
    const to = path.startsWith("~/") ? join("home", path.slice(2)) : join("project", path);
    cpSync(join(from, path), join(folder, to));
    files[path] = readFileSync(join(from, path), "utf8");
  }
  for (const needed of ["project", "home"]) mkdirSync(join(folder, needed), { recursive: true });
  return { folder, files };
}

function said(folder, ...command) {
  const options = { cwd: join(folder, "project"), env: { HOME: join(folder, "home") }, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] };
  try {
    return JSON.parse(execFileSync(callsheet, [...command, "--format", "json"], options));
  } catch (failed) {
    if (failed.status !== 1) throw failed;
    return JSON.parse(failed.stdout);
  }
}

for (const example of readdirSync(examples)) {
  const skip = !existsSync(callsheet) && `command not found at ${callsheet}: run \`cargo build -p callsheet\``;
  test(`${example}: the documents match the command line`, { skip }, async () => {
    const { folder, files } = laid(example);
    try {
      assert.deepEqual(await post("/v1/check", { files }), said(folder, "check"));
      assert.deepEqual(await post("/v1/check", { files, dialect: "kode" }), said(folder, "check", "--as", "kode"));
      const ofProject = Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith("~")));
      assert.deepEqual(await post("/v1/check", { files, targets: ["copilot"] }), said(folder, "check", "--target", "copilot"));
      const paths = Object.keys(ofProject).slice(0, 2);
      assert.deepEqual(await post("/v1/check", { files, paths }), said(folder, "check", ...paths));
      assert.deepEqual(await post("/v1/resolve", { files }), said(folder, "list"));
      assert.deepEqual(await post("/v1/resolve", { files, all: true }), said(folder, "list", "--all"));
      assert.deepEqual(await post("/v1/resolve", { files, name: "Reviewer" }), said(folder, "why", "Reviewer"));
      for (const path of Object.keys(ofProject).filter((path) => path.includes("/agents/"))) {
        const mine = await ask("POST", "/v1/convert", { path, contents: files[path], to: "gemini-cli" });
        if (mine.status === 200) assert.deepEqual(mine.body, said(folder, "convert", path, "--to", "gemini-cli"));
        else assert.throws(() => said(folder, "convert", path, "--to", "gemini-cli"), SyntaxError);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test("sources are checked like those of a configuration", { skip: !existsSync(callsheet) && "no command" }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "callsheet-edge-"));
  const files = {
    ".claude/agents/plain.md": agent("plain"),
    "agents/_base.md": agent("base", "tools: Read\n"),
    "agents/child.md": agent("child", "tools: Bash\ncallsheet: { extends: _base.md, add: { tools: ['@web'] } }\n"),
    "agents/lost.md": agent("lost", "callsheet: { extends: _nowhere.md } # callsheet: ignore[missing-parent] it is made later\n"),
  };
  try {
    mkdirSync(join(folder, "home"), { recursive: true });
    for (const [path, text] of Object.entries({ ...files, "callsheet.toml": '[build]\nfrom = "agents"\nto = ["claude-code"]\n' })) {
      mkdirSync(join(folder, "project", path, ".."), { recursive: true });
      writeFileSync(join(folder, "project", path), text);
    }
    const build = { from: "agents", to: ["claude-code"] };
    const answer = await post("/v1/check", { files, build });
    assert.deepEqual(answer, said(folder, "check"));
    assert.equal(answer.files, 3);
    assert.deepEqual(answer.diagnostics.map(({ rule }) => rule), ["invalid-composition"]);
    assert.deepEqual(await post("/v1/check", { files, build, paths: ["agents"] }), said(folder, "check", "agents"));
  } finally {
    rmSync(folder, { recursive: true });
  }
  for (const unfit of [{ from: "..", to: [] }, { from: "agents" }, { from: "agents", to: "kode" }, { from: "agents", to: [], dialect: 7 }, { from: "agents", to: [], dialect: "codex" }]) {
    assert.equal((await ask("POST", "/v1/check", { files, build: unfit })).status, 422);
  }
});

test("the searched folders are returned if no tool is in use", async () => {
  const files = { "README.md": "# Nothing\n", "agents/unowned.md": agent("unowned") };
  const { dialects, looked_for } = await post("/v1/resolve", { files });
  assert.deepEqual(dialects, []);
  assert.ok(looked_for.some(({ dialect }) => dialect === "claude-code"));
});

test("suppressed findings are counted", async () => {
  const ignored = agent("a", "colour: red # callsheet: ignore[misspelt-key] our launcher reads it\n");
  const { suppressed, diagnostics } = await post("/v1/check", { files: { ".claude/agents/a.md": ignored } });
  assert.deepEqual(suppressed, { comments: 1, configuration: 0, baseline: 0 });
  assert.deepEqual(diagnostics, []);
});

test("files that are not UTF-8 are sent as base64", async () => {
  const base64 = Buffer.concat([Buffer.from(agent("latin")), Buffer.from([0xe9])]).toString("base64");
  const { diagnostics } = await post("/v1/check", { files: { ".claude/agents/latin.md": { base64 } } });
  assert.deepEqual(diagnostics.map(({ rule }) => rule), ["invalid-utf8"]);
});

test("spans count bytes, including a byte order mark", async () => {
  const text = "\ufeff---\nname: é\ndescription: a: b\n---\n";
  const { diagnostics } = await post("/v1/check", { files: { ".claude/agents/e.md": text } });
  const found = diagnostics.find(({ rule }) => rule === "unquoted-value");
  const bytes = ({ span: { start, end } }) => Buffer.from(text).subarray(start, end).toString();
  assert.equal(bytes(found.primary), ":");
  assert.equal(bytes(found.fixes[0].edits[0]), "a: b");
});

test("control characters are escaped", async () => {
  const files = { ".claude/agents/a.md": agent("evil") };
  const response = await fetch(new URL("/v1/resolve", server.url), {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ files, name: "\u009b31m\u202eevil" }),
  });
  const text = await response.text();
  assert.match(text, /\\u009b31m/);
  assert.doesNotMatch(text, /[\u0080-\u009f\u202e]/);
});

test("a conversion with losses is refused unless they are allowed", async () => {
  const request = { path: ".claude/agents/a.md", contents: agent("a", "permissionMode: plan\n"), to: "kode" };
  const [strict, lossy] = [await post("/v1/convert", request), await post("/v1/convert", { ...request, allow_loss: true })];
  assert.equal(strict.contents === null, strict.report.some(({ fate }) => fate === "refused"));
  assert.ok(lossy.contents);
});

test("rules, dialects, and the OpenAPI description", async () => {
  const { rules } = (await ask("GET", "/v1/rules?from=x")).body;
  assert.ok(rules.some(({ name, fix }) => name === "unquoted-value" && fix === "safe"));
  const ids = (await ask("GET", "/v1/dialects")).body.dialects.map(({ id }) => id);
  const { openapi, components } = (await ask("GET", "/openapi.json")).body;
  assert.equal(openapi, "3.1.0");
  for (const id of ids) assert.ok(components.schemas.Dialect.enum.includes(id));
  assert.ok(components.schemas.Dialect.enum.some((id) => id.startsWith("kode@")));
});
