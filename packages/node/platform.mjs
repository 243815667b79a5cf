// Makes the packages to publish: one for each native program, and the main package with all of them as optional dependencies.
//
//   node platform.mjs OUT PLATFORM=PROGRAM...      such as linux-x64=target/release/callsheet
//
// A platform is what Node calls it, with `-musl` on Linux with this C library.
// The repository's package.json has no optional dependencies, so that installing from it fetches no package that is not published yet.
import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const [out, ...programs] = process.argv.slice(2);
if (out === undefined || programs.length === 0) {
  console.error("Usage: node platform.mjs OUT PLATFORM=PROGRAM...");
  process.exit(2);
}
const { scripts, devDependencies, overrides, ...main } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
const LICENSES = ["LICENSE-APACHE", "LICENSE-MIT"];

main.optionalDependencies = {};
for (const text of programs) {
  const [platform, program] = text.split("=", 2);
  const name = `@callsheet/${platform}`;
  main.optionalDependencies[name] = main.version;
  await makePlatform(join(out, `callsheet-${platform}`), name, platform, program);
}
await make(join(out, "callsheet"), main, ["README.md", "dist"]);

async function makePlatform(folder, name, platform, program) {
  const [os, cpu, musl] = platform.split("-");
  const description = `The native program of Callsheet for ${platform}`;
  // npm publishes from a workflow only what names its repository.
  const { version, license, repository } = main;
  // npm skips it where the C library differs. Without a package, the component runs instead.
  const libc = os === "linux" ? { libc: [musl ?? "glibc"] } : {};
  await make(folder, { name, version, description, license, repository, os: [os], cpu: [cpu], ...libc, files: ["bin"], preferUnplugged: true });
  await writeFile(join(folder, "README.md"), `# ${name}\n\n${description}. Install \`callsheet\` instead, which depends on it.\n`);
  await mkdir(join(folder, "bin"), { recursive: true });
  const inside = join(folder, "bin", os === "win32" ? "callsheet.exe" : "callsheet");
  await cp(program, inside);
  await chmod(inside, 0o755);
}

async function make(folder, manifest, files = []) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of [...LICENSES, ...files]) await cp(join(here, file), join(folder, file), { recursive: true });
}
