// Runs the examples of the README as one program and compares the output.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const package_ = new URL("../", import.meta.url);

test("the examples print the output below them", async () => {
  const text = await readFile(new URL("README.md", package_), "utf8");
  const blocks = (language) => [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(([, block]) => block);
  // A file in the package can import it by its own name.
  const program = fileURLToPath(new URL("test/readme-example.mjs", package_));
  await writeFile(program, blocks("js").join("\n"));
  const printed = execFileSync(process.execPath, [program], { encoding: "utf8" });
  await rm(program);
  assert.equal(printed, blocks("text").join(""));
});
