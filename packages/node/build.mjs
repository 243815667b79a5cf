// Makes dist/ of the component that cargo built, and of what all JavaScript hosts share.
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
// The compiler leaves alone what is JavaScript already.
await cp(join(here, "src/shared/component"), join(here, "dist/shared/component"), { recursive: true });
// Whoever has no types for WebAssembly needs none: what instantiates is not for them.
const types = join(here, "dist/shared/component/callsheet.d.ts");
const [wanted] = (await readFile(types, "utf8")).split("/**\n* Instantiates this component");
await writeFile(types, wanted);
