// Files of the project: fixing, importing, keeping and moving between them.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { after, choose } from "./browser.mjs";
import { agent, contentsOf, importZip, linkTo, pages } from "./fixture.mjs";

const { on, there } = pages();
const A = ".claude/agents/a.md";
const B = ".claude/agents/b.md";
const opened = (page, path) => page.locator("#open-path").getByText(path, { exact: true }).waitFor();
const paths = (page) => page.locator("#tree button").evaluateAll((buttons) => buttons.map((button) => button.dataset.path));
const undo = (page) => page.locator("#toast").getByRole("button", { name: "Undo" }).click();
/** Types at the end of the line with a text. */
const typeAfter = async (page, text, typed) => {
  await after(page, text);
  await page.keyboard.type(typed);
};
/** Stores the project now instead of after a pause. */
const save = (page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
const stored = (page) => page.evaluate(() => localStorage.getItem("callsheet-project"));
/** Opens the page with these files in two tabs. */
const twoTabs = async (page, context, files) => {
  await importZip(page, files);
  await opened(page, Object.keys(files)[0]);
  await save(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await other.waitForSelector("body[data-ready]");
  return other;
};
/** Adds an empty agent. */
const create = async (page, path) => {
  await page.getByRole("button", { name: "New", exact: true }).click();
  await page.getByRole("combobox", { name: "Path of the new file" }).fill(path);
  await page.getByRole("button", { name: "Add" }).click();
  await page.locator(".cm-line", { hasText: "Describe what the agent should do." }).waitFor();
};
const rename = async (page, to) => {
  await page.getByRole("combobox", { name: "New path" }).fill(to);
  await page.locator("#ask-ok").click();
};
/** Opens the newest of the earlier projects. */
const openEarlier = async (page) => {
  const option = page.locator("#example optgroup[label='Your earlier files'] option").first();
  await option.waitFor({ state: "attached" });
  await page.locator("#example").selectOption(await option.getAttribute("value"));
};
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
    const files = await contentsOf(page);
    assert.equal(files[".claude/agents/latin.md"].at(-1), 0xff);
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
    await page.getByRole("combobox", { name: "New path" }).fill(".claude/agents/aa.md");
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

test("a tab keeps what another tab stored", () =>
  on(async (page, context) => {
    const other = await twoTabs(page, context, { [A]: agent("a"), [B]: agent("b") });
    await typeAfter(other, "Do it.", " Other.");
    await save(other);
    const second = await stored(page);

    // A tab without changes stores nothing, even if another file is opened.
    await save(page);
    assert.equal(await stored(page), second);
    await page.locator("#tree button", { hasText: "b.md" }).click();
    await opened(page, B);
    await save(page);
    assert.equal(await stored(page), second);
    assert.equal(await page.getByText("Another tab stored other files.").count(), 0);

    await typeAfter(page, "Do it.", " Mine.");
    await page.getByText("Another tab stored other files. They are under “Your earlier files”.").waitFor();
    await openEarlier(page);
    await page.locator(".cm-line", { hasText: "Do it. Other." }).waitFor();
  }));

test("two tabs that are edited in turn leave one earlier project", () =>
  on(async (page, context) => {
    const earlier = () => page.evaluate(() => JSON.parse(localStorage.getItem("callsheet-earlier")).map(({ count }) => count));
    await typeAfter(page, "You never edit files.", " Mine.");
    const other = await twoTabs(page, context, { [A]: agent("a"), [B]: agent("b") });
    const before = await earlier();
    for (const round of ["one", "two", "three"]) {
      for (const [tab, name] of [[page, "Page"], [other, "Other"]]) {
        await typeAfter(tab, "Do it.", ` ${name} ${round}.`);
        await save(tab);
      }
    }
    assert.deepEqual(await earlier(), [2, ...before]);
    await openEarlier(other);
    await other.locator(".cm-line", { hasText: "Do it. Page one. Page two. Page three." }).waitFor();
  }));

test("a message that the user did not ask for keeps the button of another one", () =>
  on(async (page, context) => {
    const other = await twoTabs(page, context, { [A]: agent("a"), [B]: agent("b") });
    await typeAfter(other, "Do it.", " Other.");
    await save(other);
    await page.getByRole("button", { name: "Delete" }).click();
    await opened(page, B);
    await save(page);
    await page.getByText(`${A} deleted. Another tab stored other files. They are under “Your earlier files”.`).waitFor();
    await undo(page);
    await opened(page, A);
  }));

test("tabs share the earlier projects", () =>
  on(async (page, context) => {
    const other = await context.newPage();
    await other.goto(page.url());
    await other.waitForSelector("body[data-ready]");
    for (const [tab, text] of [[page, "first"], [other, "second"]]) {
      await typeAfter(tab, "You never edit files.", ` The ${text}.`);
      await importZip(tab, { [A]: agent("a") });
      await opened(tab, A);
    }
    assert.equal(await other.evaluate(() => JSON.parse(localStorage.getItem("callsheet-earlier")).length), 2);
  }));

test("undoing an import keeps files that changed since", () =>
  on(async (page) => {
    await importZip(page, { [A]: agent("a") });
    await opened(page, A);
    await importZip(page, { [B]: agent("b"), "c.md": agent("c") });
    await opened(page, B);
    await typeAfter(page, "Do it.", " Mine.");
    await undo(page);
    await page.getByText(`${B} has changed since and was kept.`).waitFor();
    assert.deepEqual(await paths(page), [A, B]);
    await page.locator(".cm-line", { hasText: "Do it. Mine." }).waitFor();
  }));

test("undoing an import that replaced an example keeps its changed files", () =>
  on(async (page) => {
    await importZip(page, { [A]: agent("a") });
    await opened(page, A);
    await typeAfter(page, "Do it.", " Mine.");
    await undo(page);
    await page.getByText("The imported files have changed since.").waitFor();
    await openEarlier(page);
    await page.locator(".cm-line", { hasText: "Do it. Mine." }).waitFor();
  }));

test("undoing a deletion keeps a new file with the same path", () =>
  on(async (page) => {
    await importZip(page, { [A]: agent("a"), [B]: agent("b") });
    await opened(page, A);
    await page.getByRole("button", { name: "Delete" }).click();
    await opened(page, B);
    await create(page, A);
    await undo(page);
    await page.getByText(`${A} has changed since and was kept.`).waitFor();
    await page.locator(".cm-line", { hasText: "Describe what the agent should do." }).waitFor();
  }));

test("a file has no history of a deleted one that had its path", () =>
  on(async (page) => {
    const text = async () => String((await contentsOf(page))[A]);
    const remove = async (next) => {
      await page.getByRole("button", { name: "Delete" }).click();
      await opened(page, next);
    };
    await importZip(page, { [A]: agent("a"), [B]: agent("b"), "c.md": "Third.\n" });
    await opened(page, A);
    await typeAfter(page, "Do it.", " Old.");

    // Undoing a deletion restores the history.
    await remove(B);
    await undo(page);
    await page.locator(".cm-line", { hasText: "Do it. Old." }).waitFor();
    await page.locator(".cm-content").press("Control+z");
    await page.locator(".cm-line", { hasText: /^Do it\.$/ }).waitFor();

    await remove(B);
    await create(page, A);
    const blank = await text();
    await page.locator(".cm-content").press("Control+z");
    assert.equal(await text(), blank);

    await remove(B);
    await page.locator("#tree [tabindex='0']").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("F2");
    await rename(page, A);
    await page.locator("#tree button", { hasText: "a.md" }).click();
    await opened(page, A);
    await page.locator(".cm-content").press("Control+z");
    assert.equal(await text(), "Third.\n");
  }));

test("undoing a renaming moves an edited file back with its edits", () =>
  on(async (page) => {
    const C = ".claude/agents/c.md";
    const toC = async () => {
      await page.getByRole("button", { name: "Rename", exact: true }).click();
      await rename(page, C);
      await page.locator(".cm-line", { hasText: "name: c" }).waitFor();
    };
    await importZip(page, { [A]: agent("a"), [B]: agent("b") });
    await opened(page, A);
    await toC();
    await typeAfter(page, "Do it.", " Mine.");
    await undo(page);
    await page.getByText(`${A} has changed since and was kept.`).waitFor();
    assert.deepEqual(await paths(page), [A, B]);
    await page.locator(".cm-line", { hasText: "Do it. Mine." }).waitFor();

    // Its path may belong to a new file.
    await page.locator(".cm-content").press("Control+z");
    await page.locator(".cm-line", { hasText: "name: c" }).waitFor();
    await page.locator(".cm-content").press("Control+z");
    await page.locator(".cm-line", { hasText: "name: a" }).waitFor();
    await toC();
    await create(page, A);
    await undo(page);
    await page.getByText(`${A} has changed since and was kept.`).waitFor();
    assert.deepEqual(await paths(page), [A, B, C]);
    await page.locator(".cm-line", { hasText: "Describe what the agent should do." }).waitFor();
  }));

test("undoing Fix all keeps files that changed since", () =>
  on(async (page) => {
    await importZip(page, { [A]: colon("a"), [B]: colon("b") });
    await page.getByRole("button", { name: "Fix all" }).click();
    await page.getByText("Fixed 2 problems in 2 files.").waitFor();
    await typeAfter(page, "Do it.", " Mine.");
    await undo(page);
    await page.getByText(`${A} has changed since and was kept.`).waitFor();
    const files = await contentsOf(page);
    assert.match(String(files[A]), /'Looks at a: carefully'[^]* Mine\./);
    assert.equal(String(files[B]), colon("b"));
  }));

test("a renamed file keeps its history", () =>
  on(async (page) => {
    await importZip(page, { [A]: agent("a"), [B]: agent("b") });
    await opened(page, A);
    await typeAfter(page, "Do it.", " Typed.");
    await page.getByRole("button", { name: "Rename", exact: true }).click();
    await page.getByRole("combobox", { name: "New path" }).fill(".claude/agents/c.md");
    await page.locator("#ask-ok").click();
    await page.locator(".cm-line", { hasText: "name: c" }).waitFor();
    assert.equal(await page.locator(".cm-content").getAttribute("aria-label"), "Contents of .claude/agents/c.md");
    await page.locator(".cm-content").press("Control+z");
    await page.locator(".cm-line", { hasText: "name: a" }).waitFor();
    await page.locator(".cm-content").press("Control+z");
    await page.locator(".cm-line", { hasText: /^Do it\.$/ }).waitFor();

    // So does one that is renamed without its contents, and one whose renaming is undone.
    await page.getByRole("button", { name: "Rename", exact: true }).click();
    await page.getByRole("combobox", { name: "New path" }).fill("notes.txt");
    await page.locator("#ask-ok").click();
    await opened(page, "notes.txt");
    await page.locator(".cm-content").press("Control+y");
    await page.locator(".cm-line", { hasText: "Do it. Typed." }).waitFor();
    await page.locator("#tree button", { hasText: "b.md" }).click();
    await typeAfter(page, "Do it.", " Typed.");
    await after(page, "name: b");
    await page.keyboard.press("F2");
    await page.getByRole("combobox", { name: "New name of b" }).fill("d");
    await page.keyboard.press("Enter");
    await opened(page, ".claude/agents/d.md");
    await undo(page);
    await opened(page, B);
    for (const _ of ["the renaming", "its undoing", "the typing"]) await page.locator(".cm-content").press("Control+z");
    await page.locator(".cm-line", { hasText: /^Do it\.$/ }).waitFor();
  }));

test("an archive in a folder is a file of the project", (test) =>
  on(async (page) => {
    const folder = mkdtempSync(join(tmpdir(), "callsheet-"));
    test.after(() => rmSync(folder, { recursive: true }));
    const archive = zipSync({ [A]: strToU8(agent("evil")) });
    for (const path of [".claude/agents", "node_modules"]) mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, A), agent("a"));
    writeFileSync(join(folder, "assets.zip"), archive);
    writeFileSync(join(folder, "node_modules/more.zip"), archive);
    await page.locator("#folder-input").setInputFiles(folder);
    await page.locator("#tree button", { hasText: "a.md" }).click();
    assert.deepEqual(await paths(page), [A, "assets.zip"]);
    await page.locator(".cm-line", { hasText: "name: a" }).waitFor();
  }));

test("paths of archives are read as Windows and tar write them", () =>
  on(async (page) => {
    await importZip(page, { ".claude\\agents\\a.md": agent("a"), [`./${B}`]: agent("b"), "c\u0007.md": "", "..\\d.md": "" }, "PROJECT.ZIP");
    await opened(page, A);
    assert.deepEqual(await paths(page), [A, B]);
    await page.getByText("(invalid path); ../d.md (outside of the project).").waitFor();
  }));

test("paths that cannot be those of files are refused", () =>
  on(async (page) => {
    await importZip(page, { [A]: agent("a") });
    await opened(page, A);
    await page.getByRole("button", { name: "New", exact: true }).click();
    const input = page.getByRole("combobox", { name: "Path of the new file" });
    const problem = page.locator("#ask-problem");
    for (const [path, reason] of [
      [`./${B}`, "Remove empty parts and “.” from the path."],
      [".claude//agents/b.md", "Remove empty parts and “.” from the path."],
      ["../b.md", "Use a path in the project"],
      ["a\\b.md", "Use / between folders, and no control characters."],
      [`${A}/b.md`, `${A} is a file, not a folder.`],
      [".claude.md/", "Enter a file name."],
      [A, "A file with this path already exists."],
    ]) {
      await input.fill(path);
      await input.press("Enter");
      await problem.getByText(reason).waitFor();
    }
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Rename", exact: true }).click();
    await page.getByRole("combobox", { name: "New path" }).fill(`${A}/b.md`);
    await page.locator("#ask-ok").click();
    await opened(page, `${A}/b.md`);
    await page.getByRole("button", { name: "Rename", exact: true }).click();
    await page.getByRole("combobox", { name: "New path" }).fill(".claude/agents\u0007");
    await page.locator("#ask-ok").click();
    await problem.getByText("no control characters").waitFor();
  }));

test("a link cannot bring files with paths outside of the project", () =>
  there(linkTo({ "": "1", "/etc/passwd": "2", "../x": "3", "a\0b": "4", [A]: agent("a") }), async (page) => {
    await opened(page, A);
    assert.deepEqual(await paths(page), [A]);
    await page.locator(".cm-line", { hasText: "name: a" }).waitFor();
  }));

test("the page says that it does not apply callsheet.toml", () =>
  on(async (page) => {
    const notice = page.getByText("The playground does not apply callsheet.toml.");
    await importZip(page, { [A]: agent("a"), "callsheet.toml": "" });
    await notice.waitFor();
    await page.locator("#tree button", { hasText: "callsheet.toml" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await notice.waitFor({ state: "hidden" });
  }));

test("lines that end in CRLF keep their ends, and new lines get the same", () =>
  on(async (page) => {
    const crlf = agent("a", "Looks 😀 at things").replaceAll("\n", "\r\n");
    await importZip(page, { [A]: crlf, [B]: agent("b").replace("b\n", "b\r\n") });
    await opened(page, A);
    await typeAfter(page, "name: a", "bc");
    await page.keyboard.press("Backspace");
    await after(page, "description:");
    await page.keyboard.press("Enter");
    await page.keyboard.type("color: mauve");
    // Places of the component are those of the text.
    await page.locator(".cm-lintRange", { hasText: /^mauve$/ }).waitFor();
    await page.locator("#problems").getByRole("button", { name: "mauve" }).click();
    assert.equal(await page.evaluate(() => getSelection().toString()), "mauve");
    await page.locator("#tree button", { hasText: "b.md" }).click();
    await typeAfter(page, "name: b", "cd");
    await typeAfter(page, "Do it.", " Typed.");
    const files = await contentsOf(page);
    assert.equal(String(files[A]), crlf.replace("name: a", "name: ab").replace("things\r\n", "things\r\ncolor: mauve\r\n"));
    assert.equal(String(files[B]), agent("b").replace("b\n", "bcd\r\n").replace("Do it.", "Do it. Typed."), "mixed line ends stay");
  }));

test("text that is dragged within the page is not imported", () =>
  on(async (page) => {
    const drag = (kind) =>
      page.evaluate((kind) => {
        const dataTransfer = new DataTransfer();
        if (kind === "text") dataTransfer.setData("text/plain", "word");
        else dataTransfer.items.add(new File(["word"], "word.md"));
        const events = ["dragover", "drop"].map((type) => new DragEvent(type, { dataTransfer, cancelable: true }));
        return events.map((event) => !document.dispatchEvent(event));
      }, kind);
    assert.deepEqual(await drag("text"), [false, false]);
    assert.deepEqual(await drag("file"), [true, true]);
  }));
