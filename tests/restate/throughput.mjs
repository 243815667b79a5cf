// Measures sessions on 1, 2 and 3 workers: steps per second, processor time and storage of a step. Not a test: figures depend on the machine.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startModel } from "./model.mjs";
import { pause, World } from "./world.mjs";

const program = process.env.CALLSHEET_BIN;
const sessions = Number(process.env.SESSIONS ?? 200);
const steps = Number(process.env.STEPS ?? 10);
/** Sessions at the same time. */
const open = Number(process.env.OPEN ?? 32);
/** The time of a model's answer in milliseconds. */
const thinks = Number(process.env.THINKS ?? 100);

/** What `callsheet run` sends. */
const options = { models: [], permission_mode: "Bypass", allow: [], attenuate: false, limits: {} };

/** Processor time of a process in seconds. Its children that ended count. */
function used({ pid }) {
  const [user, system, children, theirs] = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /s, "").split(" ").slice(11, 15);
  return [user, system, children, theirs].reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

const bytes = (directory) => Number(execFileSync("du", ["-sb", directory]).toString().split("\t")[0]);

async function runs(world, name) {
  const waiting = Array.from({ length: sessions }, (_, number) => `${name}-${number}`);
  const client = async () => {
    for (let id = waiting.pop(); id; id = waiting.pop()) {
      const prompt = JSON.stringify({ id, steps, tool: "Read", arguments: { file_path: "notes.txt" } });
      const opened = await world.call(id, "open", { agent: "reader", prompt, dialect: "claude-code", options });
      if (!opened.ok) throw new Error(await opened.text());
      for (let ended = false; !ended; ) {
        await pause(50);
        const told = await (await world.call(id, "told", 1_000_000)).json();
        ended = told.state?.outcome;
        if (ended && ended.ending !== "Answer") throw new Error(JSON.stringify(ended));
      }
    }
  };
  await Promise.all(Array.from({ length: open }, client));
}

const model = await startModel(thinks);
for (const count of [1, 2, 3]) {
  const world = await World.create(program, model);
  try {
    await world.startEngine();
    const workers = await Promise.all(Array.from({ length: count }, (_, number) => world.startWorker(`worker-${number}`)));
    await world.register(await world.balance(workers));
    const engine = join(world.directory, "engine");
    const [began, stored] = [Date.now(), bytes(engine)];
    const before = [world.engine, ...workers.map(({ child }) => child)].map(used);
    await runs(world, "a");
    const seconds = (Date.now() - began) / 1000;
    const [ofEngine, ...ofWorkers] = [world.engine, ...workers.map(({ child }) => child)].map((child, at) => used(child) - before[at]);
    const [{ states, state }] = await world.query("SELECT count(*) AS states, sum(octet_length(encode(value, 'hex'))) / 2 AS state FROM state");
    // Each step of an agent is an answer of the model and a call; at the end, there is one more answer.
    const taken = sessions * (2 * steps + 1);
    const each = (sum) => `${((sum * 1000) / taken).toFixed(2)} ms`;
    console.log(
      [
        `${count} worker${count > 1 ? "s" : ""}: ${taken} steps in ${seconds.toFixed(1)} s, ${Math.round(taken / seconds)} per second`,
        `processor time of a step: engine ${each(ofEngine)}, workers ${each(ofWorkers.reduce((sum, one) => sum + one, 0))} (${ofWorkers.map((one) => `${one.toFixed(1)} s`).join(", ")})`,
        `state of a session: ${Math.round(Number(state) / sessions)} bytes in ${Math.round(Number(states) / sessions)} values; disk of a step: ${Math.round((bytes(engine) - stored) / taken)} bytes`,
      ].join("\n  "),
    );
  } finally {
    await world.end();
  }
}
model.close();
