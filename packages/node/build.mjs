// Builds dist/ from the component that cargo built and the code that all JavaScript hosts share.
import { execFileSync } from "node:child_process";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const shared = join(here, "../../web-demo/shared");
const run = (...command) => execFileSync(process.execPath, command, { cwd: here, stdio: "inherit" });

run(join(shared, "transpile.mjs"));
const SHARED = ["component", "files.ts"];
await rm(join(here, "src/shared"), { recursive: true, force: true });
for (const name of SHARED) await cp(join(shared, name), join(here, "src/shared", name), { recursive: true });

await rm(join(here, "dist"), { recursive: true, force: true });
run(join(here, "node_modules/typescript/bin/tsc"));
// tsc does not copy JavaScript files.
await cp(join(here, "src/shared/component"), join(here, "dist/shared/component"), { recursive: true });
// Drop the functions that instantiate: their types need WebAssembly declarations that users may not have.
const types = join(here, "dist/shared/component/callsheet.d.ts");
const [wanted] = (await readFile(types, "utf8")).split("/**\n* Instantiates this component");
await writeFile(types, wanted);
