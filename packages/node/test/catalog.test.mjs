// Checks and catalogs, over files in memory and over the disk.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { CallsheetError, Catalog, check, component } from "callsheet";

const agent = (name, description = "Does one thing well") => `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;
const BROKEN = agent("reviewer", "Reviews: all");
const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function onDisk(files) {
  const folder = mkdtempSync(join(tmpdir(), "callsheet-"));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test("a check says the same of files in memory and on the disk", async () => {
  const files = { ".claude/agents/reviewer.md": BROKEN, ".kode/agents/other.md": agent("other") };
  const inMemory = await check(files, { home: null });
  const project = onDisk(files);
  const place = { name: ".", path: project };
  const catalog = await Catalog.open({ project: place, home: null, dialect: "claude-code", check: true });
  const rules = (found) => found.map(({ rule, primary }) => `${rule} ${primary.place.path}:${primary.place.span.start}`);
  const checked = await check(project, { home: null });
  assert.deepEqual(inMemory.files, [".claude/agents/reviewer.md", ".kode/agents/other.md"]);
  assert.deepEqual(checked.files.map((file) => file.slice(project.length + 1)), inMemory.files);
  assert.deepEqual(checked.findings.map(({ rule }) => rule), inMemory.findings.map(({ rule }) => rule));
  assert.deepEqual(rules(catalog.diagnostics()), rules(inMemory.findings.filter(({ dialects }) => dialects.includes("claude-code"))));
});

test("a bare `agents` is kodelet's only if a file in it says so", async () => {
  const whose = async (text) => (await check({ "agents/a.md": text }, { home: null })).findings.flatMap(({ dialects }) => dialects);
  assert.deepEqual(await whose(agent("a")), []);
  assert.ok((await whose("---\nname: a\nprovider: openai\n---\nDo it.\n")).includes("kodelet"));
});

test("a finding that several dialects have is one", async () => {
  const { findings } = await check({ ".claude/agents/a.md": agent("a", "A: b"), ".kode/agents/b.md": agent("b") }, { home: null });
  const quoted = findings.filter(({ rule }) => rule === "unquoted-value");
  assert.equal(quoted.length, 1);
  assert.deepEqual(quoted[0].dialects, ["claude-code", "kode", "kode-rs"].filter((id) => quoted[0].dialects.includes(id)));
  assert.ok(quoted[0].dialects.length > 1);
});

test("files that no dialect owns are read one by one", async () => {
  const { files, findings } = await check({ "some/reviewer.md": BROKEN }, { home: null });
  assert.deepEqual(files, ["some/reviewer.md"]);
  assert.deepEqual(findings.map(({ rule }) => rule), ["unquoted-value"]);
  const project = onDisk({ "some/reviewer.md": BROKEN });
  assert.deepEqual((await check(project, { home: null })).findings.map(({ rule }) => rule), ["unquoted-value"]);
});

test("nothing is wrong with nothing", async () => {
  assert.deepEqual(await check({}), { files: [], findings: [], suppressed: [] });
  assert.deepEqual(await check(onDisk({}), { home: null }), { files: [], findings: [], suppressed: [] });
});

test("comments suppress", async () => {
  const text = BROKEN.replace("name:", "# callsheet: ignore-file[unquoted-value]\nname:");
  const { findings, suppressed } = await check({ ".claude/agents/reviewer.md": text }, { home: null, dialect: "claude-code" });
  assert.deepEqual([findings.length, suppressed.length], [0, 1]);
});

test("a dialect that is not known is an error that helps", async () => {
  const open = Catalog.open({ files: {}, dialect: "claude-cod" });
  await assert.rejects(open, (error) => error instanceof CallsheetError && error.tag === "unknown-dialect" && /claude-code/.test(error.message));
  await assert.rejects(check({}, { dialect: "none of them" }), CallsheetError);
  await assert.rejects(Catalog.open({ files: {}, dialect: "kode", inline: "{" }), { tag: "bad-inline" });
});

test("a catalog sees what changed", async () => {
  const project = onDisk({ ".claude/agents/one.md": agent("one") });
  const catalog = await Catalog.open({ project: { name: ".", path: project }, home: null, dialect: "claude-code" });
  assert.ok(catalog.names().includes("one"));
  assert.deepEqual(catalog.refresh(), []);
  writeFileSync(join(project, ".claude/agents/two.md"), agent("two"));
  writeFileSync(join(project, ".claude/agents/one.md"), agent("one", "Does another thing"));
  utimesSync(join(project, ".claude/agents/one.md"), 1, 1);
  assert.deepEqual(catalog.refresh().map(({ name, kind }) => `${name} ${kind}`), ["one changed", "two appeared"]);
  assert.equal(catalog.get("one")?.description, "Does another thing");
  assert.equal(catalog.counters().files, 2);
});

test("agents are registered once", async () => {
  const catalog = await Catalog.open({ files: {}, home: null, dialect: "kode" });
  catalog.register("one", agent("one"));
  assert.throws(() => catalog.register("one", agent("one")), { tag: "registered" });
  assert.throws(() => catalog.register("two", "nothing"), { tag: "unusable" });
  assert.equal(catalog.search("wel")[0]?.name, "one");
  catalog.close();
});

test("the contract is there for those who want all of it", async () => {
  const { documents } = await component();
  assert.ok(documents.dialects().some(({ id }) => id === "claude-code"));
  assert.throws(() => documents.parse("a.md", new Uint8Array(), "none"), (error) => error.payload.tag === "unknown-dialect");
});
