// What the editor shows around a file: lenses, hints, hovers, references and new names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { after } from "./browser.mjs";
import { focused, importZip, pages, PHONE } from "./fixture.mjs";

const { on } = pages();

const FILES = {
  ".claude/agents/lead.md": "---\nname: lead\ndescription: Leads 😀 the review\ntools: Read, Agent(reviewer), Task\nskills: style\nflavor: mint\n---\nAsk the reviewer.\n",
  ".claude/agents/reviewer.md": "---\nname: reviewer\ndescription: Reviews code\ntools: Read, Grep\nmodel: sonnet\n---\nReview.\n",
  ".claude/skills/style/SKILL.md": "---\nname: style\ndescription: Knows the style of the code. Use it for reviews.\n---\nPlain words.\n",
  "README.md": "Read me.\n",
  "~/.claude/agents/reviewer.md": "---\nname: reviewer\ndescription: Reviews at home\n---\nReview.\n",
};

const file = (page, path) => page.locator(`#tree button[data-path="${path}"]`);
const opened = (page, path) => page.locator("#open-path").getByText(path, { exact: true }).waitFor();
const lens = (page, text) => page.locator("#lenses").getByRole("button", { name: text });
const reference = (page, text) => page.locator(".cm-reference", { hasText: text });
const line = (page, text) => page.locator(".cm-line", { hasText: text });

/** Runs `use` with these files, and one of them open. */
const among = (path, use, options) =>
  on(async (page) => {
    await importZip(page, FILES);
    if (options === PHONE) await page.locator("#panes [data-pane=files]").click();
    await file(page, path).click();
    if (options === PHONE) await page.locator("#panes [data-pane=editor]").click();
    await opened(page, path);
    await use(page);
  }, options);

test("lenses say what a file wins over, who uses it and who loads it, and open the panels", () =>
  among(".claude/agents/reviewer.md", async (page) => {
    await lens(page, /^loaded by \d+ of \d+ releases$/).click();
    await page.getByText(/^Loaded by (all )?\d+/).waitFor();
    await lens(page, "wins over 1 other").click();
    await page.getByText("“reviewer” resolves to .claude/agents/reviewer.md").waitFor();
    await lens(page, "used by 1").click();
    await page.locator("#panel button", { hasText: ".claude/agents/lead.md:4" }).click();
    await opened(page, ".claude/agents/lead.md");
    assert.equal(await page.evaluate(() => getSelection().toString()), "reviewer");
    await file(page, "~/.claude/agents/reviewer.md").click();
    await lens(page, "shadowed by another file").waitFor();
    assert.equal(await lens(page, "run").count(), 0);
    await file(page, ".claude/agents/reviewer.md").click();
    await lens(page, "run").click();
    await page.waitForFunction(() => document.querySelector("#run-agent")?.value === "reviewer");
  }));

test("lenses show panels of the tool that owns the file", () =>
  on(async (page) => {
    await importZip(page, { ...FILES, ".kode/agents/keeper.md": "---\nname: keeper\ndescription: Keeps things\n---\nKeep.\n" });
    await file(page, ".kode/agents/keeper.md").click();
    await page.locator("#dialect").selectOption("codex");
    await lens(page, "run").click();
    await page.waitForFunction(() => document.querySelector("#run-agent")?.value === "keeper");
    assert.equal(await page.locator("#dialect").inputValue(), "kode");
  }));

test("lenses follow the files", () =>
  among(".claude/agents/reviewer.md", async (page) => {
    await lens(page, "wins over 1 other").waitFor();
    await after(page, "name: reviewer");
    await page.keyboard.type("2");
    await lens(page, "wins over 1 other").waitFor({ state: "detached" });
    await lens(page, "used by 1").waitFor({ state: "detached" });
    await file(page, "README.md").click();
    await lens(page, /loaded by/).waitFor({ state: "detached" });
  }));

test("hints and words are at their places, and move with the text", () =>
  among(".claude/agents/lead.md", async (page) => {
    await line(page, "Task= Agent").waitFor();
    await line(page, "---model: inherit").waitFor();
    assert.deepEqual(await page.locator(".cm-is-unread-key").allTextContents(), ["flavor"]);
    assert.deepEqual(await page.locator(".cm-is-tool").allTextContents(), ["Read", "Agent", "Task"]);
    await after(page, "skills: style");
    await page.keyboard.type("\nmodel: opus");
    await page.locator(".cm-hint", { hasText: "model:" }).waitFor({ state: "detached" });
    await page.locator(".cm-is-model", { hasText: "opus" }).waitFor();
  }));

test("hovering a name shows what it leads to, and opens it", () =>
  among(".claude/agents/lead.md", async (page) => {
    await reference(page, "reviewer").hover();
    const tooltip = page.locator(".cm-explained");
    await tooltip.getByText("Reviews code").waitFor();
    await tooltip.getByRole("button", { name: "Open" }).click();
    await opened(page, ".claude/agents/reviewer.md");
  }));

test("the keyboard explains a field and announces it", () =>
  among(".claude/agents/reviewer.md", async (page) => {
    await after(page, "tools: Read, Grep");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+i");
    await page.locator(".cm-explained").getByText("a tool to").waitFor();
    assert.match(await page.locator(".cm-announced").textContent(), /`?Grep`?: a tool to .*read by Claude Code/s);
    await page.keyboard.press("Escape");
    await page.locator(".cm-explained").waitFor({ state: "detached" });
    await after(page, "Review.");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+i");
    await page.locator(".cm-announced", { hasText: "Nothing to explain here" }).waitFor({ state: "attached" });
  }));

test("a reference is followed with a click and with a key, and what refers to it is shown", () =>
  among(".claude/agents/lead.md", async (page) => {
    await reference(page, "style").click({ modifiers: ["Control"] });
    await opened(page, ".claude/skills/style/SKILL.md");
    await page.locator(".cm-content").press("Shift+F12");
    await page.getByText("The skill “style” is defined in .claude/skills/style/SKILL.md.").waitFor();
    await page.locator("#panel button", { hasText: ".claude/agents/lead.md:5" }).click();
    await opened(page, ".claude/agents/lead.md");
    await reference(page, "reviewer").click();
    await page.keyboard.press("F12");
    await opened(page, ".claude/agents/reviewer.md");
  }));

test("a name is renamed with its file and its references, in one step that can be undone", () =>
  among(".claude/agents/lead.md", async (page) => {
    const name = page.getByRole("combobox", { name: "New name of reviewer" });
    await reference(page, "reviewer").click();
    await page.keyboard.press("F2");
    await name.fill("two words");
    await name.press("Enter");
    await page.locator("#ask-problem").getByText("`two words` is not a valid agent name").waitFor();
    await name.fill("prober");
    await name.press("Enter");
    await line(page, "Agent(prober)").waitFor();
    await file(page, ".claude/agents/prober.md").waitFor();
    assert.equal(await file(page, ".claude/agents/reviewer.md").count(), 0);
    await page.getByRole("button", { name: "Undo" }).click();
    await line(page, "Agent(reviewer)").waitFor();
    await file(page, ".claude/agents/reviewer.md").waitFor();
    assert.equal(await file(page, ".claude/agents/prober.md").count(), 0);
  }));

test("a name that is taken, and a place without one, are not renamed", () =>
  among(".claude/agents/lead.md", async (page) => {
    await reference(page, "reviewer").click();
    await page.keyboard.press("F2");
    await page.getByRole("combobox", { name: "New name of reviewer" }).fill("lead");
    await page.keyboard.press("Enter");
    await page.locator("#ask-problem").getByText("there is already an agent").waitFor();
    await page.keyboard.press("Escape");
    await line(page, "Agent(reviewer)").waitFor();
    await after(page, "Ask the reviewer.");
    await page.keyboard.press("F2");
    await page.locator("#toast").getByText("Put the cursor on the name").waitFor();
    assert.equal(await page.locator("#ask[open]").count(), 0);
  }));

test("a file that is renamed takes its name along, if that was its name", () =>
  among(".claude/agents/reviewer.md", async (page) => {
    const move = async (to) => {
      await page.getByRole("button", { name: "Rename", exact: true }).click();
      await page.getByRole("combobox", { name: "New path" }).fill(to);
      await page.locator("#ask-ok").click();
      await opened(page, to);
    };
    await move(".claude/agents/prober.md");
    await line(page, "name: prober").waitFor();
    await file(page, ".claude/agents/lead.md").click();
    await line(page, "Agent(prober)").waitFor();
    await file(page, ".claude/agents/prober.md").click();
    await move("notes.md");
    await line(page, "name: prober").waitFor();
  }));

test("a finding is ignored with a comment", () =>
  among(".claude/agents/lead.md", async (page) => {
    const finding = page.locator("#problems li", { hasText: "unknown field flavor" });
    await finding.getByRole("button", { name: "Ignore" }).click();
    await finding.waitFor({ state: "detached" });
    await line(page, "callsheet: ignore").waitFor();
  }));

test("completions are in the component's order", () =>
  among(".claude/agents/reviewer.md", async (page) => {
    await after(page, "tools: Read, Grep");
    await page.keyboard.type(", ");
    const options = page.locator(".cm-tooltip-autocomplete .cm-completionLabel");
    await options.first().waitFor();
    const shown = await options.allTextContents();
    assert.notDeepEqual(shown, [...shown].sort(), "the usual ones come first");
  }));

const PARTS = "---\nname: parts\ndescription: Has 😀 parts\n---\n\n# First\n\nOne.\n\n## Within\n\nTwo.\n\n# Last\n\nEnd.\n";
const parted = (use, options) =>
  on(async (page) => {
    await importZip(page, { ".claude/agents/parts.md": PARTS, "README.md": "Read me.\n" });
    await opened(page, ".claude/agents/parts.md");
    await page.locator(".cm-fold >> visible=true").first().waitFor();
    await use(page);
  }, options);
const lines = (page) => page.locator(".cm-line").allTextContents();

test("the frontmatter and sections are folded with the mouse and with keys", () =>
  parted(async (page) => {
    await page.locator(".cm-fold >> visible=true").first().click();
    await line(page, "name: parts").waitFor({ state: "detached" });
    await after(page, "# First");
    await page.keyboard.press("Control+Shift+BracketLeft");
    await line(page, "Two.").waitFor({ state: "detached" });
    assert.deepEqual((await lines(page)).slice(2), ["# First…", "", "# Last", "", "End.", ""]);
    assert.match(await page.locator(".cm-announced").textContent(), /Folded lines 6 to 12/);
    await page.keyboard.press("Control+Shift+BracketRight");
    await line(page, "Two.").waitFor();
    // A fold moves with the text.
    await after(page, "Two.");
    await page.keyboard.type(" Three.");
    await after(page, "## Within");
    await page.keyboard.press("Control+Shift+BracketLeft");
    await line(page, "Two. Three.").waitFor({ state: "detached" });
  }));

test("the outline lists the fields and the headings, and goes to them", () =>
  parted(async (page) => {
    const entries = page.locator("#outline-list button");
    await page.locator("#parts").click();
    assert.deepEqual(await entries.locator("span:first-child").allTextContents(), ["parts", "name", "description", "First", "Within", "Last"]);
    await page.getByLabel("Go to a field or a heading").fill("wi");
    await page.keyboard.press("Enter");
    await page.locator("#outline[open]").waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => getSelection().toString().trim()), "## Within");
    await page.keyboard.press("Control+Shift+o");
    await page.locator("#outline[open] button").last().waitFor();
    await page.keyboard.press("ArrowUp");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Lastheading");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => getSelection().toString().trim()), "# Last");
    await page.locator("#parts").click();
    await page.getByLabel("Go to a field or a heading").fill("none");
    await page.getByText("Nothing here has this name.").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement.id), "parts");
    await file(page, "README.md").click();
    await opened(page, "README.md");
    await page.locator("#parts").click();
    await page.locator("#toast").getByText("No agent, skill or command is defined").waitFor();
  }));

test("on a phone, a lens leads to the results", () =>
  among(
    ".claude/agents/reviewer.md",
    async (page) => {
      await lens(page, "used by 1").tap();
      assert.equal(await focused(page), "panel");
      await page.locator("#panel button", { hasText: ".claude/agents/lead.md:4" }).tap();
      await opened(page, ".claude/agents/lead.md");
      assert.ok(await page.locator("#text").isVisible());
      assert.equal(await focused(page), "text");
      const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(needed <= there, `${needed} > ${there}`);
    },
    PHONE,
  ));
