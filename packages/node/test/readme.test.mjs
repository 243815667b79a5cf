// The examples of the README, as one program: what they print is what stands below them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const package_ = new URL("../", import.meta.url);

test("the examples do what they say", async () => {
  const text = await readFile(new URL("README.md", package_), "utf8");
  const blocks = (language) => [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(([, block]) => block);
  // In the package itself its own name leads to it.
  const program = fileURLToPath(new URL("test/readme-example.mjs", package_));
  await writeFile(program, blocks("js").join("\n"));
  const printed = execFileSync(process.execPath, [program], { encoding: "utf8" });
  await rm(program);
  assert.equal(printed, blocks("text").join(""));
});
