// Many sessions while workers are killed, and while the engine is killed: all end, and nothing is done twice.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startModel } from "./model.mjs";
import { pause, World } from "./world.mjs";

const program = process.env.CALLSHEET_BIN;
const sessions = Number(process.env.SESSIONS ?? 30);
const steps = Number(process.env.STEPS ?? 5);
const clients = Number(process.env.CLIENTS ?? 8);

let model;
let world;
let workers;

before(async () => {
  model = await startModel(20);
  world = await World.create(program, model);
  await world.startEngine();
  workers = await Promise.all([1, 2, 3].map((number) => world.startWorker(`worker-${number}`)));
  await world.register(await world.balance(workers));
});

after(async () => {
  await world.end();
  model.close();
});

/** Runs all sessions, a few at a time, while something is disturbed until they end. */
async function disturbed(name, disturb) {
  const waiting = Array.from({ length: sessions }, (_, number) => `${name}${number}`);
  let doubts = 0;
  let running = true;
  const client = async () => {
    for (let id = waiting.pop(); id; id = waiting.pop()) {
      let result;
      // Nothing was sent: the engine is down.
      do {
        result = await world.on(["worker", JSON.stringify({ id, steps }), "--permission-mode", "bypass", "--json"]);
      } while (result.status !== 0 && result.err.includes("cannot reach the engine: ") && !result.err.includes("to follow it"));
      const { status, out, err } = result;
      assert.equal(status, 0, err);
      assert.match(out, new RegExp(`Done: ${id}"`));
      doubts += out.split('"event":"in-doubt"').length - 1;
    }
  };
  const began = Date.now();
  const disturbing = (async () => {
    let times = 0;
    for (; running; times += 1) {
      await pause(1000);
      if (running) await disturb();
    }
    return times;
  })();
  try {
    await Promise.all(Array.from({ length: clients }, client));
  } finally {
    running = false;
  }
  const times = await disturbing;
  const made = world.effects().filter((line) => line.startsWith(name));
  const expected = sessions * steps;
  console.log(`${name}: ${sessions} sessions of ${steps} steps in ${Math.round((Date.now() - began) / 1000)} s, disturbed ${times} times, ${made.length} calls made, ${doubts} in doubt`);
  assert.equal(new Set(made).size, made.length, "a call was made twice");
  assert.ok(made.length <= expected && made.length >= expected - doubts, "a call was lost");
}

test("workers are killed", () =>
  disturbed("kill", async () => {
    const victim = workers[Math.floor(Math.random() * workers.length)];
    victim.child.kill("SIGKILL");
    await new Promise((done) => (victim.child.exitCode ?? victim.child.signalCode) === null ? victim.child.on("exit", done) : done());
    Object.assign(victim, await world.startWorker(victim.name));
  }));

test("the engine is killed once, and started again", () => {
  let was = false;
  return disturbed("engine", async () => {
    if (was) return;
    was = true;
    world.engine.kill("SIGKILL");
    await new Promise((done) => world.engine.on("exit", done));
    await world.startEngine();
  });
});
