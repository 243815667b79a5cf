// Measures start time, requests per second and core, and memory of the worker. `node bench/load.mjs [SECONDS]`
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { built } from "../capnp.mjs";
import { run } from "./workerd.mjs";

const STARTS = 11;
const CONNECTIONS = 4;
const seconds = Number(process.argv[2] ?? 10);
const hello = [{ name: "worker.js", contents: "export default { fetch: () => new Response() };" }];
const worker = built(new URL("../dist", import.meta.url).pathname);

const sessions = mkdtempSync(join(tmpdir(), "callsheet-load-"));
const empty = await starts(hello, {});
const whole = await starts(worker, { sessions });
console.log(`start to the first answer, median of ${STARTS}, compared with an empty worker:`);
console.log(`${round(whole.processor - empty.processor)} ms of CPU time, ${round(whole.clock - empty.clock)} ms of wall time`);

const { url, server } = await run(worker, { sessions });
try {
  console.log(`memory after start: ${memory(server.pid)} MB`);
  const one = file(4096);
  await load("one file of 4 KB, in use", "/v1/check", { files: { ".claude/agents/reviewer.md": one } });
  await load("one file of 4 KB, alone", "/v1/check", { files: { ".claude/agents/reviewer.md": one }, alone: true });
  await load("one file of 4 KB, converted", "/v1/convert", { path: ".claude/agents/reviewer.md", contents: one, to: "gemini-cli" });
  console.log(`memory after load: ${memory(server.pid)} MB`);
} finally {
  server.kill();
  rmSync(sessions, { recursive: true });
}

async function starts(modules, options) {
  const times = [];
  for (let count = 0; count < STARTS; count += 1) {
    const { server, started } = await run(modules, options);
    times.push({ clock: started, processor: processorSeconds(server.pid) * 1000 });
    server.kill();
  }
  const median = (key) => times.map((time) => time[key]).sort((one, other) => one - other)[STARTS >> 1];
  return { clock: median("clock"), processor: median("processor") };
}

/** Requests per second of wall time, and of the CPU time of workerd, which other load does not affect. */
async function load(name, path, body) {
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  await during(2, url + path, request);
  const before = processorSeconds(server.pid);
  const times = await during(seconds, url + path, request);
  const core = Math.round(times.length / (processorSeconds(server.pid) - before));
  const [median, most] = [0.5, 0.99].map((part) => round(times[Math.floor(times.length * part)]));
  console.log(`${name}: ${core} per second and core, ${Math.round(times.length / seconds)} per second of wall time, median ${median} ms, 99th percentile ${most} ms`);
}

/** Sends requests over several connections. Returns the sorted response times. */
async function during(seconds, url, request) {
  const times = [];
  const end = performance.now() + seconds * 1000;
  const client = async () => {
    for (let now = performance.now(); now < end; now = performance.now()) {
      const answer = await fetch(url, request);
      if (!answer.ok) throw new Error(`${url} returned ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
      times.push(performance.now() - now);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return times.sort((one, other) => one - other);
}

/** An agent file of this size, with a finding. */
function file(bytes) {
  const head = "---\nname: reviewer\ndescription: Reviews: changes before they are merged\ntools: Read, Grep, Bash(git *)\nmodel: sonnet\n---\n\n# Review\n\n";
  const line = "Look at each change, and say what is wrong with it in `one` sentence.\n\n";
  return (head + line.repeat(bytes / line.length + 1)).slice(0, bytes);
}

/** The CPU time of all threads of a process. */
function processorSeconds(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]));
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9;
}

function memory(pid) {
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1];
  return Math.round(Number(resident) / 1024);
}

function round(milliseconds) {
  return Math.round(milliseconds * 10) / 10;
}
