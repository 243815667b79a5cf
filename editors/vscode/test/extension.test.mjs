// What users do, in a real workbench.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { extraction, features } from "./features.mjs";
import { open } from "./workbench.mjs";

const files = fileURLToPath(new URL("project", import.meta.url));
const path = process.env.CALLSHEET_BIN;

let bench;
before(async () => (bench = await open({ files, path, settings: { "callsheet.playground": "nowhere" } })));
after(() => bench?.close());

const row = (text) => bench.page.locator(".pane-body .monaco-list-row", { hasText: text });
const line = (text) => bench.page.locator(".view-line", { hasText: text });
const picked = (text) => bench.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first().click();

async function answer(title, text) {
  const { page } = bench;
  await page.locator(".quick-input-widget").getByText(title, { exact: true }).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

features(
  () => bench,
  () => {},
);

test("an agent is renamed with its file and its references", async () => {
  const { page, project, file, go } = bench;
  const rename = async (to) => {
    await page.keyboard.press("F2");
    const input = page.locator(".rename-box input");
    await input.fill(to);
    await input.press("Enter");
  };
  await file(".claude/agents/reviewer.md");
  await go(4, 22);
  await rename("prober");
  await line("tools: Read, Agent(prober)").waitFor();
  // The file moves after the text is edited.
  await page.locator(".tab", { hasText: "prober.md" }).waitFor();
  await file(".claude/agents/prober.md");
  await line("name: prober").waitFor();
  await go(2, 8);
  await rename("tester");
  await page.locator(".tab.active", { hasText: "tester.md" }).waitFor();
  await line("name: tester").waitFor();
  assert.ok(existsSync(join(project, ".claude/agents/tester.md")));
});

test("the view shows agents by tool and source, and follows the disk", async () => {
  const { page, project, command } = bench;
  await command("Callsheet: Focus on Agents View");
  await row("Claude Code").getByText("5 active").waitFor();
  await row("tester").waitFor();
  writeFileSync(join(project, ".claude/agents/other.md"), "---\nname: other\n---\nDo it.\n");
  await row("other").getByText("broken").waitFor();
  await row("Claude Code").getByText("5 active, 1 broken").waitFor();
  await row("reviewer").click();
  await page.locator(".tab.active", { hasText: "reviewer.md" }).waitFor();
});

test("the reason for a winner is shown", async () => {
  const { page, command } = bench;
  await command("Callsheet: Show Why");
  await page.locator(".tab.active", { hasText: "why reviewer" }).waitFor();
  await line("active: .claude/agents/reviewer.md").waitFor();
});

test("the graph is drawn, and stays when another preview opens", async () => {
  const { page, file, command } = bench;
  await command("Callsheet: Show Graph");
  await page.locator(".tab.active", { hasText: "graph of project" }).waitFor();
  const preview = page.frameLocator("iframe.webview").frameLocator("#active-frame");
  await preview.locator("svg").getByText("agent tester").first().waitFor();
  await file(".claude/agents/tester.md");
  for (const key of ["Control+k", "v"]) await page.keyboard.press(key);
  await page.locator(".tab", { hasText: "Preview tester.md" }).waitFor();
  await page.locator(".tab", { hasText: "graph of project" }).waitFor();
  // Until it is loaded, a preview keeps the keys.
  await page.frameLocator("iframe.webview >> nth=-1").frameLocator("#active-frame").getByText("Test.").waitFor();
  await line("description: Runs the tests").click();
  await command("View: Close All Editors");
});

test("the output of a run stays when it ends", async () => {
  const { page, file, command } = bench;
  await file(".claude/agents/tester.md");
  await command("Callsheet: Run Agent");
  await page.locator(".quick-input-widget").getByText("Task for tester").waitFor();
  await page.keyboard.type("Explain ${file}");
  await page.locator(".quick-input-widget").getByText("the editor would replace").waitFor();
  await page.keyboard.press("Backspace");
  for (let left = "{file".length + 1; left > 0; left -= 1) await page.keyboard.press("Backspace");
  await page.keyboard.type("it");
  await page.keyboard.press("Enter");
  const terminal = page.locator(".xterm-rows");
  await terminal.getByText("error: no model is set").waitFor();
  await terminal.getByText("Press any key to close the terminal").waitFor();
  await page.keyboard.press("Enter");
  await terminal.waitFor({ state: "detached" });
});

test("an agent is saved, converted and written", async () => {
  const { page, project, file, go, command } = bench;
  await file(".claude/agents/tester.md");
  await go(6, 1);
  await page.keyboard.type("Unsaved.");
  await command("Callsheet: Convert Agent");
  await picked("OpenCode");
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.getByText("tester.md has unsaved changes").waitFor();
  await dialog.getByRole("button", { name: "Save and Convert" }).click();
  await page.getByRole("button", { name: "Show Report" }).click();
  await page.locator(".tab.active", { hasText: "conversion of tester" }).waitFor();
  await page.getByRole("button", { name: "Write .opencode/agents/tester.md" }).click();
  await page.locator(".tab.active", { hasText: "tester.md" }).waitFor();
  await row("OpenCode").getByText("1 active").waitFor();
  const written = readFileSync(join(project, ".opencode/agents/tester.md"), "utf8");
  assert.match(written, /mode: subagent/);
  assert.match(written, /Unsaved\./);
});

test("a refused conversion says why and writes nothing", async () => {
  const { page, project, file, command } = bench;
  await file(".claude/agents/reviewer.md");
  await command("Callsheet: Convert Agent");
  await picked("Codex");
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.getByText("reviewer was not converted to OpenAI Codex: the result could do more").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Convert Anyway" }).count(), 0);
  await dialog.getByRole("button", { name: "OK" }).click();
  assert.ok(!existsSync(join(project, ".codex")));
});

test("limits are only lost if that is wanted", async () => {
  const { page, project, file, command } = bench;
  writeFileSync(join(project, ".claude/agents/hooked.md"), "---\nname: hooked\ndescription: Reads\nhooks:\n  PreToolUse: []\n---\nRead.\n");
  await row("hooked").waitFor();
  await file(".claude/agents/hooked.md");
  await command("Callsheet: Convert Agent");
  await picked("OpenCode");
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.getByText("hooked was not converted to OpenCode: tools or limits would be lost").waitFor();
  await dialog.getByRole("button", { name: "Convert Anyway" }).click();
  await page.getByRole("button", { name: "Write .opencode/agents/hooked.md" }).waitFor();
  rmSync(join(project, ".claude/agents/hooked.md"));
  await row("hooked").waitFor({ state: "detached" });
});

test("an agent without a file is not converted", async () => {
  const { page } = bench;
  await row("built-in").first().click();
  await row("Explore").click({ button: "right" });
  const menu = page.locator(".monaco-menu");
  await menu.getByText("Show Graph").waitFor();
  assert.equal(await menu.getByText("Convert Agent").count(), 0);
  await page.keyboard.press("Escape");
});

test("a new agent is written, shown and listed", async () => {
  const { page, project, command } = bench;
  await command("Callsheet: New Agent");
  await picked("Claude Code");
  await answer("Name of the new agent", "greeter");
  await answer("When to use greeter", "Says hello: to all");
  await page.locator(".tab.active", { hasText: "greeter.md" }).waitFor();
  await row("greeter").waitFor();
  const path = join(project, ".claude/agents/greeter.md");
  assert.match(readFileSync(path, "utf8"), /description: ["']Says hello: to all["']/);
  await page.locator(".monaco-editor.focused").waitFor();
  await page.keyboard.press("Control+z");
  await row("greeter").waitFor({ state: "detached" });
  assert.ok(!existsSync(path));
});

test("a new agent does not shadow another one unasked, and its name is checked first", async () => {
  const { page, project, command } = bench;
  await command("Callsheet: New Agent");
  await picked("Claude Code");
  const palette = page.locator(".quick-input-widget");
  await answer("Name of the new agent", "two words");
  await palette.getByText("`two words` is not a valid agent name").waitFor();
  await page.keyboard.press("Control+a");
  await answer("Name of the new agent", "Explore");
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.getByText("Claude Code already has an agent named Explore (built-in)").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  assert.ok(!existsSync(join(project, ".claude/agents/Explore.md")));
});

test("an address that is none is named", async () => {
  const { page, command } = bench;
  await command("Callsheet: Open Playground");
  await page.locator(".notification-toast").getByText("the setting `callsheet.playground` is not an address such as https://").waitFor();
});

test("the walkthrough sees the program and its own button", async () => {
  const { page, command } = bench;
  await command("Welcome: Open Walkthrough");
  await picked("Get Started with Callsheet");
  const step = (label) => page.getByRole("checkbox", { name: label });
  await step("The program is installed: Completed").waitFor();
  await page.locator(".getting-started-step", { hasText: "See all agents" }).click();
  await page.getByRole("button", { name: "Show Agents" }).click();
  await step("See all agents: Completed").waitFor();
  await command("View: Close All Editors");
});

test("a project that cannot be listed says why", async () => {
  const { page, project, command } = bench;
  writeFileSync(join(project, "callsheet.toml"), "exclude = 1\n");
  await command("Callsheet: Refresh Agents");
  await page.locator(".notification-toast").getByText("Callsheet: cannot list: callsheet.toml:1:11: ").waitFor();
  await row("cannot list: callsheet.toml:1:11: ").waitFor();
  assert.equal(await row("tester").count(), 0);
  rmSync(join(project, "callsheet.toml"));
  await row("tester").first().waitFor();
});

test("other Markdown is left to the editor", async () => {
  const { page, file } = bench;
  await file("README.md");
  await page.locator(".breadcrumbs-control, .monaco-breadcrumbs").getByText("README.md").first().waitFor();
  await bench.go(6, 3);
  await page.locator(".monaco-breadcrumbs").getByText("A heading for Markdown").waitFor();
  assert.equal(await page.locator(".squiggly-warning, .squiggly-error, .squiggly-info").count(), 0);
});

extraction(() => bench);
