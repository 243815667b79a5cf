// Asks releases of other tools which skills and commands they load, and compares the answers with `callsheet list`.
//
//   npm install --no-package-lock --prefix tests/oracle
//   node tests/oracle/run.mjs PATH-TO-CALLSHEET [FILTER]
//
// Each case of cases.txt is written to a new folder, and each release lists what it finds there, with a home directory that is deleted
// afterwards. No release needs an account or a network for this. Exits with 1 if an answer differs.
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";

const HERE = import.meta.dirname;
const PATIENCE = 120_000;

/** Each release: its edition in Callsheet, its folders, and how it lists what it loads. */
const RELEASES = [
  { edition: "gemini-cli@0.61.0", skills: ".gemini/skills", list: { skill: gemini } },
  {
    edition: "opencode@1.18.33",
    skills: ".opencode/skills",
    commands: ".opencode/commands",
    list: { skill: opencodeSkills, command: opencodeCommands },
  },
  { edition: "codex@0.169.0", skills: ".agents/skills", list: { skill: codex } },
  { edition: "copilot@1.0.102", skills: ".github/skills", list: { skill: copilot } },
  {
    edition: "claude-code",
    skills: ".claude/skills",
    commands: ".claude/commands",
    onlyNames: true,
    list: { skill: claude, command: claude },
  },
];

/** Differences that are known, with the cause. */
const KNOWN = {
  "claude-code not-for-users": "its list has what users can call",
  "opencode@1.18.33 command-with-a-hint": "Callsheet shows fields that OpenCode leaves out",
  "opencode@1.18.33 two-of-one-name": "it reads files at the same time, and the last one wins",
};

/** The text of a run; what it prints on standard error and its exit status do not count. */
function output({ home, project }, name, given, variables = {}) {
  const env = { PATH: process.env.PATH, HOME: home, ...variables };
  const program = join(HERE, "node_modules/.bin", name);
  const settings = { cwd: project, env, timeout: PATIENCE, maxBuffer: 1 << 26 };
  return new Promise((done, fail) => {
    execFile(program, given, settings, (error, text) => (error?.killed ? fail(error) : done(text)));
  });
}

async function gemini(world) {
  const text = await output(world, "gemini", ["skills", "list"], { GEMINI_CLI_TRUST_WORKSPACE: "true" });
  const listed = text.matchAll(/^(\S.*) \[Enabled\]\n {2}Description: ([^]*?)\n {2}Location: +(.*)$/gm);
  return [...listed].map(([, name, description, path]) => ({ name, description, path }));
}

async function opencodeSkills(world) {
  const skills = JSON.parse(await output(world, "opencode", ["debug", "skill"]));
  return skills.map(({ name, description, location }) => ({ name, description, path: location }));
}

/** It does not start if a value has a wrong type. */
async function opencodeCommands(world) {
  const text = await output(world, "opencode", ["debug", "config"]);
  const { command = {} } = text === "" ? {} : JSON.parse(text);
  return Object.entries(command).map(([name, { description }]) => ({ name, description, path: world.project }));
}

async function copilot(world) {
  const text = await output(world, "copilot", ["skill", "list", "--json"], { COPILOT_OFFLINE: "true" });
  return JSON.parse(text.slice(0, text.lastIndexOf("]") + 1));
}

/** It says what can be called before it calls a model; nothing answers at this address. Its own skills and commands are in every folder. */
async function claude(world) {
  const callable = async (project) => {
    const none = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", ANTHROPIC_API_KEY: "none", CLAUDE_CODE_MAX_RETRIES: "0" };
    const given = ["-p", "hello", "--output-format", "stream-json", "--verbose"];
    const text = await output({ ...world, project }, "claude", given, none);
    return JSON.parse(text.slice(0, text.indexOf("\n"))).slash_commands;
  };
  const empty = join(world.project, "../empty");
  await mkdir(empty);
  const own = new Set(await callable(empty));
  const names = (await callable(world.project)).filter((name) => !own.has(name));
  return names.map((name) => ({ name, path: world.project }));
}

/** Its server answers with descriptions as they were read; its prompts shorten them. */
async function codex({ home, project }) {
  const env = { PATH: process.env.PATH, HOME: home };
  const server = spawn(join(HERE, "node_modules/.bin/codex"), ["app-server"], { cwd: project, env, stdio: ["pipe", "pipe", "ignore"] });
  const timer = setTimeout(() => server.kill(), PATIENCE);
  const send = (message) => server.stdin.write(`${JSON.stringify(message)}\n`);
  try {
    send({ id: 1, method: "initialize", params: { clientInfo: { name: "callsheet-oracle", version: "1" } } });
    for await (const line of createInterface({ input: server.stdout })) {
      const { id, result, error } = JSON.parse(line);
      if (error) throw new Error(`codex: ${error.message}`);
      if (id === 1) {
        send({ method: "initialized" });
        send({ id: 2, method: "skills/list", params: { cwds: [project] } });
      } else if (id === 2) {
        return result.data.flatMap(({ skills }) => skills).filter(({ enabled }) => enabled);
      }
    }
    throw new Error("codex ended without an answer");
  } finally {
    clearTimeout(timer);
    server.kill();
  }
}

/** What Callsheet says that a release loads. Only skills have editions. */
function callsheet(program, { project }, kind, edition) {
  const dialect = kind === "skill" ? edition : edition.split("@")[0];
  const given = ["--no-home", "list", "--kind", kind, "--as", dialect, "--format", "json"];
  return new Promise((done, fail) => {
    execFile(program, given, { cwd: project, maxBuffer: 1 << 26 }, (error, text) => {
      if (!text) return fail(error);
      done(JSON.parse(text).dialects.flatMap(({ entries }) => entries));
    });
  });
}

/** Names and descriptions, sorted. */
function seen(listed, { onlyNames }) {
  return listed.map(({ name, description }) => JSON.stringify(onlyNames ? [name] : [name, description ?? ""])).sort();
}

/** The cases: a line `== name`, then files, each after a line `-- path --`. */
async function cases() {
  const text = await readFile(join(HERE, "cases.txt"), "utf8");
  return text.split(/^== /m).slice(1).map((part) => {
    const [name, ...files] = part.split(/^-- (.*) --\n/m);
    const pairs = files.flatMap((path, at) => (at % 2 === 0 ? [[path, files[at + 1]]] : []));
    return { name: name.trim(), files: pairs, kind: pairs[0][0].startsWith("{commands}") ? "command" : "skill" };
  });
}

async function ask(release, { files, kind }, program) {
  const top = await realpath(await mkdtemp(join(tmpdir(), "oracle-")));
  const world = { home: join(top, "home"), project: join(top, "project") };
  try {
    for (const path of [world.home, join(world.project, ".git")]) await mkdir(path, { recursive: true });
    for (const [path, contents] of files) {
      const target = join(world.project, path.replace("{skills}", release.skills).replace("{commands}", release.commands));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, contents.replaceAll("\\t", "\t"));
    }
    const listed = await release.list[kind](world);
    const own = listed.filter(({ path }) => !relative(world.project, path).startsWith(".."));
    const said = await callsheet(program, world, kind, release.edition);
    return { real: seen(own, release), said: seen(said, release) };
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}

const [program, filter = ""] = process.argv.slice(2);
if (!program) {
  console.error("error: name the program: node tests/oracle/run.mjs target/debug/callsheet");
  process.exit(2);
}
const wanted = (await cases()).filter(({ name }) => name.includes(filter));
let differing = 0;
for (const release of RELEASES) {
  const its = wanted.filter(({ kind }) => release.list[kind]);
  let alike = 0;
  let known = 0;
  for (const one of its) {
    const { real, said } = await ask(release, one, await realpath(program));
    if (String(real) === String(said)) {
      alike += 1;
    } else if (KNOWN[`${release.edition} ${one.name}`]) {
      known += 1;
    } else {
      console.log(`${release.edition} ${one.name}\n  loads:     ${real.join(" ")}\n  callsheet: ${said.join(" ")}`);
    }
  }
  differing += its.length - alike - known;
  console.log(`${release.edition}: ${alike} of ${its.length} alike, ${known} known to differ`);
}
process.exitCode = differing > 0 ? 1 : 0;
