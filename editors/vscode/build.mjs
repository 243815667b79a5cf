// Bundles the extension into dist/, with the licenses of what is in it.
import { readFileSync, readdirSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

await rm("dist", { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ["src/desktop.ts"],
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minify: true,
  metafile: true,
  logLevel: "warning",
});

const packages = new Set(Object.keys(metafile.inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
const notices = [...packages].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (file === undefined) throw new Error(`${name} has no license file`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
});
await writeFile("dist/licenses.txt", notices.join("\n---\n\n"));
