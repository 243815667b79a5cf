// The examples of the README, run as one program, and all examples in the documents, compiled with strict TypeScript.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("../", import.meta.url));
const docs = fileURLToPath(new URL("../../../docs/", import.meta.url));
// A file in the package can import it by its own name.
const folder = join(here, ".examples");

before(() => mkdirSync(folder, { recursive: true }));
after(() => rmSync(folder, { recursive: true }));

/** The code blocks of these languages, without what is between them. */
function blocks(file, languages) {
  const fences = readFileSync(file, "utf8").matchAll(new RegExp(`^ *\`\`\`(?:${languages})\\b.*\n([^]*?)^ *\`\`\`$`, "gm"));
  return [...fences].map(([, block]) => block).join("");
}

test("the examples print the output below them", () => {
  const program = join(folder, "readme.mjs");
  writeFileSync(program, blocks(join(here, "README.md"), "js"));
  const printed = execFileSync(process.execPath, [program], { encoding: "utf8" });
  assert.equal(printed, blocks(join(here, "README.md"), "text"));
});

test("the examples are strict TypeScript", () => {
  const documents = readdirSync(docs).filter((name) => name.endsWith(".md")).map((name) => join(docs, name));
  const files = [join(here, "README.md"), ...documents].flatMap((file, number) => {
    const program = blocks(file, "js|mjs|javascript|ts|mts|typescript");
    // Without an import or export, it would be a script, whose names are global.
    if (program !== "") writeFileSync(join(folder, `${number}.mts`), `${program}\nexport {};\n`);
    return program === "" ? [] : [`${number}.mts`];
  });
  assert.equal(files[0], "0.mts");
  const compilerOptions = { target: "es2022", module: "nodenext", lib: ["es2022"], types: ["node"], strict: true, noEmit: true };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  try {
    execFileSync(process.execPath, [join(here, "node_modules/typescript/bin/tsc"), "-p", folder], { encoding: "utf8" });
  } catch (error) {
    // tsc prints errors to standard output.
    assert.fail(error.stdout);
  }
});
