// Transpiles a component to JavaScript: callsheet.wasm in web-demo/shared/component/, or the named one in web-demo/shared/NAME/.
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const repository = resolve(here, "../..");
const name = process.argv[2] ?? "callsheet";
const built = join(process.env.CARGO_TARGET_DIR ?? join(repository, "target"), `${name}.wasm`);
const component = process.argv[2] === undefined ? process.env.CALLSHEET_COMPONENT ?? built : built;

if (!existsSync(component)) {
  console.error(`Component not found: ${component}\nBuild it first: cargo xtask component`);
  process.exit(1);
}

// jco is a pinned dependency of the package in whose folder this runs.
const require = createRequire(join(process.cwd(), "package.json"));
const { transpileBytes } = await import(pathToFileURL(require.resolve("@bytecodealliance/jco-transpile")).href);
const { files } = await transpileBytes(await readFile(component), {
  name,
  instantiation: "async",
  nodejsCompat: false,
  validLiftingOptimization: true,
  minify: true,
  // Wraps errors, so that the variant of the contract is available.
  noComponentErrorWrapping: false,
});

// jco reads an environment variable at each step to decide whether to log. In Node this took a seventh of the time of a check.
const ASKING = /globalThis\?\.process\?\.env\?\.JCO_DEBUG&&console\.debug\(\.\.\.\w+\)/;
// Our calls never suspend. Without `WebAssembly.promising`, as in Node 20, jco still tries it, and V8 parses the whole function again for each error:
// 75 ms per instance.
const PROMISING = /WebAssembly\.promising\(/g;
const glue = Buffer.from(files[`${name}.js`]).toString();
for (const habit of [ASKING, PROMISING]) {
  if (glue.search(habit) < 0) throw new Error("the output of jco has changed: update this script");
}
files[`${name}.js`] = glue.replace(ASKING, "").replaceAll(PROMISING, "Object(");

const out = join(here, process.argv[2] ?? "component");
await rm(out, { recursive: true, force: true });
for (const [name, contents] of Object.entries(files)) {
  const file = join(out, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, contents);
}
console.log(`${Object.keys(files).length} files from ${component}`);
