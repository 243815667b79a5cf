// Sessions survive restarts.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { run } from "../bench/workerd.mjs";
import { built } from "../capnp.mjs";
import { agent, client, isProblem } from "./client.mjs";
import { start } from "./start.mjs";

const storage = mkdtempSync(join(tmpdir(), "callsheet-sessions-"));
let server;
let ask;

before(restart);
after(async () => {
  await server?.stop();
  rmSync(storage, { recursive: true, force: true });
});

async function restart() {
  await server?.stop();
  server = await start({ built: "dist/test", storage });
  ask = client(server.url);
}

const files = { ".claude/agents/lead.md": agent("lead"), ".claude/agents/helper.md": agent("helper", "tools: Read\n") };
const tools = [{ name: "Read", description: "Reads a file", schema: { type: "object", properties: { file_path: { type: "string" } } } }];
const task = { agent: "lead", prompt: "Say what is in a.txt" };

async function open(more = {}) {
  const { status, headers, body } = await ask("POST", "/v1/sessions", { files, dialect: "claude-code", task, tools, ...more });
  assert.equal(status, 201, JSON.stringify(body));
  const path = `/v1/sessions/${body.id}`;
  assert.equal(headers.get("location"), path);
  return { path, body };
}
const reply = async (path, answer) => {
  const { status, body } = await ask("POST", `${path}/replies`, answer);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const calls = (id, name, given) => ({ calls: [{ id, name, arguments: JSON.stringify(given) }], input_tokens: 10, output_tokens: 5 });

test("a session resumes until its end", async () => {
  const { path, body: opened } = await open();
  assert.deepEqual(opened.steps.map(({ step, request }) => [step, request.agent]), [["ask-model", ["lead"]]]);

  // The Durable Object is discarded between the steps.
  const delegates = calls("c1", "Agent", { subagent_type: "helper", prompt: "Read a.txt", description: "Reads a file" });
  const called = await reply(path, { step: opened.steps[0].id, model: delegates });
  assert.deepEqual(called.steps.map(({ request }) => request.agent), [["lead", "helper"]]);
  assert.equal((await fetch(new URL(path.replace("/v1/sessions", "/abort"), server.url))).status, 200);
  assert.deepEqual((await ask("GET", path)).body, called);

  // The server is restarted.
  const reads = await reply(path, { step: called.steps[0].id, model: calls("r1", "Read", { file_path: "/project/a.txt" }) });
  assert.deepEqual(reads.steps.map(({ step, request }) => [step, request.call.name, request.permitted]), [["call-tool", "Read", true]]);
  await restart();
  assert.deepEqual((await ask("GET", path)).body, reads);

  const read = await reply(path, { step: reads.steps[0].id, tool: { text: "forty-two" } });
  assert.equal(read.steps[0].request.messages.at(-1).text, "forty-two");
  const returned = await reply(path, { step: read.steps[0].id, model: { text: "It says forty-two" } });
  assert.deepEqual(returned.steps[0].request.agent, ["lead"]);
  await restart();
  const ended = await reply(path, { step: returned.steps[0].id, model: { text: "Forty-two." } });
  assert.deepEqual(ended.outcome, { outcome: "answer", text: "Forty-two." });
  assert.deepEqual(ended.usage, { turns: 4, children: 1, input_tokens: 20, output_tokens: 10, cost: 0 });

  const { events } = (await ask("GET", `${path}/events`)).body;
  assert.deepEqual(events.map(({ number }) => number), events.map((_, number) => number));
  assert.deepEqual(events.at(-1), { ...events.at(-1), event: "ended", outcome: "answer", text: "Forty-two." });
  assert.deepEqual((await ask("GET", `${path}/events?from=${events.length - 1}`)).body.events, events.slice(-1));
  isProblem(await ask("POST", `${path}/replies`, { step: 0, model: {} }), 409, "finished");
});

test("a session survives workerd being killed", async () => {
  const modules = built(new URL("../dist", import.meta.url).pathname);
  const sessions = join(storage, "workerd");
  let { url, server } = await run(modules, { sessions });
  const opened = await client(url)("POST", "/v1/sessions", { files, dialect: "claude-code", task, tools });
  assert.equal(opened.status, 201);
  const path = opened.headers.get("location");
  const called = await client(url)("POST", `${path}/replies`, { step: 0, model: calls("r", "Read", { file_path: "a" }) });
  server.kill("SIGKILL");
  ({ url, server } = await run(modules, { sessions }));
  try {
    assert.deepEqual((await client(url)("GET", path)).body, called.body);
  } finally {
    server.kill();
  }
});

test("a call of a tool that the agent does not have is an error in the session and an event", async () => {
  const { path, body } = await open({ task: { agent: "helper", prompt: "x" } });
  const refused = await reply(path, { step: body.steps[0].id, model: calls("b", "Bash", { command: "true" }) });
  assert.equal(refused.steps[0].request.messages.at(-1).is_error, true);
  assert.ok((await ask("GET", `${path}/events`)).body.events.some(({ event, tool }) => event === "invalid" && tool === "Bash"));
});

test("an invalid reply changes nothing", async () => {
  const { path, body } = await open();
  isProblem(await ask("POST", `${path}/replies`, { step: 77, model: {} }), 409, "not-outstanding");
  isProblem(await ask("POST", `${path}/replies`, { step: body.steps[0].id, tool: { text: "" } }), 409, "unfit-reply");
  for (const answer of [{}, { step: 0 }, { step: -1, model: {} }, { step: 0, model: {}, tool: { text: "" } }, { step: 0, failed: {} }]) {
    isProblem(await ask("POST", `${path}/replies`, answer), 422, "unfit");
  }
  assert.deepEqual((await ask("GET", path)).body, body);
});

test("only one of two replies to a step is accepted", async () => {
  const { path, body } = await open();
  const answer = { step: body.steps[0].id, model: { text: "done" } };
  const both = await Promise.all([1, 2].map(() => ask("POST", `${path}/replies`, answer)));
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
});

test("a trap does not change a session", async () => {
  const { path, body } = await open();
  isProblem(await ask("GET", "/break"), 500, "trap");
  assert.deepEqual((await ask("GET", path)).body, body);
});

test("steps can fail, and settings limit a session", async () => {
  const failing = await open({ settings: { bounds: { turns: 1 } } });
  const failed = { step: failing.body.steps[0].id, failed: { error: "timed-out" } };
  assert.equal((await reply(failing.path, failed)).outcome.outcome, "failed");
  const bounded = await open({ settings: { bounds: { turns: 1 } } });
  const reads = await reply(bounded.path, { step: bounded.body.steps[0].id, model: calls("r", "Read", { file_path: "a" }) });
  const { outcome } = await reply(bounded.path, { step: reads.steps[0].id, tool: { text: "a" } });
  assert.deepEqual([outcome.outcome, outcome.bound], ["bound", "turns"]);
  isProblem(await ask("POST", "/v1/sessions", { files, dialect: "claude-code", task, settings: { bounds: { depth: 99 } } }), 422, "unfit");
});

test("an end at the deadline has one outcome and one time", async () => {
  const events = async (path) => (await ask("GET", `${path}/events`)).body.events;
  for (const [method, part, body] of [["GET", ""], ["GET", "/events"], ["POST", "/cancel"], ["POST", "/replies", { step: 0, model: { text: "late" } }]]) {
    const { path } = await open({ settings: { bounds: { deadline: 100_000_000 } } });
    await setTimeout(150);
    const { status } = await ask(method, path + part, body);
    assert.equal(status, part === "/replies" ? 409 : 200, part);
    const first = await events(path);
    await setTimeout(5);
    assert.deepEqual(await events(path), first, part);
    const { outcome } = (await ask("POST", `${path}/cancel`)).body;
    assert.deepEqual([outcome.outcome, outcome.bound], ["bound", "deadline"], part);
  }
});

test("earlier steps can be omitted", async () => {
  const { path, body } = await open();
  assert.deepEqual((await ask("GET", `${path}?from=${body.steps[0].id + 1}`)).body.steps, []);
  for (const from of ["-1", "x", "1.5", "", "4294967296", "1&from=2"]) isProblem(await ask("GET", `${path}?from=${from}`), 400, "malformed");
});

test("a session can be ended and deleted", async () => {
  const { path } = await open();
  for (let time = 0; time < 2; time += 1) {
    assert.deepEqual((await ask("POST", `${path}/cancel`)).body.outcome, { outcome: "cancelled" });
  }
  assert.equal((await ask("DELETE", path)).status, 204);
  for (const [method, part, body] of [["GET", ""], ["DELETE", ""], ["GET", "/events"], ["POST", "/cancel"], ["POST", "/replies", { step: 0, model: {} }]]) {
    isProblem(await ask(method, path + part, body), 404, "no-such-session");
  }
});

test("the nesting of tool schemas is limited", async () => {
  const nested = (depth) => `${'{"a":'.repeat(depth)}{}${"}".repeat(depth)}`;
  const opening = (schema) => `{"files":{},"dialect":"claude-code","task":{"agent":"Plan","prompt":""},"tools":[{"name":"t","description":"","schema":${schema}}]}`;
  assert.equal((await ask("POST", "/v1/sessions", opening(nested(40)))).status, 201);
  isProblem(await ask("POST", "/v1/sessions", opening(nested(100_000))), 422, "too-deep");
});

test("a session is deleted a day after its last change", async () => {
  const { path } = await open();
  const left = (await ask("GET", path.replace("/v1/sessions", "/expire"))).body;
  assert.ok(left > 86_000_000 && left <= 86_400_000, `${left} ms`);
  isProblem(await ask("GET", path), 404, "no-such-session");
});

test("unknown agents and sessions are errors", async () => {
  const unknown = { files, dialect: "claude-code", task: { agent: "leed", prompt: "" } };
  assert.match(isProblem(await ask("POST", "/v1/sessions", unknown), 422, "unknown-agent").detail, /did you mean `lead`/);
  for (const id of ["x", "0".repeat(64), "z".repeat(64)]) isProblem(await ask("GET", `/v1/sessions/${id}`), 404, "no-such-session");
});

test("a reply that makes a session too large is refused", async () => {
  const { path, body } = await open({ settings: { bounds: { result_bytes: 1_000_000, turns: 100 } } });
  let at = body;
  for (let turn = 0; ; turn += 1) {
    assert.ok(turn < 20, "it has to end");
    const answer = await ask("POST", `${path}/replies`, { step: at.steps[0].id, model: { text: "x".repeat(1_000_000), ...calls(`r${turn}`, "Read", { file_path: "a" }) } });
    if (answer.status !== 200) {
      isProblem(answer, 413, "session-too-large");
      break;
    }
    at = await reply(path, { step: answer.body.steps[0].id, tool: { text: "y".repeat(900_000) } }).catch(() => undefined) ?? answer.body;
  }
  assert.equal((await ask("POST", `${path}/cancel`)).status, 200);
});
