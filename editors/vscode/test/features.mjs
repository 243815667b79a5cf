// What is the same with a program and in a browser.
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
