// What users see without the program, with a wrong one, and in a restricted folder.
import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { open } from "./workbench.mjs";

const files = fileURLToPath(new URL("project", import.meta.url));

test("without the program, the editor says so and explains how to install it", async () => {
  const bench = await open({ files });
  try {
    await bench.file(".claude/agents/reviewer.md");
    const toast = bench.page.locator(".notification-toast");
    await toast.getByText("the program `callsheet` was not found on `PATH`").waitFor();
    await toast.getByRole("button", { name: "How to Install" }).click();
    // Until it is loaded, a preview keeps the keys.
    const preview = bench.page.frameLocator("iframe.webview").frameLocator("#active-frame");
    await preview.getByRole("heading", { name: "Install the program" }).waitFor();
    await bench.command("Callsheet: Focus on Agents View");
    await bench.page.locator(".welcome-view").getByText("was not found").first().waitFor();
  } finally {
    await bench.close();
  }
});

test("settings that are wrong are errors, in the view, too", async () => {
  const path = process.env.CALLSHEET_BIN;
  const bench = await open({ files, settings: { "callsheet.path": "/nowhere/callsheet" }, path });
  try {
    const { page, home, machine, file, command } = bench;
    const row = (text) => page.locator(".pane-body .monaco-list-row", { hasText: text });
    const refused = async (text) => {
      await page.locator(".notification-toast").getByText(text).waitFor();
      await row(text).waitFor();
    };
    await file(".claude/agents/reviewer.md");
    await command("Callsheet: Focus on Agents View");
    await refused("names /nowhere/callsheet, which is not a program");
    machine({ "callsheet.path": "callsheet-2" });
    await refused("names callsheet-2, which was not found on `PATH`");
    machine({ "callsheet.path": "/usr/bin/true" });
    await refused("/usr/bin/true is not the program `callsheet`");
    machine({ "callsheet.arguments": "--no-home" });
    await refused("the setting `callsheet.arguments` is not a list of strings");
    machine({ "callsheet.arguments": ["--bogus"] });
    await refused("the setting `callsheet.arguments` is wrong: unexpected argument '--bogus' found");
    machine({ "callsheet.path": "callsheet" });
    await row("reviewer").waitFor();
    symlinkSync(join(path, "callsheet"), join(home, "linked"));
    machine({ "callsheet.path": "~/nowhere" });
    await refused(`names ${home}/nowhere, which is not a program`);
    machine({ "callsheet.path": "~/linked", "callsheet.arguments": ["--no-home"] });
    await row("reviewer").waitFor();
  } finally {
    await bench.close();
  }
});

test("without a tool's files, only the view says that there is no program", async () => {
  const bench = await open({});
  try {
    const { page, project, file, command } = bench;
    writeFileSync(join(project, "README.md"), "# Read\n");
    await file("README.md");
    const toast = page.locator(".notification-toast").getByText("was not found on `PATH`");
    // A toast would come within a second.
    await page.waitForTimeout(5_000);
    assert.equal(await toast.count(), 0);
    await command("Callsheet: Focus on Agents View");
    await page.locator(".welcome-view").getByText("was not found").first().waitFor();
    await toast.waitFor();
  } finally {
    await bench.close();
  }
});

test("in a restricted folder, no agent is created", async () => {
  const bench = await open({ trust: true, path: process.env.CALLSHEET_BIN });
  try {
    writeFileSync(join(bench.project, "README.md"), "# Read\n");
    await bench.file("README.md");
    await bench.command("Callsheet: Focus on Agents View");
    const welcome = bench.page.locator(".welcome-view");
    await welcome.getByText("Manage Workspace Trust").waitFor();
    assert.equal(await welcome.getByText("New Agent").count(), 0);
  } finally {
    await bench.close();
  }
});
