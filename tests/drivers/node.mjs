// The driver for Node, on the package as published.
import { start } from "../../packages/node/dist/component.js";
import { Disk } from "../../packages/node/dist/index.js";
import { Driver } from "./driver.mjs";
import { answerLines } from "./lines.mjs";

function disk({ project, home, plugins, directories, followLinks, seen, named = [] }) {
  const disk = new Disk({ project, home, plugins: [], directories: [...plugins, ...directories] }, { followLinks });
  // What is in none of the places can only be an administrator's.
  for (const directory of seen) disk.grant({ directory, level: "policy" });
  for (const place of named) {
    disk.add(place);
    disk.grantPath(place.name);
  }
  return disk.import;
}

const driver = new Driver(start, disk);
await answerLines((call) => driver.answer(call));
