// Sessions: driven, saved, canceled and denied.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Catalog, Session, drive } from "callsheet";

const files = {
  ".claude/agents/lead.md": "---\nname: lead\ndescription: Leads\ntools: Agent, Read\n---\nLead.\n",
  ".claude/agents/reader.md": "---\nname: reader\ndescription: Reads\ntools: Read\n---\nRead.\n",
};
const spec = (name) => ({ name, description: name, schema: '{"type":"object"}' });
const tools = [spec("Read"), spec("Bash")];
const says = (text, ...calls) => ({ text, calls: calls.map(([name, given], index) => ({ id: String(index), name, arguments: JSON.stringify(given) })), inputTokens: 1, outputTokens: 1 });
const ask = (agent) => ["Agent", { subagent_type: agent, description: "read a file", prompt: "read" }];
const results = (request) => request.messages.filter(({ role }) => role === "tool").map(({ text }) => text);

async function open(agent = "lead", settings) {
  const catalog = await Catalog.open({ files, home: null, dialect: "claude-code" });
  return catalog.session({ agent, prompt: "go" }, tools, settings);
}

const model = (request) => {
  const heard = results(request);
  if (heard.length > 0) return says(heard.join(" and "));
  return request.agent.length === 1 ? says("", ask("reader"), ask("reader")) : says("", ["Read", { file_path: "a" }]);
};

test("agents call agents, and steps run in parallel", async () => {
  let atOnce = 0;
  let most = 0;
  const events = [];
  const slow = async () => {
    most = Math.max(most, (atOnce += 1));
    await new Promise((done) => setTimeout(done, 20));
    atOnce -= 1;
    return { text: "read", isError: false };
  };
  const session = await open();
  const outcome = await drive(session, model, slow, { onEvent: (event) => events.push(event.what.tag) });
  assert.deepEqual(outcome, { ending: { tag: "answer" }, text: "read and read" });
  assert.equal(most, 2);
  assert.equal(session.usage().children, 2);
  assert.ok(events.includes("called") && events.at(-1) === "ended");
});

test("agents get the project's instructions, and what these import from anywhere in the project", async (context) => {
  const project = mkdtempSync(join(tmpdir(), "callsheet-"));
  context.after(() => rmSync(project, { recursive: true }));
  for (const directory of [".claude/agents", "docs"]) mkdirSync(join(project, directory), { recursive: true });
  for (const [path, contents] of Object.entries(files)) writeFileSync(join(project, path), contents);
  writeFileSync(join(project, "CLAUDE.md"), "See @docs/style.md.\n");
  writeFileSync(join(project, "docs/style.md"), "Write plainly.\n");
  const catalog = await Catalog.open({ project, home: null, dialect: "claude-code" });
  const surroundings = { directory: project, platform: "linux", date: "2026-11-27", personal: false, isRepository: false };
  const heard = [];
  const answer = (request) => {
    heard.push(...request.messages.map(({ text }) => text));
    return says("done");
  };
  await drive(catalog.session({ agent: "lead", prompt: "go" }, tools, { surroundings }), answer, () => {});
  assert.match(heard.join("\n"), /See @docs\/style\.md\.[^]*Write plainly\./);
});

test("a denied call reaches no tool", async () => {
  const called = [];
  const refused = [];
  const session = await open("reader");
  const wants = (request) => (results(request).length > 0 ? says("done") : says("", ["Bash", { command: "rm -rf /" }]));
  const outcome = await drive(session, wants, ({ call }) => called.push(call.name), {
    onEvent: ({ what }) => what.tag === "refused" && refused.push(what.val.tool),
  });
  assert.equal(outcome.ending.tag, "answer");
  assert.deepEqual(called, []);
  assert.deepEqual(refused, ["Bash"]);
});

test("an error of a model ends the session", async () => {
  const outcome = await drive(await open(), () => Promise.reject(new Error("no network")), () => ({ text: "", isError: false }));
  assert.equal(outcome.ending.tag, "failed");
  assert.match(outcome.text, /no network/);
});

test("limits are numbers, and counts can be written as JSON", async () => {
  const session = await open("reader", { bounds: { tokens: 3, cost: 10 } });
  const events = [];
  const spends = (request) => ({ ...model(request), inputTokens: 5, cost: 2 });
  const outcome = await drive(session, spends, () => ({ text: "x", isError: false }), { onEvent: (event) => events.push(event) });
  assert.equal(outcome.ending.tag, "bound");
  assert.equal(outcome.ending.val.bound, "tokens");
  const usage = JSON.parse(JSON.stringify(session.usage()));
  assert.deepEqual([usage.inputTokens, usage.outputTokens, usage.cost], [5, 1, 2]);
  assert.deepEqual(JSON.parse(JSON.stringify(events)).map(({ number }) => number), events.map((_, index) => index));
});

test("a session resumes elsewhere", async () => {
  const session = await open("reader");
  const [{ id }] = session.poll();
  session.reply(id, { tag: "model", val: says("", ["Read", { file_path: "a" }]) });
  const again = await Session.restore(session.snapshot());
  assert.deepEqual(again.poll(0, 5n), session.poll(0, 5n));
  const outcome = await drive(again, model, () => ({ text: "x", isError: false }));
  assert.deepEqual(outcome, { ending: { tag: "answer" }, text: "x" });
  await assert.rejects(Session.restore(new Uint8Array([1, 2, 3])), { tag: "bad-snapshot" });
});

test("a step takes one reply of its own kind", async () => {
  const session = await open("reader");
  const [{ id }] = session.poll();
  assert.throws(() => session.reply(id, { tag: "tool", val: { text: "", isError: false } }), { tag: "unfit-reply" });
  assert.throws(() => session.reply(id + 1, { tag: "model", val: says("") }), { tag: "not-outstanding" });
  session.reply(id, { tag: "model", val: says("done") });
  assert.throws(() => session.reply(id, { tag: "model", val: says("") }), { tag: "finished" });
});

test("a session can be canceled", { timeout: 60_000 }, async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 10);
  const outcome = await drive(await open(), () => new Promise(() => {}), () => {}, { signal: stop.signal });
  assert.deepEqual(outcome, { ending: { tag: "cancelled" }, text: "canceled" });
});

const none = () => ({ text: "", isError: false });
const never = () => new Promise(() => {});

test("a deadline and a cancellation end steps in progress", { timeout: 60_000 }, async () => {
  const deadline = process.hrtime.bigint() + 1_000_000n;
  const limited = await open("reader", { bounds: { deadline } });
  const saved = limited.snapshot();
  for (const session of [limited, await Session.restore(saved, deadline)]) {
    const { ending } = await drive(session, never, none);
    assert.deepEqual([ending.tag, ending.val.bound], ["bound", "deadline"]);
  }
  const session = await open("reader");
  const driven = drive(session, never, none);
  session.cancel();
  assert.equal((await driven).ending.tag, "cancelled");
});

test("answers after the end are ignored, and a signal is left without listeners", { timeout: 60_000 }, async () => {
  const listeners = new Set();
  const signal = { aborted: false, addEventListener: (_, listener) => listeners.add(listener), removeEventListener: (_, listener) => listeners.delete(listener) };
  await drive(await open("reader"), () => says("done"), none, { signal });
  assert.equal(listeners.size, 0);
  const session = await open("reader");
  let finish;
  const driven = drive(session, () => new Promise((done) => (finish = done)), none, { signal });
  for (const listener of listeners) listener();
  assert.equal((await driven).ending.tag, "cancelled");
  session.close();
  finish(says("late"));
  // An unhandled rejection fails the test.
  await new Promise(setImmediate);
});

test("no step starts after the end", { timeout: 60_000 }, async () => {
  const session = await open("reader");
  const both = () => says("", ["Read", { file_path: "a" }], ["Read", { file_path: "b" }]);
  let calls = 0;
  const canceling = () => {
    calls += 1;
    session.cancel();
    return { text: "", isError: false };
  };
  assert.equal((await drive(session, both, canceling)).ending.tag, "cancelled");
  assert.equal(calls, 1);
});

test("an invalid answer after the end is ignored", { timeout: 60_000 }, async () => {
  const session = await open("reader");
  let finish;
  const answer = new Promise((done) => (finish = done));
  const outcome = await drive(session, () => answer, none, { onEvent: () => session.cancel() });
  assert.equal(outcome.ending.tag, "cancelled");
  finish(undefined);
  // An unhandled rejection fails the test.
  await new Promise(setImmediate);
});

test("an invalid answer at the same time as another is reported", { timeout: 60_000 }, async () => {
  const answers = [says("read"), undefined];
  const both = (request) => (request.agent.length === 1 ? model(request) : answers.shift());
  await assert.rejects(drive(await open(), both, none), { name: "TypeError" });
});

test("a cancellation after the answer does not affect the next message", { timeout: 60_000 }, async () => {
  const session = await open("reader");
  await drive(session, () => says("done"), none);
  session.cancel();
  assert.equal(session.outcome().ending.tag, "answer");
  session.send("more");
  const poll = session.poll.bind(session);
  let polls = 0;
  session.poll = (from) => {
    assert.ok((polls += 1) < 10, "polls without a new reply");
    return poll(from);
  };
  const slow = () => new Promise((done) => setTimeout(() => done(says("again")), 20));
  assert.equal((await drive(session, slow, none)).text, "again");
  session.send("more");
  const driven = drive(session, never, none);
  session.cancel();
  assert.equal((await driven).ending.tag, "cancelled");
});

test("anything but an answer is a TypeError that names the field", async () => {
  const wrong = async (model, tool, message) => {
    await assert.rejects(drive(await open("reader"), model, tool), { name: "TypeError", message });
  };
  for (const tokens of [-1, 2 ** 32, 1.5, NaN, "1", undefined]) {
    await wrong(() => ({ ...says("done"), inputTokens: tokens }), none, /^`models` must return `inputTokens` as an integer/);
    await wrong(() => ({ ...says("done"), outputTokens: tokens }), none, /^`models` must return `outputTokens` as an integer/);
  }
  await wrong(() => ({ ...says("done"), cost: -1n }), none, /^`models` must return `cost`/);
  await wrong(() => undefined, none, "`models` must return an answer, not undefined");
  await wrong(() => ({ ...says("done"), text: null }), none, "`models` must return `text` as a string, not null");
  await wrong(() => ({ ...says(""), calls: [{ id: 1 }] }), none, "`models` must return `id` of each call as a string, not 1");
  const reads = () => says("", ["Read", { file_path: "a" }]);
  await wrong(reads, () => undefined, "`tools` must return an answer, not undefined");
  await wrong(reads, () => ({ text: "x" }), "`tools` must return `isError` as a boolean, not undefined");
  const most = { ...says("done"), inputTokens: 2 ** 32 - 1, cost: 2n ** 64n - 1n };
  assert.equal((await drive(await open("reader"), () => most, none)).text, "done");
});

test("an unknown agent, and a limit", async () => {
  await assert.rejects(open("leed"), { tag: "unknown-agent", value: { name: "leed", nearest: "lead" }, message: "no active agent `leed`; did you mean `lead`?" });
  const endless = () => says("", ["Read", { file_path: "a" }]);
  const session = await open("reader", { bounds: { turns: 2 } });
  const outcome = await drive(session, endless, () => ({ text: "", isError: false }));
  assert.equal(outcome.ending.tag, "bound");
  assert.equal(outcome.ending.val.bound, "turns");
});

test("a conversation is read from anywhere and continues after its answer", async () => {
  const session = await open("reader");
  assert.throws(() => session.send("more"), { tag: "other" });
  const brief = session.pollBrief()[0].step.val;
  const whole = session.poll()[0].step.val;
  assert.deepEqual(brief.messages, []);
  assert.deepEqual(session.messages(), whole.messages);
  assert.deepEqual(session.messages(0, 1), whole.messages.slice(1));
  const count = (request) => says(`${request.messages.length} messages`);
  await drive(session, count, none);
  session.send("more");
  assert.deepEqual(await drive(session, count, none), { ending: { tag: "answer" }, text: "4 messages" });
});
