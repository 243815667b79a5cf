// What users do, in a real workbench.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { extraction, features } from "./features.mjs";
import { open } from "./workbench.mjs";

const files = fileURLToPath(new URL("project", import.meta.url));
const path = process.env.CALLSHEET_BIN;

let bench;
before(async () => (bench = await open({ files, path })));
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

test("the graph is drawn", async () => {
  const { page, command } = bench;
  await command("Callsheet: Show Graph");
  await page.locator(".tab.active", { hasText: "graph of project" }).waitFor();
  const preview = page.frameLocator("iframe.webview").frameLocator("#active-frame");
  await preview.locator("svg").getByText("agent tester").first().waitFor();
});

test("an agent is converted and written", async () => {
  const { page, project, file, command } = bench;
  await file(".claude/agents/tester.md");
  await command("Callsheet: Convert Agent");
  await picked("OpenCode");
  await page.getByRole("button", { name: "Write .opencode/agents/tester.md" }).click();
  await page.locator(".tab.active", { hasText: "tester.md" }).waitFor();
  await row("OpenCode").getByText("1 active").waitFor();
  const written = readFileSync(join(project, ".opencode/agents/tester.md"), "utf8");
  assert.match(written, /mode: subagent/);
});

test("a refused conversion says why and writes nothing", async () => {
  const { page, project, file, command } = bench;
  await file(".claude/agents/reviewer.md");
  await command("Callsheet: Convert Agent");
  await picked("Codex");
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.getByText("reviewer was not converted to").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  assert.ok(!existsSync(join(project, ".codex")));
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

test("other Markdown is left to the editor", async () => {
  const { page, file } = bench;
  await file("README.md");
  await page.locator(".breadcrumbs-control, .monaco-breadcrumbs").getByText("README.md").first().waitFor();
  await bench.go(6, 3);
  await page.locator(".monaco-breadcrumbs").getByText("A heading for Markdown").waitFor();
  assert.equal(await page.locator(".squiggly-warning, .squiggly-error, .squiggly-info").count(), 0);
});

extraction(() => bench);
