// Asks releases of other tools which skills and commands they load, and compares the answers with `callsheet list`.
//
//   npm install --no-package-lock --prefix tests/oracle
//   node tests/oracle/run.mjs PATH-TO-CALLSHEET [FILTER]
//
// Each case of cases.txt is written to a new folder, and each release lists what it finds there, with a home directory that is deleted
// afterwards. No release needs an account or a network for this. Exits with 1 if an answer differs.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";

const HERE = import.meta.dirname;
const PATIENCE = 120_000;

/** Each release: its edition in Callsheet, its folders, the formats of its commands if not only Markdown, and how it lists what it loads. */
const RELEASES = [
  {
    edition: "gemini-cli@0.61.0",
    skills: ".gemini/skills",
    commands: ".gemini/commands",
    formats: ["toml"],
    list: { skill: geminiSkills, command: geminiCommands },
  },
  {
    edition: "qwen-code@0.24.4",
    skills: ".qwen/skills",
    commands: ".qwen/commands",
    list: { skill: qwenSkills, command: qwenCommands },
  },
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

/** Differences that are known, with their causes. */
const CAUSES = {
  "its list has what users can call": ["claude-code not-for-users", "claude-code command-not-for-users"],
  "it reads files at the same time, and the last one wins": ["opencode@1.18.33 two-of-one-name"],
  "it leaves out all fields if one is there twice": ["opencode@1.18.33 command-with-a-duplicate-key"],
  "it repairs a line that begins with a tab": ["opencode@1.18.33 command-with-a-tab"],
  "it reads a date as such, and takes no command with one as its description": ["opencode@1.18.33 command-with-a-date-as-description"],
  "it shows a description on one line, at most 100 letters of it, and none that are not seen": [
    "gemini-cli@0.61.0 toml-blank-description",
    "gemini-cli@0.61.0 toml-spaces-around-description",
    "gemini-cli@0.61.0 toml-description-of-two-lines",
    "gemini-cli@0.61.0 toml-long-description",
    "gemini-cli@0.61.0 toml-unseen-letters-in-description",
    "gemini-cli@0.61.0 toml-tab-in-a-string",
    "gemini-cli@0.61.0 toml-carriage-returns",
  ],
  "Callsheet takes dates of TOML as text": ["gemini-cli@0.61.0 toml-date-as-description", "gemini-cli@0.61.0 toml-date-as-prompt"],
  "it reads an older version of TOML, in its own way": [
    "gemini-cli@0.61.0 toml-escape-of-a-later-version",
    "gemini-cli@0.61.0 toml-mixed-list",
    "gemini-cli@0.61.0 toml-lines-in-an-inline-table",
    "gemini-cli@0.61.0 toml-time-without-seconds",
    "gemini-cli@0.61.0 toml-byte-order-mark",
    "gemini-cli@0.61.0 toml-byte-order-mark-and-comment",
    "gemini-cli@0.61.0 toml-impossible-date",
    "gemini-cli@0.61.0 toml-control-character-in-a-comment",
  ],
  "it calls a command without a name by its folder": ["gemini-cli@0.61.0 toml-only-an-ending"],
  "it gives commands of one name other names": [
    "gemini-cli@0.61.0 toml-colon-and-underscore",
    "gemini-cli@0.61.0 toml-space-and-underscore",
    "gemini-cli@0.61.0 toml-name-of-its-own",
  ],
  "it reads YAML again line by line": ["qwen-code@0.24.4 command-with-a-tab"],
  "it takes no spaces after a fence": ["qwen-code@0.24.4 command-with-spaces-after-fences"],
  "it cannot make text of a map": ["qwen-code@0.24.4 map-as-description"],
};
const KNOWN = new Set(Object.values(CAUSES).flat());

/** The text of a run; what it prints on standard error and its exit status do not count. */
function output({ home, project }, name, given, variables = {}) {
  const env = { PATH: process.env.PATH, HOME: home, ...variables };
  return run(join(HERE, "node_modules/.bin", name), given, { cwd: project, env });
}

function run(program, given, settings) {
  return new Promise((done, fail) => {
    const limits = { timeout: PATIENCE, maxBuffer: 1 << 26 };
    execFile(program, given, { ...settings, ...limits }, (error, text) => (error?.killed ? fail(error) : done(text)));
  });
}

/** Asks a server that reads and writes a line of JSON for each message, until `hear` makes an answer of one. */
async function converse({ home, project }, name, given, variables, first, hear) {
  const env = { PATH: process.env.PATH, HOME: home, ...variables };
  const server = spawn(join(HERE, "node_modules/.bin", name), given, { cwd: project, env, stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(server, "close");
  const timer = setTimeout(() => server.kill(), PATIENCE);
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  try {
    send({ id: 1, method: "initialize", params: first });
    for await (const line of createInterface({ input: server.stdout })) {
      const message = JSON.parse(line);
      if (message.error) throw new Error(`${name}: ${message.error.message}`);
      const answer = hear(message, send);
      if (answer) return answer;
    }
    throw new Error(`${name} ended without an answer`);
  } finally {
    server.stdin.end();
    server.kill();
    await ended;
    clearTimeout(timer);
  }
}

/** Two releases call a command without a description after its file. */
const described = (text) => (text.startsWith("Custom command from ") ? "" : text);

async function geminiSkills(world) {
  const text = await output(world, "gemini", ["skills", "list"], { GEMINI_CLI_TRUST_WORKSPACE: "true" });
  const listed = text.matchAll(/^(\S.*) \[Enabled\]\n {2}Description: ([^]*?)\n {2}Location: +(.*)$/gm);
  return [...listed].map(([, name, description, path]) => ({ name, description, path }));
}

/** What its screen and its `-p` ask for commands, in a process of its own: it prints no list of them. */
const GEMINI_COMMANDS = `
  const { BuiltinCommandLoader, CommandService, FileCommandLoader } = await import(process.argv[1]);
  const loaders = [new BuiltinCommandLoader(null), new FileCommandLoader(null)];
  const commands = (await CommandService.create(loaders, new AbortController().signal)).getCommands();
  process.stdout.write(JSON.stringify(commands.filter(({ kind }) => kind === "workspace-file")), () => process.exit());
`;

/** The file of its bundle that `gemini` takes its commands from. */
async function geminiBundle() {
  const folder = join(HERE, "node_modules/@google/gemini-cli/bundle");
  const read = (name) => readFile(join(folder, name), "utf8");
  const [, main] = /import\("\.\/(gemini-.*?)"\)/.exec(await read("gemini.js"));
  const [, chunk] = /\bFileCommandLoader,[^}]*\} from "\.\/(.*?)"/.exec(await read(main));
  return join(folder, chunk);
}

async function geminiCommands({ home, project }) {
  const given = ["--input-type=module", "-e", GEMINI_COMMANDS, await geminiBundle()];
  const text = await run(process.execPath, given, { cwd: project, env: { PATH: process.env.PATH, HOME: home } });
  const commands = JSON.parse(text.slice(text.lastIndexOf("\n") + 1));
  return commands.map(({ name, description }) => ({ name, description: described(description), path: project }));
}

/** It tells an editor what it has loaded; it calls no model for that, and nothing answers at this address. */
function qwen(world) {
  const none = { OPENAI_BASE_URL: "http://127.0.0.1:9", OPENAI_API_KEY: "none", OPENAI_MODEL: "none" };
  const first = { protocolVersion: 1, clientCapabilities: {} };
  return converse(world, "qwen", ["--acp", "--auth-type", "openai"], none, first, ({ id, params }, send) => {
    if (id === 1) send({ id: 2, method: "session/new", params: { cwd: world.project, mcpServers: [] } });
    return params?.update?.sessionUpdate === "available_commands_update" ? params.update : undefined;
  });
}

async function qwenSkills(world) {
  const { _meta } = await qwen(world);
  const skills = _meta.availableSkillDetails.filter(({ level }) => level === "project");
  return skills.map(({ name, description, filePath }) => ({ name, description, path: filePath }));
}

async function qwenCommands(world) {
  const commands = (await qwen(world)).availableCommands.filter(({ _meta }) => _meta.sourceLabel === "Custom");
  return commands.map(({ name, description }) => ({ name, description: described(description), path: world.project }));
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
function codex(world) {
  const first = { clientInfo: { name: "callsheet-oracle", version: "1" } };
  return converse(world, "codex", ["app-server"], {}, first, ({ id, result }, send) => {
    if (id === 1) {
      send({ method: "initialized" });
      send({ id: 2, method: "skills/list", params: { cwds: [world.project] } });
    }
    return id === 2 ? result.data.flatMap(({ skills }) => skills).filter(({ enabled }) => enabled) : undefined;
  });
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

/** The cases: a line `== name`, then files, each after a line `-- path --`, and links, each a line `-- path -> target --`. */
async function cases() {
  const text = await readFile(join(HERE, "cases.txt"), "utf8");
  return text.split(/^== /m).slice(1).map((part) => {
    const [name, ...files] = part.split(/^-- (.*) --\n/m);
    const pairs = files.flatMap((path, at) => (at % 2 === 0 ? [[path, files[at + 1]]] : []));
    const [first] = pairs[0];
    const kind = first.startsWith("{commands}") ? "command" : "skill";
    return { name: name.trim(), files: pairs, kind, format: /\.toml\b/i.test(first) ? "toml" : "md" };
  });
}

/** Characters that would not be seen in cases.txt. */
const UNSEEN = { "\\t": "\t", "\\r": "\r", "\\ufeff": "\ufeff" };

async function write(project, path, contents) {
  const [from, target] = path.split(" -> ");
  const file = join(project, from);
  await mkdir(dirname(file), { recursive: true });
  if (target) return symlink(target, file);
  await writeFile(file, contents.replace(/\\(t|r|ufeff)/g, (written) => UNSEEN[written]));
}

async function ask(release, { files, kind }, program) {
  const top = await realpath(await mkdtemp(join(tmpdir(), "oracle-")));
  const world = { home: join(top, "home"), project: join(top, "project") };
  try {
    for (const path of [world.home, join(world.project, ".git")]) await mkdir(path, { recursive: true });
    for (const [path, contents] of files) {
      await write(world.project, path.replace("{skills}", release.skills).replace("{commands}", release.commands), contents);
    }
    const listed = await release.list[kind](world);
    const own = listed.filter(({ path }) => !relative(world.project, path).startsWith(".."));
    const said = await callsheet(program, world, kind, release.edition);
    return { real: seen(own, release), said: seen(said, release) };
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}

/** Cases of commands are for the releases that read the format of their first file. */
function asked({ list, formats = ["md"] }, { kind, format }) {
  return list[kind] && (kind === "skill" || formats.includes(format));
}

const [program, filter = ""] = process.argv.slice(2);
if (!program) {
  console.error("error: name the program: node tests/oracle/run.mjs target/debug/callsheet");
  process.exit(2);
}
const all = await cases();
let differing = 0;
for (const release of RELEASES) {
  const its = all.filter((one) => asked(release, one) && `${release.edition} ${one.name}`.includes(filter));
  if (its.length === 0) continue;
  let alike = 0;
  let known = 0;
  for (const one of its) {
    const { real, said } = await ask(release, one, await realpath(program));
    if (String(real) === String(said)) {
      alike += 1;
    } else if (KNOWN.has(`${release.edition} ${one.name}`)) {
      known += 1;
    } else {
      console.log(`${release.edition} ${one.name}\n  loads:     ${real.join(" ")}\n  callsheet: ${said.join(" ")}`);
    }
  }
  differing += its.length - alike - known;
  console.log(`${release.edition}: ${alike} of ${its.length} alike, ${known} known to differ`);
}
process.exitCode = differing > 0 ? 1 : 0;
