// Sessions on workers of a durable engine: they end as those of one machine do, and survive what kills one machine.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startModel } from "./model.mjs";
import { until, World } from "./world.mjs";

const program = process.env.CALLSHEET_BIN;
const cases = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8"));

let model;
let world;
let workers;

before(async () => {
  model = await startModel();
  world = await World.create(program, model);
  await world.startEngine();
  workers = [await world.startWorker("first")];
  await world.register(await world.balance(workers));
});

after(async () => {
  await world.end();
  model.close();
});

const words = ({ agent, task, options = [] }) => [agent, ...(task ? [JSON.stringify(task)] : [""]), ...options];
const plain = (text) => text.replace(/\d+\.\d s/g, "0.0 s").replace(/, session [0-9a-f]+/g, "");
const bypass = ["--permission-mode", "bypass"];

/** What does not depend on the place and the time. */
function lines(out) {
  const shown = out.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  return shown.map((line) => ({ ...line, at: 0, session: null, agents: line.agents?.map((agent) => ({ ...agent, milliseconds: 0, nanoseconds: 0 })) }));
}

for (const one of cases) {
  test(`as on one machine: ${one.name}`, async () => {
    const here = await world.run(["run", "--no-save", "--json", ...words(one)]);
    const before = world.effects();
    const there = await world.on(["--json", ...words(one)]);
    assert.equal(there.status, one.status, there.err);
    assert.equal(here.status, one.status, here.err);
    assert.deepEqual(lines(there.out), lines(here.out));
    assert.equal(plain(there.err), plain(here.err));
    assert.deepEqual(world.effects().slice(before.length), one.effects ?? []);
  });
}

test("the text is that of one machine", async () => {
  const task = { agent: "worker", task: { id: "text", steps: 2, tool: "Read", arguments: { file_path: "notes.txt" } } };
  const [here, there] = [await world.run(["run", "--no-save", ...words(task)]), await world.on(words(task))];
  assert.equal(there.out, here.out);
  assert.equal(plain(there.err), plain(here.err));
});

test("a model that is down for a while is asked again", async () => {
  const there = await world.on(words({ agent: "worker", task: { id: "down", steps: 0, fails: 8, status: 503 } }));
  assert.equal(there.status, 0, there.err);
});

test("a session can be followed again, and is followed to its end", async () => {
  const first = await world.on(["--json", ...words({ agent: "worker", task: { id: "again", steps: 2 }, options: bypass })]);
  const { session } = JSON.parse(first.out.trim().split("\n").at(-1));
  const second = await world.on(["--json", "--resume", session]);
  assert.equal(second.status, 0, second.err);
  assert.deepEqual(lines(second.out), lines(first.out));
});

test("a session that is not there", async () => {
  const there = await world.on(["--resume", "0123456789abcdef"]);
  assert.equal(there.status, 2);
  assert.match(there.err, /the engine has no session 0123456789abcdef/);
});

test("workers of another label do not take it", async () => {
  const task = words({ agent: "worker", task: { id: "label", steps: 1 }, options: bypass });
  const none = await world.on(["--label", "gpu", ...task]);
  assert.equal(none.status, 2);
  assert.match(none.err, /no worker with this label is registered/);
  const labeled = await world.startWorker("labeled", ["--label", "gpu"]);
  const { services } = await world.register(labeled.port);
  assert.deepEqual(services.map(({ name }) => name).sort(), ["CallsheetSession-gpu", "CallsheetStep-gpu"]);
  workers[0].child.kill("SIGSTOP");
  const there = await world.on(["--label", "gpu", ...task]);
  workers[0].child.kill("SIGCONT");
  assert.equal(there.status, 0, there.err);
});

test("an engine that is not there", async () => {
  const there = await world.run(["run", "--on", "restate:http://127.0.0.1:1", ...words({ agent: "worker", task: { id: "none", steps: 0 } })]);
  assert.equal(there.status, 2);
  assert.match(there.err, /cannot reach the engine/);
});

test("a worker that is open to other machines needs the engine's identity", async () => {
  const open = await world.run(["worker", "--listen", "0.0.0.0:0"]);
  assert.equal(open.status, 2);
  assert.match(open.err, /--identity/);
  const bad = await world.run(["worker", "--listen", "127.0.0.1:0", "--identity", "mine"]);
  assert.equal(bad.status, 2);
  assert.match(bad.err, /not a public key/);
});

test("a call that a vanished worker may have made is in doubt, and is not made again", async () => {
  // Its command stops until the worker is dead.
  const command = `echo doubt >> effects; sleep 30`;
  const task = { id: "doubt", steps: 1, tool: "Bash", arguments: { command } };
  const running = world.on(["--json", ...words({ agent: "worker", task, options: bypass })]);
  await until("effect", () => world.effects().includes("doubt"));
  workers[0].child.kill("SIGKILL");
  workers[0] = await world.startWorker("second");
  const there = await running;
  assert.equal(there.status, 0, there.err);
  assert.match(there.out, /"event":"in-doubt"/);
  assert.equal(world.effects().filter((line) => line === "doubt").length, 1);
});

test("a session that a worker cannot read does not fail, but waits", async () => {
  const task = { id: "version", steps: 1, tool: "Bash", arguments: { command: "echo version >> effects; sleep 2" } };
  const running = world.on(["--json", ...words({ agent: "worker", task, options: bypass })]);
  await until("effect", () => world.effects().includes("version"));
  const from = "FROM state WHERE service_name = 'CallsheetSession'";
  const states = await world.query(`SELECT service_key, key, value ${from}`);
  const of = (key) => states.filter(({ service_key }) => service_key === key);
  const [{ service_key: session }] = states.filter(({ key, service_key }) => key === "steps" && Buffer.from(of(service_key).find(({ key }) => key === "steps").value, "hex").toString() !== "{}");
  const kept = Object.fromEntries(of(session).map(({ key, value }) => [key, [...Buffer.from(value, "hex")]]));
  await world.keep(session, { ...kept, snapshot: [1, 2, 3] });
  const stuck = () => world.query(`SELECT id FROM sys_invocation WHERE target_service_key = '${session}' AND last_failure LIKE '%cannot read a session of version%'`);
  const [{ id }] = await until("refusal", async () => (await stuck()).length && stuck());
  const { state } = await (await world.call(session, "told", 0)).json();
  assert.equal(state.outcome, null);
  // What was read is in its journal: it can only be given up.
  await world.kill(id);
  await world.keep(session, kept);
  await world.call(session, "cancel");
  assert.equal((await running).status, 5);
});

test("a session that is canceled stops its command", async () => {
  const task = { id: "cancel", steps: 1, tool: "Bash", arguments: { command: "echo cancel >> effects; sleep 20; echo late >> effects" } };
  const running = world.on(["--json", ...words({ agent: "worker", task, options: bypass })]);
  await until("effect", () => world.effects().includes("cancel"));
  const [{ service_key: session }] = await world.query("SELECT service_key FROM state WHERE service_name = 'CallsheetSession' AND key = 'steps' AND value_utf8 <> '{}'");
  await world.call(session, "cancel");
  const there = await running;
  assert.equal(there.status, 5, there.err);
  await until("end of its command", async () => !(await world.query("SELECT id FROM sys_invocation WHERE target_service_name = 'CallsheetStep'")).length);
  assert.ok(!world.effects().includes("late"));
});

test("another message after the answer", async () => {
  const first = await world.on(["--json", ...words({ agent: "worker", task: { id: "more", steps: 0 } })]);
  const { session } = JSON.parse(first.out.trim().split("\n").at(-1));
  const before = await world.call(session, "told", 0);
  assert.ok(before.ok);
  const sent = await world.call(session, "send", "And now?");
  assert.ok(sent.ok, await sent.text());
  const there = await world.on(["--json", "--resume", session]);
  assert.equal(there.status, 0, there.err);
  assert.equal(there.out.split('"event":"said"').length - 1, 2);
  const unknown = await world.call("0123456789abcdef", "send", "Hello?");
  assert.equal(unknown.status, 404);
});

test("a limit of time ends a session that waits", async () => {
  const task = { id: "time", steps: 1, tool: "Bash", arguments: { command: "sleep 20; echo late >> effects" } };
  const there = await world.on(["--json", ...words({ agent: "worker", task, options: [...bypass, "--time", "1s"] })]);
  assert.equal(there.status, 4, there.err);
});
