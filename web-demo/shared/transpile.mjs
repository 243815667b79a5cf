// Makes JavaScript of the component: callsheet.wasm → web-demo/shared/component/.
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const repository = resolve(here, "../..");
const built = join(process.env.CARGO_TARGET_DIR ?? join(repository, "target"), "callsheet.wasm");
const component = process.env.CALLSHEET_COMPONENT ?? built;

if (!existsSync(component)) {
  console.error(`There is no component at ${component}.\nBuild it first: cargo build -p callsheet`);
  process.exit(1);
}

// Whoever runs this brings the pinned jco: the package in whose folder it is run.
const require = createRequire(join(process.cwd(), "package.json"));
const { transpileBytes } = await import(pathToFileURL(require.resolve("@bytecodealliance/jco-transpile")).href);
const { files } = await transpileBytes(await readFile(component), {
  name: "callsheet",
  instantiation: "async",
  nodejsCompat: false,
  validLiftingOptimization: true,
  minify: true,
  // An error that can be told from others, with the variant of the contract in it.
  noComponentErrorWrapping: false,
});

// At each step, jco asks the environment whether to log it. In Node that took a seventh of the time of a check.
const ASKING = /globalThis\?\.process\?\.env\?\.JCO_DEBUG&&console\.debug\(\.\.\.\w+\)/;
// No call of ours waits within the component. Where there is no `promising`, as in Node 20, jco tries it all the same, and V8
// reads the whole function again for each of the errors: 75 ms for an instance.
const PROMISING = /WebAssembly\.promising\(/g;
const glue = Buffer.from(files["callsheet.js"]).toString();
for (const habit of [ASKING, PROMISING]) {
  if (glue.search(habit) < 0) throw new Error("this jco does not do as the one before did: look at what it does now");
}
files["callsheet.js"] = glue.replace(ASKING, "").replaceAll(PROMISING, "Object(");

const out = join(here, "component");
await rm(out, { recursive: true, force: true });
for (const [name, contents] of Object.entries(files)) {
  const file = join(out, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, contents);
}
console.log(`${Object.keys(files).length} files from ${component}`);
