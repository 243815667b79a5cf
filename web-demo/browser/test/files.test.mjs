// Files of the project: fixing, importing, keeping and moving between them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { after, choose } from "./browser.mjs";
import { agent, importZip, pages } from "./fixture.mjs";

const { on } = pages();
const colon = (name) => agent(name, `Looks at ${name}: carefully`);

test("Fix all changes all files in one step, which can be undone", () =>
  on(async (page) => {
    const zip = { ".claude/agents/one.md": colon("one"), ".claude/agents/three.md": agent("three"), ".claude/agents/two.md": colon("two") };
    await importZip(page, zip);
    await page.getByText("which starts a mapping in YAML").first().waitFor();
    const marks = page.locator("#tree .count");
    const two = page.locator("#tree button", { hasText: "two.md" });
    await two.locator(".count").waitFor();
    await two.click();
    await after(page, "Do it.");
    await page.keyboard.type(" Typed.");
    await page.locator("#tree button", { hasText: "one.md" }).click();
    await page.getByRole("button", { name: "Fix all" }).click();
    await page.getByText("Fixed 2 problems in 2 files.").waitFor();
    await page.getByText("No problems in this file").waitFor();
    await page.locator("#fix-all").waitFor({ state: "hidden" });
    assert.equal(await marks.count(), 0);

    // In the editor, one undo reverts all files.
    await page.locator(".cm-content").press("Control+z");
    await page.getByText("which starts a mapping in YAML").first().waitFor();
    await two.locator(".count").waitFor();
    await page.locator(".cm-content").press("Control+y");
    await two.locator(".count").waitFor({ state: "detached" });

    // So does the button, and the history of the other file is kept.
    await page.getByRole("button", { name: "Undo" }).click();
    await two.locator(".count").waitFor();
    await page.getByText("which starts a mapping in YAML").first().waitFor();
    await two.click();
    await page.locator(".cm-line", { hasText: "Do it. Typed." }).waitFor();
    await page.locator(".cm-line", { hasText: "description: Looks at two: carefully" }).waitFor();
  }));

test("a fix keeps bytes that are not UTF-8", () =>
  on(async (page) => {
    await importZip(page, { ".claude/agents/latin.md": Buffer.concat([Buffer.from(colon("latin")), Buffer.from([0xff])]) });
    await page.locator("#open-path", { hasText: "latin.md" }).waitFor();
    // Until it is checked, the findings of the example are shown.
    await page.locator("#tree button", { hasText: "latin.md" }).locator(".count").waitFor();
    await page.getByRole("button", { name: "Quote the value" }).click();
    await page.locator(".cm-line", { hasText: "'Looks at latin: carefully'" }).waitFor();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.waitForFunction(() => location.hash.startsWith("#p="));
    const files = inflateRawSync(Buffer.from(new URL(page.url()).hash.slice(3), "base64url"));
    assert.equal(files.at(-1), 0xff);
  }));

test("a fix for earlier contents of the file changes nothing", () =>
  on(async (page) => {
    await importZip(page, { ".claude/agents/one.md": colon("one") });
    await page.locator("#tree button", { hasText: "one.md" }).locator(".count").waitFor();
    const fix = page.getByRole("button", { name: "Quote the value" });
    await fix.waitFor();
    await after(page, "name: one");
    await fix.evaluate(async (button) => {
      document.execCommand("insertText", false, "2");
      // The editor takes it in a microtask.
      await null;
      button.click();
    });
    await page.getByText("The file has changed in the meantime. Try again.").waitFor();
    assert.deepEqual((await page.locator(".cm-line").allTextContents()).slice(1, 3), ["name: one2", "description: Looks at one: carefully"]);
  }));

test("an import replaces the example, reads the files as their tool, and says what was skipped", () =>
  on(async (page) => {
    await after(page, "You never edit files.");
    await page.keyboard.type(" Mine.");
    await importZip(page, {
      "top/.claude/agents/one.md": agent("one"),
      "top/.git/config": "",
      "top/node_modules/a/b.md": "",
      "top/node_modules/c.md": "",
      "top/../evil.md": "no",
      "top/large.md": "x".repeat((1 << 20) + 1),
    });
    await page.locator("#open-path", { hasText: /^\.claude\/agents\/one\.md$/ }).waitFor();
    assert.equal(await page.locator("#tree button").count(), 1);
    assert.equal(
      await page.locator("#story").innerText(),
      "Skipped: top/.git, top/node_modules (ignored folder); top/../evil.md (outside of the project); top/large.md (over 1 MB).",
    );
    await page.waitForFunction(() => document.getElementById("dialect").value === "claude-code");
    await page.getByText("1 file added. The example was replaced.").waitFor();

    // Further imports are added.
    await page.locator("#file-input").setInputFiles({ name: "broken.zip", mimeType: "application/zip", buffer: Buffer.from("no") });
    await page.getByText("No files added. Skipped: broken.zip (not a valid zip archive).").waitFor();
    await importZip(page, { ".claude/agents/two.md": agent("two") });
    await page.locator("#open-path", { hasText: "two.md" }).waitFor();
    assert.equal(await page.locator("#tree button").count(), 2);

    // The edited example is kept.
    const [option] = await page.locator("#example optgroup[label='Your earlier files'] option").all();
    await page.locator("#example").selectOption(await option.getAttribute("value"));
    await page.locator(".cm-line", { hasText: "You never edit files. Mine." }).waitFor();
  }));

test("an import can be undone", () =>
  on(async (page) => {
    await importZip(page, { ".claude/agents/one.md": agent("one") });
    await page.locator("#open-path", { hasText: "one.md" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator("#open-path", { hasText: "reviewer.md" }).waitFor();
    assert.equal(await page.locator("#example option:checked").innerText(), "A colon hides an agent");
    assert.match(await page.locator("#story").innerText(), /An unquoted colon/);
  }));

test("no edits are lost after links and examples were opened and edited", async () => {
  let link;
  await on(async (page) => {
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.waitForFunction(() => location.hash.startsWith("#p="));
    link = page.url();
  });
  await on(async (page) => {
    await importZip(page, { ".claude/agents/own.md": agent("own") });
    await page.locator("#open-path", { hasText: "own.md" }).waitFor();
    await page.goto(link);
    await after(page, "You never edit files.");
    await page.keyboard.type(" Linked.");
    await choose(page, "Convert between tools");
    await after(page, "color:");
    await page.keyboard.type(" # example");
    await choose(page, "Four files, one name");
    await page.reload();
    const own = page.locator("#example optgroup[label='Your earlier files'] option");
    // The newest first; the reload itself restores the edited example.
    const texts = [/own/, /Linked\./];
    for (const text of texts) {
      await own.first().waitFor({ state: "attached" });
      const values = await own.evaluateAll((options) => options.map(({ value }) => value));
      await page.locator("#example").selectOption(values.at(-1));
      await page.locator(".cm-content", { hasText: text }).waitFor();
    }
  });
});

test("the file list is used with the keyboard", () =>
  on(async (page) => {
    await choose(page, "Four files, one name");
    const names = await page.locator("#tree .name").allInnerTexts();
    const focused = () => page.evaluate(() => document.activeElement.dataset.path ?? document.activeElement.id);
    const paths = await page.locator("#tree button").evaluateAll((buttons) => buttons.map((button) => button.dataset.path));
    assert.ok(names.length > 2);
    // The list is one stop of the Tab key: the open file.
    await page.locator("#delete").focus();
    await page.keyboard.press("Tab");
    const open = await page.locator("#open-path").innerText();
    assert.equal(await focused(), open);
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "choose-files");
    await page.keyboard.press("Shift+Tab");
    for (const [key, path] of [["Home", paths[0]], ["ArrowDown", paths[1]], ["ArrowUp", paths[0]], ["End", paths.at(-1)]]) {
      await page.keyboard.press(key);
      assert.equal(await focused(), path, key);
    }
    await page.keyboard.press("Enter");
    await page.locator("#open-path", { hasText: paths.at(-1) }).waitFor();
    assert.equal(await focused(), paths.at(-1));
    // F2 and Delete are about the file with the focus, which need not be open.
    await page.keyboard.press("Home");
    await page.keyboard.press("F2");
    await page.getByLabel("New path").fill(".claude/agents/aa.md");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.dataset.path === ".claude/agents/aa.md");
    assert.equal(await page.locator("#open-path").innerText(), paths.at(-1));
    await page.keyboard.press("Delete");
    await page.locator("#tree button", { hasText: "aa.md" }).waitFor({ state: "detached" });
    assert.equal(await focused(), paths[1]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator("#tree button", { hasText: "aa.md" }).waitFor();
    const list = page.getByRole("group", { name: "Files" });
    assert.match(await list.evaluate((element) => document.getElementById(element.getAttribute("aria-describedby")).textContent), /Arrow keys/);
  }));

test("Ctrl+F searches in the editor", () =>
  on(async (page) => {
    await after(page, "You never edit files.");
    await page.keyboard.press("Control+f");
    const field = page.getByRole("textbox", { name: "Find" });
    await field.click();
    await page.keyboard.type("review");
    await page.keyboard.press("Enter");
    await page.locator(".cm-searchMatch-selected").waitFor();
    assert.ok((await page.locator(".cm-searchMatch").count()) > 1);
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
  }));

test("an import that replaces edited files can be undone", () =>
  on(async (page) => {
    const project = { ".claude/agents/one.md": agent("one"), ".claude/agents/two.md": agent("two") };
    await importZip(page, project);
    await page.locator("#open-path", { hasText: "one.md" }).waitFor();
    await after(page, "Do it.");
    await page.keyboard.type(" Mine.");
    await importZip(page, { ...project, ".claude/agents/zzz.md": agent("zzz") });
    await page.getByText("3 files added. 1 file replaced.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".cm-line", { hasText: "Do it. Mine." }).waitFor();
    assert.equal(await page.locator("#tree button").count(), 2);
  }));
