// The engine, workers, and a balancer between them: processes and ports of one test.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, openSync } from "node:fs";
import { createServer, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SERVER = join(process.env.CALLSHEET_RESTATE, "@restatedev/restate-server-linux-x64/bin/restate-server");

/** Asks until there is an answer that is one, for a minute at most. */
export async function until(what, ask) {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await ask();
    if (answer) return answer;
    await pause(100);
  }
  throw new Error(`no ${what} within a minute`);
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export class World {
  static async create(program, model) {
    const world = new World();
    world.program = program;
    world.directory = mkdtempSync(join(tmpdir(), "callsheet-restate-"));
    world.project = join(world.directory, "project");
    world.home = join(world.directory, "home");
    world.processes = new Set();
    world.servers = new Set();
    mkdirSync(join(world.project, ".claude/agents"), { recursive: true });
    mkdirSync(world.home);
    const agent = (name, tools) => writeFileSync(join(world.project, `.claude/agents/${name}.md`), `---\nname: ${name}\ndescription: Works\ntools: ${tools}\n---\nWork.\n`);
    agent("worker", "Bash, Read, Write");
    agent("reader", "Read");
    writeFileSync(join(world.project, "notes.txt"), "Notes.\n");
    writeFileSync(join(world.project, "callsheet.toml"), `[providers.mock]\nbase_url = "http://127.0.0.1:${model.port}/v1"\nkey_variable = "MOCK_API_KEY"\n\n[models]\ndefault = "mock:any"\n`);
    const trusted = await world.run(["trust", "callsheet.toml", "--yes"]);
    if (trusted.status) throw new Error(trusted.err);
    for (const port of ["ingress", "admin", "node"]) world[port] = await free();
    return world;
  }

  get environment() {
    return { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: this.home, MOCK_API_KEY: "key", NO_COLOR: "1" };
  }

  /** Runs the program to its end. */
  run(words, { cwd = this.project, input } = {}) {
    return new Promise((done) => {
      const child = spawn(this.program, words, { cwd, env: this.environment, stdio: ["pipe", "pipe", "pipe"] });
      this.processes.add(child);
      const [out, err] = [[], []];
      child.stdout.on("data", (data) => out.push(data));
      child.stderr.on("data", (data) => err.push(data));
      child.stdin.end(input);
      child.on("close", (status, signal) => {
        this.processes.delete(child);
        done({ status, signal, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() });
      });
      this.last = child;
    });
  }

  #start(name, program, words, environment) {
    const log = openSync(join(this.directory, `${name}.log`), "a");
    const child = spawn(program, words, { cwd: this.project, env: environment, stdio: ["ignore", log, log] });
    this.processes.add(child);
    child.on("exit", () => this.processes.delete(child));
    return child;
  }

  async startEngine() {
    const config = join(this.directory, "engine.toml");
    writeFileSync(config, `disable-telemetry = true
listen-mode = "tcp"
bind-address = "127.0.0.1:${this.node}"
advertised-address = "http://127.0.0.1:${this.node}"
default-num-partitions = 2
log-filter = "error"
[ingress]
bind-address = "127.0.0.1:${this.ingress}"
[admin]
bind-address = "127.0.0.1:${this.admin}"
`);
    const words = ["--config-file", config, "--base-dir", join(this.directory, "engine"), "--node-name", "n1", "--auto-provision", "true"];
    this.engine = this.#start("engine", SERVER, words, { PATH: "/usr/bin:/bin", HOME: this.home });
    const healthy = (port, path) => fetch(`http://127.0.0.1:${port}${path}`).then(({ ok }) => ok, () => false);
    await until("engine", async () => (await healthy(this.ingress, "/restate/health")) && (await healthy(this.admin, "/health")));
  }

  async startWorker(name, words = []) {
    const port = await free();
    const child = this.#start(name, this.program, ["worker", "--listen", `127.0.0.1:${port}`, ...words], this.environment);
    await until("worker", () => new Promise((done) => {
      const socket = connect(port, "127.0.0.1", () => done(socket.end()));
      socket.on("error", () => done(false));
    }));
    return { name, port, child, words };
  }

  /** One address for several workers. A connection goes to the next one that accepts it. */
  async balance(workers) {
    let turn = 0;
    const server = createServer((from) => {
      from.on("error", () => {});
      const attempt = (tries) => {
        if (tries > workers.length) return from.destroy();
        turn += 1;
        const to = connect(workers[turn % workers.length].port, "127.0.0.1");
        to.once("error", () => attempt(tries + 1));
        to.once("connect", () => {
          to.on("error", () => from.destroy());
          to.on("close", () => from.destroy());
          from.on("close", () => to.destroy());
          from.pipe(to).pipe(from);
        });
      };
      attempt(0);
    });
    this.servers.add(server);
    return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server.address().port)));
  }

  async register(port) {
    const answer = await fetch(`http://127.0.0.1:${this.admin}/deployments`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ uri: `http://127.0.0.1:${port}`, force: true }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  on(words, options) {
    return this.run(["run", "--on", `restate:http://127.0.0.1:${this.ingress}`, ...words], options);
  }

  /** Rows of the engine's tables. */
  async query(query) {
    const answer = await fetch(`http://127.0.0.1:${this.admin}/query`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ query }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()).rows;
  }

  /** Calls a handler of a session. */
  call(session, handler, body) {
    const request = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return fetch(`http://127.0.0.1:${this.ingress}/CallsheetSession/${session}/${handler}`, { method: "POST", ...request });
  }

  /** Replaces the state of a session. */
  async keep(session, state) {
    const answer = await fetch(`http://127.0.0.1:${this.admin}/services/CallsheetSession/state`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ object_key: session, new_state: state }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }

  /** Gives up an invocation. */
  async kill(invocation) {
    const answer = await fetch(`http://127.0.0.1:${this.admin}/invocations/${invocation}/kill`, { method: "PATCH" });
    if (!answer.ok) throw new Error(await answer.text());
  }

  effects() {
    try {
      return readFileSync(join(this.project, "effects"), "utf8").split("\n").filter(Boolean);
    } catch {
      return [];
    }
  }

  async end() {
    const ended = [...this.processes].map((child) => new Promise((done) => child.on("exit", done)));
    for (const child of this.processes) child.kill("SIGKILL");
    for (const server of this.servers) server.close();
    await Promise.all(ended);
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function free() {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
