// The driver for Node, on the package as it is published.
import { isAbsolute } from "node:path";
import { start } from "../../packages/node/dist/component.js";
import { Disk } from "../../packages/node/dist/index.js";
import { Driver } from "./driver.mjs";
import { answerLines } from "./lines.mjs";

function disk({ project, home, plugins, directories, followLinks, seen }) {
  const disk = new Disk({ project, home, plugins: [], directories: [...plugins, ...directories] }, { followLinks });
  // What lies in none of the places is an administrator's, or was named.
  for (const path of seen) {
    if (isAbsolute(path)) disk.grant({ directory: path, level: "policy" });
    else disk.grantNamed(path);
  }
  return disk.import;
}

const driver = new Driver(start, disk);
await answerLines((call) => driver.answer(call));
