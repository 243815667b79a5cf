// What is the same with a program and in a browser.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

/** Registers the tests. `bench` is the open workbench, and `read` waits for the first answers about the whole project. */
export function features(bench, read) {
  const line = (text) => bench().page.locator(".view-line", { hasText: text });

  test("findings are marked, and a fix is applied", async () => {
    const { page, file, go } = bench();
    await file(".claude/agents/reviewer.md");
    await page.locator(".squiggly-warning").first().waitFor();
    await read(page);
    await go(3, 24);
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget").getByText("Quote the value").click();
    await line("description: 'Reviews 😀: all of it'").waitFor();
    await page.locator(".squiggly-warning").first().waitFor({ state: "detached" });
  });

  test("hovering shows what a name refers to", async () => {
    const { page, go, command } = bench();
    await go(4, 22);
    await command("Show or Focus Hover");
    await page.locator(".monaco-hover").getByText("Runs the tests").waitFor();
    await page.keyboard.press("Escape");
  });

  test("tools are completed with their permissions", async () => {
    const { page, go } = bench();
    await go(4, 13);
    await page.keyboard.press("Control+Space");
    await page.locator(".suggest-widget .monaco-list-row", { hasText: "create and overwrite files" }).waitFor();
    await page.keyboard.press("Escape");
  });

  test("a name leads to its file", async () => {
    const { page, go } = bench();
    await go(4, 22);
    await page.keyboard.press("F12");
    await page.locator(".tab.active", { hasText: "tester.md" }).waitFor();
  });
}

/** Registers a test that adds files to the project. */
export function extraction(bench) {
  test("selected lines of a prompt become a skill", async () => {
    const { page, project, file, go } = bench();
    const text = "---\nname: long\ndescription: Reads\n---\n\nRead.\n\n## House rules\n\nShort words. 😀\n\nEnd.\n";
    writeFileSync(join(project, ".claude/agents/long.md"), text);
    await file(".claude/agents/long.md");
    await page.locator(".codelens-decoration").getByText("loaded by").waitFor();
    const extract = page.locator(".action-widget").getByText("Extract as skill `house-rules`");
    // A menu that opens before the server knows the file stays without the entry.
    for (let left = 12; left > 0 && !(await extract.isVisible()); left -= 1) {
      await page.keyboard.press("Escape");
      await go(8, 1);
      for (const key of ["Shift+ArrowDown", "Shift+ArrowDown", "Shift+End", "Control+Shift+R"]) await page.keyboard.press(key);
      await extract.waitFor({ timeout: 5_000 }).catch(() => {});
    }
    await extract.click();
    const line = (text) => page.locator(".view-line", { hasText: text });
    await line("skills: [house-rules]").waitFor();
    await line("Short words.").waitFor({ state: "detached" });
    await line("End.").waitFor();
    assert.ok(existsSync(join(project, ".claude/skills/house-rules/SKILL.md")));
    await file(".claude/skills/house-rules/SKILL.md");
    await line("description: Short words.").waitFor();
  });
}
