// Checks a project in Node repeatedly, and prints the CPU milliseconds of the fastest run.
import { Catalog } from "../../packages/node/dist/index.js";

const [project] = process.argv.slice(2);
const ROUNDS = 25;
let least = Infinity;
for (let round = 0; round < ROUNDS; round += 1) {
  const before = process.cpuUsage();
  const catalog = await Catalog.open({ project, home: null, dialect: "claude-code", check: true });
  catalog.diagnostics();
  const { user, system } = process.cpuUsage(before);
  catalog.close();
  least = Math.min(least, (user + system) / 1_000);
}
console.log(least);
