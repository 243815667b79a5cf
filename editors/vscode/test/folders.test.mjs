// What users see with several folders.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { open } from "./workbench.mjs";

const NAMES = ["one", "other"];

let bench, files;
before(async () => {
  files = mkdtempSync(join(tmpdir(), "callsheet-folders-"));
  for (const name of NAMES) {
    mkdirSync(join(files, name, ".claude/agents"), { recursive: true });
    writeFileSync(join(files, name, ".claude/agents/reviewer.md"), `---\nname: reviewer\ndescription: Reviews ${name}\n---\nReview.\n`);
  }
  bench = await open({ files, folders: NAMES, path: process.env.CALLSHEET_BIN });
});
after(async () => {
  await bench?.close();
  rmSync(files, { recursive: true, force: true });
});

const row = (text) => bench.page.locator(".pane-body .monaco-list-row", { hasText: text });

test("agents of one name are told apart", async () => {
  const { page, file, command } = bench;
  await file(".claude/agents/reviewer.md");
  await command("View: Close All Editors");
  await command("Callsheet: Focus on Agents View");
  for (const name of NAMES) await row(`${name} ·`).waitFor();
  await command("Callsheet: Show Why");
  const list = page.locator(".quick-input-list");
  for (const name of NAMES) await list.getByText(`claude-code · ${name} · .claude/agents/reviewer.md`).waitFor();
  await page.keyboard.press("Escape");
});

test("a folder that cannot be listed says why, and the others are listed", async () => {
  const { page, project, command } = bench;
  writeFileSync(join(project, "one/callsheet.toml"), "exclude = 1\n");
  await row("one: cannot list: callsheet.toml:1:11: ").waitFor();
  await row("other ·").waitFor();
  assert.equal(await row("one ·").count(), 0);
  await command("Callsheet: Refresh Agents");
  await page.locator(".notification-toast").getByText("Callsheet: one: cannot list: callsheet.toml:1:11: ").waitFor();
});
