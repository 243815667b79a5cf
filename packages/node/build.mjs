// Builds dist/ from the component that cargo built and the code that all JavaScript hosts share.
import { execFileSync } from "node:child_process";
import { chmod, cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const shared = join(here, "../../web-demo/shared");
const run = (...command) => execFileSync(process.execPath, command, { cwd: here, stdio: "inherit" });

const COMMAND = "callsheet-command";
run(join(shared, "transpile.mjs"));
run(join(shared, "transpile.mjs"), COMMAND);
const SHARED = ["component", COMMAND, "files.ts", "order.ts", "refusals.ts", "streams.ts"];
await rm(join(here, "src/shared"), { recursive: true, force: true });
for (const name of SHARED) await cp(join(shared, name), join(here, "src/shared", name), { recursive: true });

await shareModules(join(here, "src/shared/component"), join(here, "src/shared", COMMAND));

await rm(join(here, "dist"), { recursive: true, force: true });
run(join(here, "node_modules/typescript/bin/tsc"));
// tsc does not copy JavaScript files.
for (const name of ["component", COMMAND]) await cp(join(here, "src/shared", name), join(here, "dist/shared", name), { recursive: true });
await chmod(join(here, "dist/bin.js"), 0o755);
// Drop the functions that instantiate: their types need WebAssembly declarations that users may not have.
const types = join(here, "dist/shared/component/callsheet.d.ts");
const [wanted] = (await readFile(types, "utf8")).split("/**\n* Instantiates this component");
await writeFile(types, wanted);

/** The command line contains the component: uses its modules instead of equal copies. */
async function shareModules(component, command) {
  const modules = (await readdir(component)).filter((name) => name.endsWith(".wasm"));
  const glue = join(command, `${COMMAND}.js`);
  let text = await readFile(glue, "utf8");
  for (const name of modules) {
    const copy = name.replace("callsheet", COMMAND);
    const equal = (await readFile(join(component, name))).equals(await readFile(join(command, copy)));
    if (!equal) throw new Error(`${COMMAND}.wasm was built with another component: build both with \`cargo xtask component\``);
    await rm(join(command, copy));
    text = text.replaceAll(copy, `../component/${name}`);
  }
  await writeFile(glue, text);
}
