// The command of the published packages, installed in an empty folder.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("../", import.meta.url));
const platform = `${process.platform}-${process.arch}`;
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const AGENT = "---\nname: a\ndescription: Reviews code\n---\nReview it.\n";
const BROKEN = AGENT.replace("Reviews", "Reviews: all");
/** A program that shows how it was started. */
const STAND_IN = `#!/bin/sh
trap 'echo terminated; exit 9' TERM
case "$1" in
  wait) echo ready; while :; do sleep 0.1; done ;;
  die) kill -KILL $$ ;;
esac
echo "native: $*; input: $(cat)"
exit 5
`;
let root;
let home;

/** Installs a package with others that npm would otherwise fetch. */
function install(folder, ...packages) {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{"private": true}');
  const options = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  execFileSync("npm", ["install", ...options, ...packages], { cwd: folder });
}

function pack(folder) {
  const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", root, folder], { encoding: "utf8" }));
  return join(root, filename);
}

function project(files) {
  const folder = mkdtempSync(join(root, "project-"));
  mkdirSync(join(folder, ".claude/agents"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, ".claude/agents", name), text);
  return folder;
}

/** Exit status, output and errors of the installed command. */
function run(where, folder, ...words) {
  const command = join(root, where, "node_modules/.bin/callsheet");
  const options = typeof words[0] === "object" ? words.shift() : {};
  const done = spawnSync(command, words, { cwd: folder, encoding: "utf8", env: { ...process.env, HOME: home }, ...options });
  return [done.status ?? done.signal, done.stdout, done.stderr];
}

before(() => {
  root = mkdtempSync(join(tmpdir(), "callsheet-command-"));
  home = join(root, "home");
  mkdirSync(home);
  writeFileSync(join(root, "substitute"), STAND_IN);
  execFileSync(process.execPath, [join(here, "platform.mjs"), join(root, "out"), `${platform}=${join(root, "substitute")}`]);
  const native = pack(join(root, "out", `callsheet-${platform}`));
  const main = pack(join(root, "out/callsheet"));
  install(join(root, "portable"), pack(here));
  install(join(root, "native"), native, main);
});

after(() => rmSync(root, { recursive: true }));

test("a project without problems", () => {
  assert.deepEqual(run("portable", project({ "a.md": AGENT }), "check"), [0, "", ""]);
});

test("a project with problems", () => {
  const finding =
    ".claude/agents/a.md:3:21: warning[unquoted-value]: unquoted `description` contains `: `, which starts a mapping in YAML\n";
  assert.deepEqual(run("portable", project({ "a.md": BROKEN }), "check"), [1, finding, ""]);
});

test("a subdirectory, a path outside, the home directory and a project elsewhere", () => {
  const folder = project({ "a.md": BROKEN });
  mkdirSync(join(folder, ".git"));
  mkdirSync(join(folder, "src"));
  assert.equal(run("portable", join(folder, "src"), "check")[0], 1);
  assert.equal(run("portable", root, "check", join(folder, ".claude/agents/a.md"))[0], 1);
  assert.equal(run("portable", root, "--project", folder, "check")[0], 1);
  assert.match(run("portable", root, "--home", folder, "list", "--as", "claude-code")[1], /: a: Reviews: all code/);
  assert.doesNotMatch(run("portable", folder, "--no-home", "--project", home, "list", "--as", "claude-code")[1], /: a: /);
});

test("paths in any form, in the project and in others", () => {
  const folder = project({ "a.md": BROKEN });
  const other = project({ "b.md": BROKEN });
  const found = (...words) => run("portable", folder, "check", ...words)[1].match(/^.*(?=:3:21)/gm);
  const inside = [".claude/agents/a.md"];
  assert.deepEqual(found(join(folder, ".claude/agents/a.md")), inside);
  assert.deepEqual(found(`../${basename(folder)}/.claude/agents/a.md`), inside);
  assert.deepEqual(found("--", `${folder}/`), inside);
  const outside = join(other, ".claude/agents/b.md");
  assert.deepEqual(found(outside), [outside]);
  assert.deepEqual(found(outside, inside[0]).sort(), [outside, inside[0]].sort());
  assert.deepEqual(found("--as", "kode", "--", outside), [outside]);
  assert.equal(JSON.parse(run("portable", folder, "check", "--format", "json", outside)[1]).files, 1);
  const [status, output, errors] = run("portable", folder, "check", "--format", "json", outside, inside[0]);
  assert.deepEqual([status, output], [2, ""]);
  assert.match(errors, /^error: with `--format json`, all files must be in one project\nhelp: /);
  assert.equal(run("portable", folder, "convert", outside, "--to", "kode")[0], 0);
});

test("a file or directory with two names counts once", () => {
  const folder = project({});
  const other = project({ "b.md": BROKEN });
  const link = `${other}-link`;
  symlinkSync(other, link);
  const found = (...paths) => run("portable", folder, "check", ...paths)[1].match(/:3:21/g)?.length;
  const file = ".claude/agents/b.md";
  assert.equal(found(join(other, file), `../${basename(other)}/${file}`, join(link, file)), 1);
  assert.equal(found(other, `../${basename(other)}`, link), 1);
});

test("an option without a value, with a path outside", () => {
  const outside = join(project({ "b.md": BROKEN }), ".claude/agents/b.md");
  const [status, output, errors] = run("portable", project({}), "check", outside, "--as");
  assert.deepEqual([status, output], [2, ""]);
  assert.match(errors, /^error: missing argument for option '--as'/);
  assert.equal(run("portable", root, "check", "--project", project({}), outside, "--project=.")[0], 1);
});

test("links that lead out, or to themselves", () => {
  const folder = project({});
  const target = join(project({ "b.md": BROKEN }), ".claude/agents/b.md");
  symlinkSync(target, join(folder, ".claude/agents/out.md"));
  symlinkSync("loop.md", join(folder, ".claude/agents/loop.md"));
  const [status, output] = run("portable", folder, "check", ".claude/agents/out.md");
  assert.deepEqual([status, output.includes("out.md:3:21: warning[unquoted-value]")], [1, true]);
  const loop = "error: cannot read .claude/agents/loop.md: too many symbolic links encountered\n";
  assert.deepEqual(run("portable", folder, "check", ".claude/agents/loop.md"), [2, "", loop]);
});

test("usage and I/O errors", () => {
  const folder = project({});
  const fails = (words, message) => {
    const [status, output, errors] = run("portable", folder, ...words);
    assert.deepEqual([status, output], [2, ""]);
    assert.match(errors, message);
    return errors;
  };
  fails(["chekc"], /^error: unknown command `chekc`\nhelp: did you mean `check`\?\n/);
  fails(["check", "none.md"], /^error: cannot read none.md: no such file or directory\n$/);
  fails(["check", "--project", "none"], /^error: cannot open the directory none\n$/);
  fails(["check", "--project"], /^error: missing argument/);
  fails(["check", "--fix"], /^error: `--fix` is only available in the native program\nhelp: npm installs/);
  for (const option of ["--ignore name-mismatch", "--severity error", "--baseline new.json", "--readers claude", "--stdin-filename new.md -"]) {
    const words = option.split(" ");
    fails(["check", ...words], new RegExp(`^error: \`${words[0]}\` is only available in the native program\nhelp: npm installs.*\n$`));
  }
  const errors = fails(["run", "a", "task"], /^error: `run` is only available in the native program\nhelp: npm installs/);
  assert.equal(errors.split("\n").length, 3);
});

test("directories without permission", () => {
  const folder = project({ "a.md": AGENT });
  chmodSync(join(folder, ".claude/agents"), 0);
  // The superuser may read everything.
  const options = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  for (const path of [root, folder]) chmodSync(path, 0o755);
  const [status, output] = run("portable", folder, options, "check");
  chmodSync(join(folder, ".claude/agents"), 0o755);
  assert.equal(status, 1);
  assert.match(output, /unreadable-directory/);
});

test("it writes nothing", () => {
  const folder = project({ "a.md": BROKEN });
  for (const words of [["check"], ["list"], ["convert", "a", "--to", "kode"]]) run("portable", folder, ...words);
  assert.deepEqual(readdirSync(folder), [".claude"]);
  assert.deepEqual(readdirSync(home), []);
});

test("output for a pipe that closes early", () => {
  const command = join(root, "portable/node_modules/.bin/callsheet");
  const done = spawnSync("sh", ["-c", `'${command}' rules --format json | head -c 1`], { encoding: "utf8", env: { ...process.env, HOME: home } });
  assert.deepEqual([done.stdout, done.stderr], ["{", ""]);
});

test("output that cannot be written", { skip: !existsSync("/dev/full") }, () => {
  const full = openSync("/dev/full", "w");
  const [status, , errors] = run("portable", root, { stdio: ["ignore", full, "pipe"] }, "rules");
  closeSync(full);
  assert.deepEqual([status, errors], [2, "error: cannot print: no space left on device\n"]);
});

test("the version and the help", () => {
  assert.deepEqual(run("portable", root, "--version"), [0, `callsheet ${version}\n`, ""]);
  for (const words of [["--help"], ["check", "--help", "none.md"], ["check", "-qh", "none.md"]]) {
    const [status, output, errors] = run("portable", root, ...words);
    assert.deepEqual([status, errors], [0, ""]);
    assert.match(output, /^Usage: callsheet COMMAND$/m);
  }
});

test("the platform package", () => {
  const manifest = JSON.parse(readFileSync(join(root, "out", `callsheet-${platform}`, "package.json"), "utf8"));
  const { name, version: its, os, cpu } = manifest;
  assert.deepEqual([name, its, os, cpu], [`@callsheet/${platform}`, version, [process.platform], [process.arch]]);
  const main = JSON.parse(readFileSync(join(root, "out/callsheet/package.json"), "utf8"));
  assert.deepEqual([main.version, main.optionalDependencies], [version, { [name]: version }]);
});

test("the native program gets the arguments, the input and the signals, and its exit status counts", { timeout: 60_000 }, async () => {
  const done = run("native", root, { input: "text" }, "check", "a b");
  assert.deepEqual(done, [5, "native: check a b; input: text\n", ""]);
  assert.equal(run("native", root, "die")[0], "SIGKILL");

  const child = spawn(join(root, "native/node_modules/.bin/callsheet"), ["wait"], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const piece of child.stdout) {
    if (output === "") child.kill("SIGTERM");
    output += piece;
  }
  assert.equal(output, "ready\nterminated\n");
  const status = child.exitCode ?? (await new Promise((resolve) => child.on("exit", resolve)));
  assert.equal(status, 9);
});

test("the native program for musl", () => {
  const packages = join(root, "native/node_modules/@callsheet");
  renameSync(join(packages, platform), join(packages, `${platform}-musl`));
  const done = run("native", root, "check");
  renameSync(join(packages, `${platform}-musl`), join(packages, platform));
  assert.deepEqual(done, [5, "native: check; input: \n", ""]);
});

test("packages for other platforms", () => {
  const out = join(root, "others");
  const programs = ["linux-arm64-musl", "win32-x64"].map((name) => `${name}=${join(root, "substitute")}`);
  execFileSync(process.execPath, [join(here, "platform.mjs"), out, ...programs]);
  const { os, cpu, libc } = JSON.parse(readFileSync(join(out, "callsheet-linux-arm64-musl/package.json"), "utf8"));
  assert.deepEqual([os, cpu, libc], [["linux"], ["arm64"], ["musl"]]);
  assert.deepEqual(readdirSync(join(out, "callsheet-win32-x64/bin")), ["callsheet.exe"]);
});

test("a native program that cannot run is replaced by the component", () => {
  const program = join(root, "native/node_modules/@callsheet", platform, "bin/callsheet");
  const folder = project({ "a.md": AGENT });
  chmodSync(program, 0o644);
  const note = (code) => `note: ${program} cannot be run (${code}); using the WebAssembly component\n`;
  assert.deepEqual(run("native", folder, "check"), [0, "", note("EACCES")]);
  rmSync(program);
  assert.deepEqual(run("native", folder, "check"), [0, "", note("ENOENT")]);
});
