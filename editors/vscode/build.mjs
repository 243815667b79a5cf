// Bundles the extension for the desktop and for the browser into dist/, with the component and the licenses of what is in it.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const shared = "../../web-demo/shared";
const COMPONENT = "callsheet-editor";
execFileSync(process.execPath, [`${shared}/transpile.mjs`, COMPONENT], { stdio: "inherit" });
const modules = readdirSync(join(shared, COMPONENT)).filter((name) => name.endsWith(".wasm"));

await rm("dist", { recursive: true, force: true });
const common = { outdir: "dist", bundle: true, external: ["vscode"], minify: true, metafile: true, logLevel: "warning" };
const browser = { ...common, platform: "browser", target: "es2022", define: { MODULES: JSON.stringify(modules) } };
const built = [
  await build({ ...common, entryPoints: ["src/desktop.ts"], platform: "node", format: "cjs", target: "node20" }),
  await build({ ...browser, entryPoints: ["src/web.ts"], format: "cjs" }),
  // The glue would load modules from its own address, but is given them.
  await build({ ...browser, entryPoints: { worker: "src/web/worker.ts" }, format: "iife", logOverride: { "empty-import-meta": "silent" } }),
];
for (const name of modules) await cp(join(shared, COMPONENT, name), join("dist", name));

const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
const packages = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
const notices = [...packages].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (file === undefined) throw new Error(`${name} has no license file`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
});
await writeFile("dist/licenses.txt", notices.join("\n---\n\n"));
