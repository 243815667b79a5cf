// Checks and catalogs, for files in memory and on disk.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, test } from "node:test";
import { CallsheetError, Catalog, check, component, compose, fix, graph, inventory, rename } from "callsheet";

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

const pathsOf = (report) => report.files.map(({ path }) => path);
const rulesOf = (report) => report.findings.map(({ diagnostic }) => diagnostic.rule);

test("a check gives the same findings for files in memory and on disk", async () => {
  const files = { ".claude/agents/reviewer.md": BROKEN, ".kode/agents/other.md": agent("other") };
  const inMemory = await check(files, { home: null });
  const project = onDisk(files);
  const checked = await check(project, { home: null });
  const paths = inMemory.files.map(({ path }) => path);
  assert.deepEqual(paths, [".claude/agents/reviewer.md", ".kode/agents/other.md"]);
  assert.deepEqual(checked.files.map(({ path }) => path.slice(project.length + 1)), paths);
  assert.deepEqual(rulesOf(checked), rulesOf(inMemory));
  assert.deepEqual(checked.counts, inMemory.counts);
});

test("a bare `agents` folder belongs to kodelet only if a file has a field of kodelet", async () => {
  const whose = async (text) => (await check({ "agents/a.md": text }, { home: null })).findings.flatMap(({ dialects }) => dialects);
  assert.deepEqual(await whose(agent("a")), []);
  assert.ok((await whose("---\nname: a\nprovider: openai\n---\nDo it.\n")).includes("kodelet"));
});

test("a file is judged by its owner and by targets", async () => {
  const files = { ".claude/agents/a.md": agent("a", "A: b"), ".kode/agents/b.md": agent("b") };
  const judges = async (targets) => {
    const { findings } = await check(files, { home: null, targets });
    return findings.find(({ diagnostic }) => diagnostic.rule === "unquoted-value")?.dialects;
  };
  assert.deepEqual(await judges([]), ["claude-code"]);
  assert.ok((await judges(["kode"])).length > 0);
});

test("keys and values of files in memory", async () => {
  for (const path of ["./.claude/agents/a.md", ".claude//agents/a.md"]) {
    assert.deepEqual(rulesOf(await check({ [path]: agent("a", "A: b") }, { home: null })), ["unquoted-value"]);
  }
  await assert.rejects(check({ ".claude\\agents\\a.md": BROKEN }), /contains a backslash/);
  for (const files of [new Map(), [], new Uint8Array()]) await assert.rejects(check(files), /must be a plain object/);
  await assert.rejects(Catalog.open({ files: new Map(), dialect: "kode" }), /must be a plain object/);
  await assert.rejects(check({ "a.md": 5 }), /contents of a\.md must be/);
  for (const nothing of [undefined, null, 5]) await assert.rejects(check(nothing), TypeError);
});

test("paths of a project on disk", async () => {
  const project = onDisk({ ".git": "", ".claude/agents/a.md": agent("a", "A: b"), "notes/b.md": agent("b", "B: c") });
  const other = onDisk({ ".claude/agents/c.md": agent("c", "C: d") });
  const found = async (...paths) => (await check(project, { home: null, paths })).findings.map(({ diagnostic }) => diagnostic.primary.place.path);
  const [own, elsewhere] = [join(project, ".claude/agents/a.md"), join(other, ".claude/agents/c.md")];
  assert.deepEqual(await found(own), [own]);
  assert.deepEqual(await found(relative(process.cwd(), own)), [own]);
  assert.deepEqual(await found(".claude/agents/a.md"), [own]);
  assert.deepEqual(await found(elsewhere), [elsewhere]);
  assert.deepEqual(await found(own, elsewhere), [own, elsewhere].sort());
  assert.equal((await check(project, { home: null, paths: [own, elsewhere] })).counts.warnings, 2);
  const fixed = await fix(project, { home: null, paths: [".claude", elsewhere] });
  assert.deepEqual(fixed.map(({ path }) => path).sort(), [own, elsewhere].sort());
  const unowned = await check(project, { home: null, dialect: "claude-code", paths: ["notes/b.md"] });
  assert.deepEqual(rulesOf(unowned), ["unquoted-value"]);
});

/** Runs the work with another working directory. */
async function within(directory, work) {
  const before = process.cwd();
  process.chdir(directory);
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

test("a relative path is in the project if it exists there, unless it is as in a report", async () => {
  const file = { ".claude/agents/a.md": BROKEN };
  const project = onDisk(file);
  const found = async (what, path, settings) => pathsOf(await check(what, { home: null, ...settings, paths: [path] }));
  await within(onDisk(file), async () => {
    assert.deepEqual(await found(project, ".claude/agents/a.md"), [join(project, ".claude/agents/a.md")]);
    const [fixed] = await fix(project, { home: null, paths: [".claude"] });
    assert.equal(fixed.path, join(project, ".claude/agents/a.md"));
  });
  const both = onDisk({ ".claude/agents/b.md": BROKEN, "p/.claude/agents/a.md": BROKEN, "p/p/.claude/agents/a.md": BROKEN, "p/~/.claude/agents/b.md": BROKEN });
  await within(both, async () => {
    const own = ["p/.claude/agents/a.md"];
    assert.deepEqual(await found("p", own[0]), own);
    assert.deepEqual(await found("./p", own[0]), own);
    assert.deepEqual(await found("p", ".claude/agents/a.md"), own);
    assert.deepEqual(await found("p", ".claude/agents/b.md"), [".claude/agents/b.md"]);
    const home = { name: "~", path: both };
    assert.deepEqual(await found("p", "~/.claude/agents/b.md", { home }), ["~/.claude/agents/b.md"]);
  });
});

test("a relative path outside of the project, from another working directory", async () => {
  const root = onDisk({ "p/.git": "", "other/.claude/agents/b.md": BROKEN });
  const path = "../other/.claude/agents/b.md";
  const other = join(root, "other/.claude/agents/b.md");
  assert.deepEqual(pathsOf(await check(join(root, "p"), { home: null, paths: [path] })), [other]);
  assert.deepEqual((await fix(join(root, "p"), { home: null, paths: [path] })).map(({ path }) => path), [other]);
  await within(root, async () => assert.deepEqual(pathsOf(await check("p", { home: null, paths: [path] })), [relative(root, other)]));
});

test("a file with two names counts once", async () => {
  const root = onDisk({ "p/.git": "", "other/.claude/agents/b.md": BROKEN });
  symlinkSync("other", join(root, "link"));
  const spellings = ["../other/.claude/agents/b.md", join(root, "other/.claude/agents/b.md"), join(root, "link/.claude/agents/b.md")];
  const settings = { home: null, paths: [...spellings, "../other"] };
  assert.equal((await check(join(root, "p"), settings)).files.length, 1);
  assert.equal((await fix(join(root, "p"), settings)).length, 1);
  const home = { name: "~", path: join(root, "other") };
  assert.deepEqual(pathsOf(await check(join(root, "p"), { home, paths: [spellings[2], "~/.claude/agents/b.md"] })), ["~/.claude/agents/b.md"]);
});

test("a missing path is an error", async () => {
  const missing = { tag: "not-found", message: "cannot read none.md: no such file or directory" };
  await assert.rejects(check(onDisk({}), { home: null, paths: ["none.md"] }), missing);
  await assert.rejects(fix({ "a.md": BROKEN }, { paths: ["none.md"] }), missing);
});

test("files without an owner are only checked with a dialect", async () => {
  const files = { "some/reviewer.md": BROKEN };
  const paths = ["some/reviewer.md"];
  assert.deepEqual((await check(files, { home: null })).files, []);
  assert.deepEqual((await check(files, { home: null, paths })).unowned, paths);
  assert.deepEqual(rulesOf(await check(files, { home: null, paths, dialect: "claude-code" })), ["unquoted-value"]);
});

test("an empty project has no findings", async () => {
  const nothing = { files: [], others: [], findings: [], suppressed: [], counts: { errors: 0, warnings: 0, notes: 0 }, unowned: [] };
  assert.deepEqual(await check({}), nothing);
  assert.deepEqual(await check(onDisk({}), { home: null }), nothing);
});

test("fixes are returned and not written", async () => {
  const files = { ".claude/agents/reviewer.md": BROKEN, ".claude/agents/other.md": agent("other") };
  const fixed = await fix(files, { home: null });
  assert.deepEqual(fixed.map(({ path }) => path), [".claude/agents/reviewer.md"]);
  assert.equal(new TextDecoder().decode(fixed[0].after), BROKEN.replace("Reviews: all", "'Reviews: all'"));
  assert.deepEqual(fixed[0].applied.map(({ rule, safe }) => [rule, safe]), [["unquoted-value", true]]);
  assert.deepEqual(await fix(onDisk({}), { home: null, unsafe: true }), []);
});

test("comments suppress findings", async () => {
  const text = BROKEN.replace("name:", "# callsheet: ignore-file[unquoted-value]\nname:");
  const { findings, suppressed } = await check({ ".claude/agents/reviewer.md": text }, { home: null, dialect: "claude-code" });
  assert.deepEqual([findings.length, suppressed.length], [0, 1]);
});

test("an unknown dialect is an error with a suggestion", async () => {
  const open = Catalog.open({ files: {}, dialect: "claude-cod" });
  await assert.rejects(open, (error) => error instanceof CallsheetError && error.tag === "unknown-dialect" && /claude-code/.test(error.message));
  await assert.rejects(check({}, { dialect: "none of them" }), CallsheetError);
  await assert.rejects(Catalog.open({ files: {}, dialect: "kode", inline: "{" }), { tag: "bad-inline" });
});

test("a refresh returns changes", async () => {
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
  assert.equal(JSON.parse(JSON.stringify(catalog.counters())).parsed, 3);
});

test("an agent can only be registered once", async () => {
  const catalog = await Catalog.open({ files: {}, home: null, dialect: "kode" });
  catalog.register("one", agent("one"));
  assert.throws(() => catalog.register("one", agent("one")), { tag: "registered", message: "agent `one` is already registered" });
  assert.throws(() => catalog.register("two", "nothing"), { tag: "unusable", message: /^the definition does not load: / });
  assert.equal(catalog.search("wel")[0]?.name, "one");
  catalog.close();
});

test("the whole contract is available", async () => {
  const { documents } = await component();
  assert.ok(documents.dialects("agent").some(({ id }) => id === "claude-code"));
  assert.throws(() => documents.parse("a.md", new Uint8Array(), "none"), (error) => error.payload.tag === "unknown-dialect");
});

test("a file outside of the project is checked if it is named, and the files beside it are not visible", async () => {
  const folder = onDisk({ "project/.claude/agents/a.md": agent("a"), "reviewer.md": BROKEN });
  const path = join(folder, "reviewer.md");
  const settings = { home: null, paths: [path] };
  const { unowned } = await check(join(folder, "project"), settings);
  assert.deepEqual(unowned, [path]);
  const report = await check(join(folder, "project"), { ...settings, dialect: "claude-code" });
  assert.deepEqual(rulesOf(report), ["unquoted-value"]);
});

test("a catalog lists skills and commands", async () => {
  const files = {
    ".claude/skills/release/SKILL.md": "---\ndescription: Makes a release\n---\n\nDo it.\n",
    ".claude/commands/plan.md": "---\ndescription: Plans\n---\n\nPlan it.\n",
  };
  const names = async (kind) => {
    const catalog = await Catalog.open({ dialect: "claude-code", home: null, files, kind });
    return catalog.entries(false).map(({ name }) => name);
  };
  assert.deepEqual(await names("skill"), ["release"]);
  assert.deepEqual(await names("command"), ["plan"]);
  assert.equal((await names(undefined)).includes("release"), false);
});

test("a new name changes every reference", async () => {
  const lead = agent("lead").replace("\n---\nDo", "\ntools: Read, Agent(worker)\n---\nDo");
  const files = { ".claude/agents/lead.md": lead, ".claude/agents/worker.md": agent("worker") };
  for (const what of [files, onDisk(files)]) {
    const { files: changed, moved } = await rename(what, ".claude/agents/worker.md", "helper", { home: null });
    const name = (path) => path.split("/").at(-1);
    const texts = Object.fromEntries(changed.map(({ path, after }) => [name(path), new TextDecoder().decode(after)]));
    assert.deepEqual(texts, { "lead.md": lead.replace("worker", "helper"), "worker.md": agent("worker").replace("name: worker", "name: helper") });
    assert.deepEqual(moved.map(name), ["worker.md", "helper.md"]);
    await assert.rejects(rename(what, ".claude/agents/worker.md", "lead", { home: null }), /already an agent `lead`, in /);
  }
});

test("agents that extend others are compiled", async () => {
  const base = agent("base").replace("\n---\nDo", "\ntools: Read\n---\nDo");
  const child = "---\nname: child\ncallsheet: { extends: _base.md, add: { tools: ['@web'] } }\n---\nChild.\n";
  const wide = "---\nname: wide\ntools: Bash\ncallsheet: { extends: _base.md }\n---\nWide.\n";
  const files = { "agents/_base.md": base, "agents/child.md": child, "agents/wide.md": wide };
  for (const what of [files, onDisk(files)]) {
    const settings = { from: "agents", to: ["claude-code"], sets: { web: ["WebFetch"] }, home: null };
    const { sources, findings } = await compose(what, settings);
    assert.match(new TextDecoder().decode(sources[0].outputs[0].contents), /\ntools: Read, WebFetch\n/);
    assert.equal(sources[0].outputs[0].state, "created");
    assert.deepEqual(sources[1].outputs, []);
    assert.deepEqual(findings.map(({ rule }) => rule), ["wider-than-parent"]);
    const { from, to, sets, home } = settings;
    const report = await check(what, { home, build: { from, to, sets } });
    assert.deepEqual(report.findings.map(({ diagnostic }) => diagnostic), findings);
    assert.deepEqual((await check(what, { home })).findings.map(({ diagnostic }) => diagnostic.rule), ["passed-over"]);
    await assert.rejects(compose(what, { ...settings, to: ["vim"] }), CallsheetError);
  }
});

test("the inventory of a project has what agents reach", async () => {
  const lead = agent("lead").replace("\n---\nDo", "\ntools: Read, Agent(worker)\n---\nDo");
  const worker = agent("worker").replace("\n---\nDo", "\ntools: Bash\n---\nDo");
  const files = { ".claude/agents/lead.md": lead, ".claude/agents/worker.md": worker };
  for (const what of [files, onDisk(files)]) {
    const { assets } = await inventory(what, { home: null });
    assert.deepEqual(assets.map(({ permissions }) => permissions.map(({ name }) => name)), [["read", "delegate"], ["shell"]]);
    assert.deepEqual(assets[0].reached.map(({ permission, owner }) => [permission, owner]), [["shell", 1]]);
    assert.match(assets[0].sha256, /^[0-9a-f]{64}$/);
  }
});

test("the graph of a project has what its files name", async () => {
  const lead = agent("lead").replace("\n---\nDo", "\ntools: Read, Agent(worker, absent)\n---\nDo");
  const files = { ".claude/agents/lead.md": lead, ".claude/agents/worker.md": agent("worker") };
  for (const what of [files, onDisk(files)]) {
    const { nodes, edges, cycles } = await graph(what, { home: null });
    assert.deepEqual(nodes.map(({ kind, name }) => `${kind} ${name}`), ["agent lead", "agent worker"]);
    assert.deepEqual(edges.map(({ name, verdict, target }) => [name, verdict, target]), [["worker", "there", 1], ["absent", "missing", undefined]]);
    assert.deepEqual(cycles, []);
    const users = await graph(what, { home: null, scope: { tag: "users", val: "absent" }, part: "missing" });
    assert.deepEqual([users.nodes.map(({ name }) => name), users.edges.length, users.instead], [["lead"], 1, []]);
  }
});

test("variables move directories of the user's home directory", async () => {
  const world = onDisk({ "home/.claude/agents/two.md": agent("two"), "elsewhere/agents/one.md": agent("one"), "project/.git": "" });
  const project = join(world, "project");
  const before = { HOME: process.env.HOME, CLAUDE_CONFIG_DIR: process.env.CLAUDE_CONFIG_DIR };
  const found = async (value, settings = {}) => {
    Object.assign(process.env, { HOME: join(world, "home"), CLAUDE_CONFIG_DIR: value });
    const catalog = await Catalog.open({ project, dialect: "claude-code", ...settings });
    return catalog.entries().flatMap(({ origin }) => origin.path ?? []);
  };
  try {
    assert.deepEqual(await found(join(world, "elsewhere")), ["$CLAUDE_CONFIG_DIR/agents/one.md"]);
    assert.deepEqual((await check(project)).files.map(({ path }) => path), ["$CLAUDE_CONFIG_DIR/agents/one.md"]);
    const home = join(world, "home");
    assert.deepEqual(await found(join(world, "elsewhere"), { home }), [`${home}/.claude/agents/two.md`]);
    assert.deepEqual(await found(join(home, ".claude")), ["~/.claude/agents/two.md"]);
    assert.deepEqual(await found(""), ["~/.claude/agents/two.md"]);
    mkdirSync(join(project, ".claude/agents"), { recursive: true });
    writeFileSync(join(project, ".claude/agents/three.md"), agent("three"));
    const both = [".claude/agents/three.md", "~/.claude/agents/two.md"];
    assert.deepEqual(await found(join(project, ".claude"), { project: { name: ".", path: project } }), both);
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});
