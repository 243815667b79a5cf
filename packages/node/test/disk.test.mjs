// The disk is only visible below the opened directories, as in the command line.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Disk } from "callsheet";

let world;

beforeEach(() => {
  world = realpathSync(mkdtempSync(join(tmpdir(), "callsheet-")));
  for (const directory of ["project/agents", "home/shared", "plugin"]) mkdirSync(join(world, directory), { recursive: true });
  writeFileSync(join(world, "project/agents/one.md"), "one");
  writeFileSync(join(world, "project/other.md"), "other");
  writeFileSync(join(world, "home/shared/kept.md"), "kept");
  writeFileSync(join(world, "secret.md"), "secret");
});

afterEach(() => rmSync(world, { recursive: true }));

function disk(settings) {
  const place = (name, path) => ({ name, path: join(world, path) });
  const disk = new Disk({ project: place(".", "project"), home: place("~", "home"), plugins: [], directories: [] }, settings);
  for (const path of ["agents", "~/agents", "~/shared"]) disk.grantPath(path);
  return disk;
}

const read = (disk, path) => Buffer.from(disk.import.read(path)).toString();
const kinds = (entries) => entries.map(({ name, kind }) => `${name} ${kind}`);
const refused = (call, tag) => assert.throws(call, (error) => error.tag === tag);

test("reads opened directories", () => {
  const files = disk();
  assert.equal(read(files, "agents/one.md"), "one");
  assert.equal(read(files, "./agents//one.md"), "one");
  const [entry] = files.import.listDirectory("agents");
  assert.equal(entry.size, 3n);
  assert.equal(typeof entry.modified, "bigint");
});

test("denies other paths", () => {
  const files = disk();
  for (const path of ["other.md", "agents/../other.md", "agents/../../secret.md", "../secret.md", "/etc/passwd", "", "~"]) {
    refused(() => files.import.read(path), "denied");
    refused(() => files.import.listDirectory(path), "denied");
  }
});

test("reports missing files and directories", () => {
  const files = disk();
  refused(() => files.import.read("agents/none.md"), "not-found");
  refused(() => files.import.listDirectory("~/agents"), "not-found");
  refused(() => files.import.listDirectory("agents/one.md"), "not-a-directory");
  refused(() => files.import.read("agents"), "other");
  assert.throws(() => files.import.read(`agents/${"a".repeat(300)}.md`), { tag: "other", val: "name too long" });
});

test("links that lead out are not followed", () => {
  symlinkSync("../../secret.md", join(world, "project/agents/secret.md"));
  symlinkSync(join(world, "home"), join(world, "project/agents/home"));
  symlinkSync("nowhere", join(world, "project/agents/broken.md"));
  const files = disk();
  assert.deepEqual(kinds(files.import.listDirectory("agents")), ["broken.md link", "home link", "one.md file", "secret.md link"]);
  refused(() => files.import.read("agents/secret.md"), "denied");
  refused(() => files.import.read("agents/home/shared/kept.md"), "denied");
  refused(() => files.import.read("agents/broken.md"), "not-found");
});

test("links that lead out are followed if requested", () => {
  symlinkSync("../../secret.md", join(world, "project/agents/secret.md"));
  const files = disk({ followLinks: true });
  assert.equal(read(files, "agents/secret.md"), "secret");
  assert.deepEqual(kinds(files.import.listDirectory("agents")), ["one.md file", "secret.md file"]);
});

test("links inside a directory are followed, relative or absolute", () => {
  symlinkSync(join(world, "home/shared"), join(world, "home/agents"));
  symlinkSync(join(world, "home/shared/kept.md"), join(world, "home/shared/again.md"));
  const files = disk();
  assert.deepEqual(kinds(files.import.listDirectory("~/agents")), ["again.md file", "kept.md file"]);
  assert.equal(read(files, "~/agents/again.md"), "kept");
});

test("a link to a parent is not followed", () => {
  mkdirSync(join(world, "project/agents/deep"));
  symlinkSync("..", join(world, "project/agents/deep/up"));
  assert.deepEqual(kinds(disk().import.listDirectory("agents/deep")), ["up link"]);
});

test("the directories above the project are visible in a repository", () => {
  assert.deepEqual(disk().ancestors, []);
  mkdirSync(join(world, ".git"));
  symlinkSync("../../secret.md", join(world, "project/agents/linked.md"));
  const files = disk();
  assert.deepEqual(files.ancestors, [".."]);
  assert.equal(read(files, "agents/linked.md"), "secret");
  refused(() => files.import.read("../secret.md"), "denied");
  files.grantPath("..");
  assert.equal(read(files, "../secret.md"), "secret");
});

test("does not block on a pipe", { skip: process.platform === "win32" }, () => {
  execFileSync("mkfifo", [join(world, "project/agents/pipe.md")]);
  const files = disk();
  assert.ok(kinds(files.import.listDirectory("agents")).includes("pipe.md other"));
  refused(() => files.import.read("agents/pipe.md"), "other");
});

test("refuses files above the limit", () => {
  const small = disk({ maxFileSize: 3 });
  assert.equal(read(small, "agents/one.md"), "one");
  writeFileSync(join(world, "project/agents/one.md"), "four");
  assert.throws(() => small.import.read("agents/one.md"), { tag: "too-large", val: 4n });
  truncateSync(join(world, "project/agents/one.md"), 8 * 1024 * 1024 + 1);
  refused(() => disk().import.read("agents/one.md"), "too-large");
});

test("sorts names by bytes", () => {
  // U+FF5E sorts after U+1F600 in UTF-16, and before it in UTF-8.
  for (const name of ["\u{ff5e}", "\u{1f600}", "B", "a"]) writeFileSync(join(world, `home/shared/${name}`), "");
  const names = disk().import.listDirectory("~/shared").map((entry) => entry.name);
  assert.deepEqual(names, ["B", "a", "kept.md", "\u{ff5e}", "\u{1f600}"]);
});

test("only policy directories may be absolute", () => {
  const files = disk();
  const directory = join(world, "plugin");
  files.grant({ level: "project", directory, recursive: false, owned: true });
  refused(() => files.import.listDirectory(directory), "denied");
  files.grant({ level: "policy", directory, recursive: false, owned: true });
  assert.deepEqual(files.import.listDirectory(directory), []);
});

test("a named path gets the project's name for it", (context) => {
  const link = `${world}-link`;
  context.after(() => rmSync(link));
  mkdirSync(join(world, ".git"));
  symlinkSync(join(world, "home/shared/kept.md"), join(world, "project/agents/out.md"));
  symlinkSync("loop.md", join(world, "project/agents/loop.md"));
  symlinkSync(world, link);
  const files = disk();
  const nameOf = (path) => files.grantNamed(path).name;
  const named = (path) => nameOf(join(world, path));
  assert.equal(named("project/agents/one.md"), "agents/one.md");
  assert.equal(nameOf(join(link, "project/agents/one.md")), "agents/one.md");
  assert.equal(named("project"), ".");
  assert.equal(named("secret.md"), "../secret.md");
  assert.equal(nameOf("~/shared/kept.md"), "~/shared/kept.md");
  assert.equal(nameOf("/"), undefined);
  assert.equal(named("project/agents/out.md"), "agents/out.md");
  assert.equal(read(files, "agents/out.md"), "kept");
  assert.throws(() => named("none.md"), { name: "CallsheetError", tag: "not-found" });
  assert.throws(() => named("project/agents/loop.md"), /loop\.md: too many symbolic links/);
});

test("a name that is not UTF-8", { skip: process.platform !== "linux" }, () => {
  writeFileSync(Buffer.concat([Buffer.from(join(world, "project/agents/")), Buffer.from([0xff])]), "");
  const files = disk();
  assert.deepEqual(kinds(files.import.listDirectory("agents")), ["one.md file", "\ufffd file"]);
  assert.throws(() => files.import.read("agents/\ufffd"), { tag: "other", val: "its name is not UTF-8" });
});

test("a missing project is an error", () => {
  assert.throws(() => new Disk({ project: { name: "x", path: join(world, "none") }, plugins: [], directories: [] }), /ENOENT/);
  assert.throws(() => new Disk({ project: { name: "x", path: join(world, "secret.md") }, plugins: [], directories: [] }), /not a directory/);
});
