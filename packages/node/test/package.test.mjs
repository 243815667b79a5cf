// The published package: its contents, and that it works without other packages.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("../", import.meta.url));
let folder;
let packed;

const run = (...command) => execFileSync(command[0], command.slice(1), { cwd: folder, encoding: "utf8" });
/** tsc prints errors to standard output. */
const compile = (...options) => {
  try {
    run(process.execPath, join(here, "node_modules/typescript/bin/tsc"), ...options);
  } catch (error) {
    assert.fail(error.stdout);
  }
};

before(() => {
  folder = mkdtempSync(join(tmpdir(), "callsheet-"));
  const answer = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: here, encoding: "utf8" });
  [packed] = JSON.parse(answer);
  writeFileSync(join(folder, "package.json"), '{"private": true, "type": "module"}');
  run("npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", `./${packed.filename}`);
});

after(() => rmSync(folder, { recursive: true }));

test("the package contains the needed files and nothing else", () => {
  const names = packed.files.map(({ path }) => path);
  const expected = /^(LICENSE-APACHE|LICENSE-MIT|README\.md|package\.json|dist\/[a-z]+\.(js|d\.ts)|dist\/shared\/.+\.(js|d\.ts|wasm))$/;
  assert.deepEqual(names.filter((name) => !expected.test(name)), []);
  for (const name of ["README.md", "dist/index.js", "dist/index.d.ts", "dist/shared/component/callsheet.core.wasm"]) assert.ok(names.includes(name), name);
  assert.deepEqual(packed.bundled, []);
});

const PROGRAM = `
import { Catalog, check } from "callsheet";
import { start } from "callsheet/component";

const { files, findings } = await check({ ".kode/agents/a.md": "---\\nname: a\\n---\\nA.\\n" }, { home: null });
const catalog = await Catalog.open({ project: ".", home: null, dialect: "kode" });
console.log(files.length, findings[0]?.diagnostic.rule, catalog.names().length > 0, typeof start);
`;

test("the package works in an empty folder", () => {
  writeFileSync(join(folder, "a.js"), PROGRAM);
  assert.equal(run(process.execPath, "a.js"), "1 missing-field true function\n");
});

test("the types are complete without other libraries", () => {
  const typed = `${PROGRAM}
import type { Models, catalogs, documents, projects } from "callsheet";
export const rule: string | undefined = findings.map((finding: projects.Finding) => finding.diagnostic.rule)[0];
export const entries: catalogs.Entry[] = catalog.entries(true);
export const model: Models = ({ messages }) => ({ text: messages[0]?.text ?? "", calls: [], inputTokens: 0, outputTokens: 0 });
export type Parsed = documents.Parsed;
// @ts-expect-error unknown method
catalog.nothing();
`;
  writeFileSync(join(folder, "a.ts"), typed.replace(/console\.log\(.*\)/, "void start"));
  const options = { target: "es2022", module: "nodenext", lib: ["es2022"], types: [], strict: true, skipLibCheck: false, noEmit: true };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["a.ts"] }));
  compile("-p", ".");
});
