// The panel with the graph of references.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { after } from "./browser.mjs";
import { agent, focused, importZip, pages, PHONE } from "./fixture.mjs";

const { on } = pages();

const definition = (name, fields, body = "Do it.") => `---\nname: ${name}\ndescription: Does ${name}\n${fields}---\n\n${body}\n`;
const FILES = {
  ".claude/agents/lead.md": definition("lead", "tools: Read, Agent(reviewer, reverse, kit:brewer)\nskills: style\n"),
  ".claude/agents/reviewer.md": definition("reviewer", "tools: Read, Agent(lead), mcp__github__get\n"),
  ".claude/agents/loner.md": definition("loner", "tools: Read\n"),
  ".claude/skills/style/SKILL.md": definition("style", "", "See [words](words.md)."),
  ".claude/skills/style/words.md": "Plain.\n",
  ".claude/commands/ship.md": "---\ndescription: Ships\nagent: lead\ncontext: fork\n---\nShip it.\n",
  ".mcp.json": '{"mcpServers": {"github": {"command": "github-mcp"}}}\n',
};
const LEAD = "agent lead, 1 missing, refers to 4, used by 2";

const node = (page, name) => page.locator("#panel").getByRole("button", { name, exact: typeof name === "string" });
const search = (page) => page.getByLabel("Search");
const view = (page) => page.getByRole("group", { name: "Graph of references" });
const opened = (page, path) => page.locator("#open-path").getByText(path, { exact: true }).waitFor();
const selected = (page, text) => page.waitForFunction((text) => getSelection().toString() === text, text);
const found = (page, text) => page.locator("#panel [role=status]").getByText(text).waitFor();
const label = (page) => page.evaluate(() => document.activeElement.ariaLabel);
const zoom = (page) => page.locator(".sheet").evaluate((sheet) => Number(getComputedStyle(sheet).scale));
const box = async (page, name) => (await node(page, name)).boundingBox();

/** Runs `use` with these files and their graph. */
const drawn = (use, { files = FILES, ...options } = {}) =>
  on(async (page) => {
    await importZip(page, files);
    await opened(page, Object.keys(files).sort()[0]);
    if (options.isMobile) await page.locator("#panes [data-pane=answers]").click();
    await page.locator("#tab-graph").click();
    await page.locator(".node").first().waitFor();
    await use(page);
  }, options);

test("the graph shows what there is by kind, what is missing and what is not known", () =>
  drawn(async (page) => {
    const labels = await page.locator(".node").evaluateAll((nodes) => nodes.map((node) => node.ariaLabel));
    assert.deepEqual(labels, [
      LEAD,
      "agent loner",
      "agent reviewer, refers to 2, used by 1",
      "skill style, refers to 1, used by 1",
      "command ship, refers to 1",
      "MCP server github, used by 1",
      "file words.md, .claude/skills/style, used by 1",
      "reverse, missing, used by 1",
      "kit:brewer, not known here, used by 1",
    ]);
    await page.getByText("1 cycle: lead → reviewer → lead.").waitFor();
    const dashes = (verdict) => page.locator(`.graph g.${verdict} path`).last().evaluate((path) => getComputedStyle(path).strokeDasharray);
    const [there, missing, unknown] = [await dashes("there"), await dashes("missing"), await dashes("unknown")];
    assert.equal(there, "none");
    assert.ok(missing !== "none" && unknown !== "none" && missing !== unknown, `${missing}, ${unknown}`);
    assert.equal(await node(page, /^reverse/).innerText(), "reverse\nmissing");
    assert.notEqual(await node(page, /^reverse/).evaluate((it) => getComputedStyle(it).color), await node(page, "agent loner").evaluate((it) => getComputedStyle(it).color));
  }));

test("nodes do not overlap, and references lead to the right", () =>
  drawn(async (page) => {
    const boxes = await page.locator(".node").evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON()));
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        assert.ok(one.right < other.left || other.right < one.left || one.bottom < other.top || other.bottom < one.top, JSON.stringify([one, other]));
      }
    }
    const x = async (name) => (await box(page, name)).x;
    assert.ok((await x(/^command ship/)) < (await x(LEAD)));
    assert.ok((await x(LEAD)) < (await x(/^skill style/)));
    assert.ok((await x(/^skill style/)) < (await x(/^file/)));
  }));

test("a click opens a file, or the place of a reference to what has none", () =>
  drawn(async (page) => {
    await node(page, /^skill style/).click();
    await opened(page, ".claude/skills/style/SKILL.md");
    await page.locator(".node.skill[aria-current=true]").waitFor();
    await node(page, /^reverse/).click();
    await opened(page, ".claude/agents/lead.md");
    await selected(page, "reverse");
    await page.locator(".node.skill:not([aria-current])").waitFor();
    await node(page, /^kit:brewer/).press("Enter");
    await selected(page, "kit:brewer");
    await node(page, /^skill style/).press("Enter");
    await opened(page, ".claude/skills/style/SKILL.md");
    await node(page, /^reverse/).focus();
    const point = await page.locator(".graph g.missing .reach").evaluate((path) => {
      const { x, y } = path.getPointAtLength(path.getTotalLength() * 0.65);
      const matrix = path.getScreenCTM();
      return [x * matrix.a + matrix.e, y * matrix.d + matrix.f];
    });
    await page.mouse.click(...point);
    await selected(page, "reverse");
  }));

test("the search shows what it finds with its references, and leads to it", () =>
  drawn(async (page) => {
    await search(page).fill("style");
    await found(page, "2 found, shown with direct references.");
    assert.equal(await page.locator(".node").count(), 3);
    assert.equal(await page.locator(".node.found").count(), 2);
    await search(page).press("Enter");
    assert.equal(await label(page), "skill style, refers to 1, used by 1");
    await search(page).fill("nothing has this name");
    await found(page, "Nothing found.");
    await search(page).press("Escape");
    assert.equal(await page.locator(".node").count(), 9);
    await page.getByRole("button", { name: "1 missing", exact: true }).click();
    await found(page, "1 found");
    assert.equal(await focused(page), "graph-search");
    assert.deepEqual(await page.locator(".node .name").allTextContents(), ["lead", "reverse"]);
    await search(page).fill("MCP");
    await search(page).press("ArrowDown");
    assert.equal(await label(page), "MCP server github, used by 1");
  }));

test("arrow keys move along references, and neighbors are marked", () =>
  drawn(async (page) => {
    await search(page).press("Enter");
    assert.equal(await label(page), LEAD);
    const near = () => page.locator(".node.near .name").allTextContents();
    assert.deepEqual((await near()).sort(), ["kit:brewer", "lead", "reverse", "reviewer", "ship", "style"]);
    assert.equal(await page.locator(".graph g.near").count(), 6);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await label(page), "command ship, refers to 1");
    assert.deepEqual((await near()).sort(), ["lead", "ship"]);
    await page.keyboard.press("ArrowRight");
    assert.equal(await label(page), LEAD);
    const reached = new Set();
    for (const key of ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp"]) {
      await page.keyboard.press(key);
      reached.add(await label(page));
    }
    assert.ok(reached.size >= 4, [...reached].join("; "));
    // One stop for the Tab key.
    assert.equal(await page.locator('.node[tabindex="0"]').count(), 1);
    await page.locator("#tab-graph").focus();
    assert.equal((await near()).length, 0);
    await node(page, /^file/).hover();
    assert.deepEqual((await near()).sort(), ["style", "words.md"]);
  }));

for (const colorScheme of ["light", "dark"]) {
  test(`marked nodes have enough contrast: ${colorScheme}`, () =>
    drawn(
      async (page) => {
        await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
        await page.locator("#panel summary").click();
        for (const text of ["", "e"]) {
          await search(page).fill(text);
          await search(page).press("Enter");
          await page.locator(".node.near").first().waitFor();
          const { violations } = await page.evaluate(() => globalThis.axe.run("#panel"));
          assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
        }
      },
      // Without transitions of colors.
      { colorScheme, reducedMotion: "reduce" },
    ));
}

test("buttons, keys and the wheel zoom, and the mouse drags", () =>
  drawn(async (page) => {
    const first = await zoom(page);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.getByRole("button", { name: "Zoom in" }).click();
    assert.ok((await zoom(page)) > first * 1.5);
    await page.getByRole("button", { name: "Zoom out" }).click();
    assert.ok((await zoom(page)) < first * 1.5);
    await page.getByRole("button", { name: "Fit", exact: true }).click();
    const fits = () => view(page).evaluate((it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight);
    assert.ok(await fits());
    await search(page).press("Enter");
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    assert.ok(!(await fits()));
    await page.keyboard.press("-");
    await page.keyboard.press("0");
    assert.ok(await fits());
    // What is under the pointer stays there.
    const before = await box(page, LEAD);
    const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
    await page.mouse.move(x, y);
    await page.keyboard.down("Control");
    for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, -100);
    await page.keyboard.up("Control");
    await page.waitForFunction((width) => document.querySelector(".node").getBoundingClientRect().width > width, before.width * 2);
    const now = await box(page, LEAD);
    assert.ok(Math.abs(now.x + now.width / 2 - x) < 20, JSON.stringify([before, now]));
    const scrolled = () => view(page).evaluate((it) => it.scrollLeft);
    const left = await scrolled();
    await page.mouse.down();
    await page.mouse.move(x - 60, y, { steps: 6 });
    await page.mouse.up();
    assert.ok((await scrolled()) > left + 40, `${await scrolled()} after ${left}`);
    // It was no click.
    await opened(page, ".claude/agents/lead.md");
  }));

test("the list has the same references", () =>
  drawn(async (page) => {
    await page.locator("#panel summary").click();
    const rows = page.locator("#panel tbody tr");
    await rows.first().waitFor();
    assert.deepEqual((await rows.allInnerTexts()).map((text) => text.split(/[\t\n]+/)), [
      ["agent lead", "calls reviewer", ".claude/agents/lead.md:4"],
      ["agent lead", "calls reverse missing", ".claude/agents/lead.md:4"],
      ["agent lead", "calls kit:brewer not known here", ".claude/agents/lead.md:4"],
      ["agent lead", "loads style", ".claude/agents/lead.md:5"],
      ["agent reviewer", "calls lead", ".claude/agents/reviewer.md:4"],
      ["agent reviewer", "uses github", ".claude/agents/reviewer.md:4"],
      ["skill style", "links to words.md", ".claude/skills/style/SKILL.md:6"],
      ["command ship", "runs in lead", ".claude/commands/ship.md:3"],
    ]);
    await page.getByRole("button", { name: ".claude/agents/reviewer.md:4" }).last().click();
    await opened(page, ".claude/agents/reviewer.md");
    assert.match(await page.evaluate(() => getSelection().toString()), /github/);
    await search(page).fill("missing");
    await rows.nth(1).waitFor({ state: "detached" });
    assert.match(await rows.innerText(), /reverse/);
  }));

test("the graph follows the files, and keeps the focus", () =>
  drawn(async (page) => {
    await page.locator("#tree button[data-path='.claude/agents/lead.md']").click();
    await after(page, "skills: style");
    await page.keyboard.type(", gone");
    await node(page, "gone, missing, used by 1").waitFor();
    await node(page, "agent lead, 2 missing, refers to 5, used by 2").waitFor();
    await node(page, /^skill style/).focus();
    await page.locator("#tree button[data-path='.claude/agents/loner.md']").evaluate((it) => it.click());
    await opened(page, ".claude/agents/loner.md");
    assert.match(await label(page), /^skill style/);
    await page.locator("#delete").click();
    await node(page, "agent loner").waitFor({ state: "detached" });
  }));

test("without definitions and references, the panel says so", () =>
  on(async (page) => {
    await importZip(page, { "notes.txt": "Nothing.\n" });
    await page.locator("#tab-graph").click();
    await page.getByText("No agents, skills, commands or references in these files.").waitFor();
    await importZip(page, { ".claude/agents/one.md": agent("one") });
    await node(page, "agent one").waitFor();
    await page.getByText("No references.").waitFor();
  }));

test("of many nodes, some are drawn, and the search finds the others", () => {
  const name = (number) => `agent-${number % 2_000}`;
  const one = (number) => definition(name(number), `tools: Read, Agent(${name(number * 7 + 13)}, ${number === 1_500 ? "gone" : name(number * 3 + 1)})\n`);
  const files = Object.fromEntries(Array.from({ length: 2_000 }, (_, number) => [`.claude/agents/${name(number)}.md`, one(number)]));
  return on(async (page) => {
    await importZip(page, files);
    await page.locator("#tree", { hasText: "agent-1999.md" }).waitFor();
    await page.locator("#tab-graph").click();
    await found(page, /^Only \d+ of 2001 nodes and \d+ of \d+ lines are drawn, those with missing or most references first\. Search to see others\.$/);
    assert.ok((await page.locator(".node").count()) <= 300);
    await node(page, "gone, missing, used by 1").waitFor();
    await search(page).fill("agent-1234");
    await found(page, "1 found, shown with direct references.");
    await node(page, /^agent agent-1234,/).waitFor();
  });
});

test("the panel can be shown alone, until a file is opened", () =>
  drawn(async (page) => {
    const before = await view(page).boundingBox();
    await page.getByRole("button", { name: "Expand" }).click();
    assert.ok((await view(page).boundingBox()).width > before.width * 2);
    assert.ok(!(await page.locator("#text").isVisible()));
    await search(page).press("Enter");
    await page.keyboard.press("Escape");
    await page.locator("#text").waitFor();
    await page.getByRole("button", { name: "Expand" }).click();
    await page.locator("#tab-why").click();
    await page.locator("#text").waitFor();
    await page.locator("#tab-graph").click();
    await page.getByRole("button", { name: "Expand" }).click();
    await node(page, /^skill style/).click();
    await opened(page, ".claude/skills/style/SKILL.md");
    assert.ok(await page.locator("#text").isVisible());
    assert.ok(Math.abs((await view(page).boundingBox()).width - before.width) < 2);
  }));

test("on a phone, the graph fits, two fingers zoom, and a tap opens the file", () =>
  drawn(
    async (page, context) => {
      const { x, y, width, height } = await view(page).boundingBox();
      assert.ok(x >= 0 && x + width <= 390 && height >= 200, JSON.stringify([x, y, width, height]));
      const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(needed <= there, `${needed} > ${there}`);
      const first = await zoom(page);
      const fingers = await page.context().newCDPSession(page);
      const touch = (type, apart) =>
        fingers.send("Input.dispatchTouchEvent", { type, touchPoints: apart === 0 ? [] : [-1, 1].map((side, id) => ({ x: x + 150 + side * apart, y: y + 60, id })) });
      await touch("touchStart", 20);
      for (const apart of [22, 30, 40]) await touch("touchMove", apart);
      await touch("touchEnd", 0);
      assert.ok((await zoom(page)) > first * 1.2, `${await zoom(page)} after ${first}`);
      await page.getByRole("button", { name: "Fit", exact: true }).tap();
      await node(page, /^skill style/).tap();
      await opened(page, ".claude/skills/style/SKILL.md");
      assert.ok(await page.locator("#text").isVisible());
    },
    PHONE,
  ));
