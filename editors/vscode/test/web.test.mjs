// What users do in a browser without a program: the extension and the component run in the page.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { extraction, features } from "./features.mjs";
import { open } from "./workbench.mjs";

const files = fileURLToPath(new URL("project", import.meta.url));
const own = { "remote.extensionKind": { "callsheet.callsheet": ["web"] }, "extensions.webWorker": true };

let bench;
before(async () => (bench = await open({ files, own })));
after(() => bench?.close());

const row = (text) => bench.page.locator(".pane-body .monaco-list-row", { hasText: text });
async function answer(title, text) {
  const { page } = bench;
  await page.locator(".quick-input-widget").getByText(title, { exact: true }).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

const line = (text) => bench.page.locator(".view-line", { hasText: text });

features(
  () => bench,
  (page) => page.locator(".codelens-decoration").getByText("loaded by").waitFor(),
);

test("an agent is renamed with its file and its references", async () => {
  const { page, project, file, go } = bench;
  await file(".claude/agents/reviewer.md");
  await go(4, 22);
  await page.keyboard.press("F2");
  const input = page.locator(".rename-box input");
  await input.fill("prober");
  await input.press("Enter");
  await line("tools: Read, Agent(prober)").waitFor();
  // The file moves after the text is edited.
  await page.locator(".tab", { hasText: "prober.md" }).waitFor();
  await file(".claude/agents/prober.md");
  await line("name: prober").waitFor();
  assert.ok(existsSync(join(project, ".claude/agents/prober.md")));
});

test("a name that no file may have is refused", async () => {
  const { page, go } = bench;
  await go(2, 8);
  await page.keyboard.press("F2");
  const input = page.locator(".rename-box input");
  await input.fill("two words");
  await input.press("Enter");
  await page.getByText("`two words` is not a valid agent name").first().waitFor();
  await page.keyboard.press("Escape");
});

test("the view shows agents by tool and source, and follows the files", async () => {
  const { page, project, command } = bench;
  await command("Callsheet: Focus on Agents View");
  await row("Claude Code").getByText("5 active").waitFor();
  await row("prober").waitFor();
  writeFileSync(join(project, ".claude/agents/other.md"), "---\nname: other\n---\nDo it.\n");
  await row("other").getByText("broken").waitFor();
  await row("reviewer").click();
  await page.locator(".tab.active", { hasText: "reviewer.md" }).waitFor();
});

test("the reason for a winner is shown", async () => {
  const { page, command } = bench;
  await command("Callsheet: Show Why");
  await page.locator(".tab.active", { hasText: "why reviewer" }).waitFor();
  await line(".claude/agents/reviewer.md").waitFor();
});

test("an agent is converted and written", async () => {
  const { page, project, file, command } = bench;
  await file(".claude/agents/prober.md");
  await command("Callsheet: Convert Agent");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "OpenCode" }).first().click();
  await page.getByRole("button", { name: "Write .opencode/agents/prober.md" }).click();
  await page.locator(".tab.active", { hasText: "prober.md" }).waitFor();
  // The folder is new.
  await row("OpenCode").getByText("1 active").waitFor();
  assert.match(readFileSync(join(project, ".opencode/agents/prober.md"), "utf8"), /mode: subagent/);
});

test("what the project refers to is shown", async () => {
  const { page, command } = bench;
  await command("Callsheet: Show Graph");
  await page.locator(".tab.active", { hasText: "graph of project" }).waitFor();
  await line(".claude/agents/reviewer.md:4:20: calls: prober: there").waitFor();
});

test("a new agent is created through the editor, and undo removes it", async () => {
  const { page, project, command } = bench;
  const path = join(project, ".claude/agents/greeter.md");
  await command("Callsheet: New Agent");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Claude Code" }).first().click();
  await answer("Name of the new agent", "greeter");
  await answer("When to use greeter", "Says hello: to all");
  await page.locator(".tab.active", { hasText: "greeter.md" }).waitFor();
  await row("greeter").waitFor();
  assert.match(readFileSync(path, "utf8"), /description: ["']Says hello: to all["']/);
  await page.locator(".monaco-editor.focused").waitFor();
  await page.keyboard.press("Control+z");
  await row("greeter").waitFor({ state: "detached" });
  assert.ok(!existsSync(path));
});

test("what a tool requires is asked for, and a name that is taken is refused", async () => {
  const { page, project, command } = bench;
  await command("Callsheet: New Agent");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "kodelet" }).first().click();
  for (const [title, text] of [["Name of the new agent", "greeter"], ["When to use greeter", "Says hello"], ["provider of greeter", "openai"], ["model of greeter", "large"], ["max_tokens of greeter", "1000"]]) await answer(title, text);
  await page.locator(".tab.active", { hasText: "greeter.md" }).waitFor();
  assert.match(readFileSync(join(project, "agents/greeter.md"), "utf8"), /^max_tokens: 1000$/m);
  await command("Callsheet: New Agent");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Claude Code" }).first().click();
  await answer("Name of the new agent", "reviewer");
  const palette = page.locator(".quick-input-widget");
  await palette.getByText("reviewer.md already exists").waitFor();
  await page.keyboard.press("Escape");
});

test("what is refused at the end is asked for again, with what was entered", async () => {
  const { page, project, command } = bench;
  await row("kodelet").getByText("1 active").waitFor();
  await command("Callsheet: New Agent");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "kodelet" }).first().click();
  await answer("Name of the new agent", "greeter");
  await page.locator(".monaco-dialog-box").getByRole("button", { name: "Create" }).click();
  for (const [title, text] of [["When to use greeter", "Greets"], ["provider of greeter", "openai"], ["model of greeter", "small"], ["max_tokens of greeter", "500"]]) await answer(title, text);
  await page.locator(".quick-input-widget").getByText("greeter.md already exists").waitFor();
  await page.keyboard.press("Control+a");
  await answer("Name of the new agent", "waver");
  for (const key of ["When to use", "provider of", "model of", "max_tokens of"]) await answer(`${key} waver`, "");
  await page.locator(".tab.active", { hasText: "waver.md" }).waitFor();
  assert.match(readFileSync(join(project, "agents/waver.md"), "utf8"), /^description: Greets$[^]*^max_tokens: 500$/m);
});

test("callsheet.toml applies, and what is wrong with it is shown", async () => {
  const { page, project, file } = bench;
  await file(".claude/agents/other.md");
  const marks = page.locator(".squiggly-warning, .squiggly-error");
  await marks.first().waitFor();
  writeFileSync(join(project, "callsheet.toml"), 'exclude = [".claude/agents/other.md"]\n');
  await marks.first().waitFor({ state: "detached" });
  writeFileSync(join(project, "callsheet.toml"), "excldue = 1\nexclude = 1\n");
  await page.locator(".notification-toast").getByText("callsheet.toml:1:1: unknown key `excldue`").waitFor();
});

test("what only the program can do is not offered", async () => {
  const { page } = bench;
  await page.keyboard.press("F1");
  const palette = page.locator(".quick-input-widget");
  const found = palette.locator(".monaco-list-row", { hasText: "Callsheet:" });
  await palette.locator(".quick-input-filter input").fill(">Callsheet: ");
  await found.getByText("Show Why").waitFor();
  await found.getByText("New Agent").waitFor();
  assert.equal(await found.getByText("Run Agent").count(), 0);
  await page.keyboard.press("Escape");
});

test("other Markdown is left to the editor", async () => {
  const { page, file } = bench;
  await file("README.md");
  await page.locator(".breadcrumbs-control, .monaco-breadcrumbs").getByText("README.md").first().waitFor();
  assert.equal(await page.locator(".squiggly-warning, .squiggly-error, .squiggly-info").count(), 0);
});

extraction(() => bench);
