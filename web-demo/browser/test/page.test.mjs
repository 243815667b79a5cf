// User actions in Chromium.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { after, choose } from "./browser.mjs";
import { PHONE, agent, contentsOf, focused, importZip, linkTo, pages } from "./fixture.mjs";

const { on, there } = pages();
const row = (page, name) => page.locator(".map tr", { has: page.getByRole("button", { name, exact: true }) });

test("fixing a broken description changes the winner", () =>
  on(async (page) => {
    await page.getByText("which starts a mapping in YAML").first().waitFor();
    await row(page, "reviewer").locator(".verdict", { hasText: "~/.kode/agents" }).waitFor();
    await page.getByRole("button", { name: "Quote the value" }).click();
    await page.getByText("No problems in this file").waitFor();
    await row(page, "reviewer").locator(".verdict", { hasText: /^\.kode\/agents$/ }).waitFor();
  }));

test("breaking a description by typing marks its bytes", () =>
  on(async (page) => {
    await page.locator("#tree button", { hasText: "release-notes.md" }).click();
    await page.getByText("No problems in this file").waitFor();
    await after(page, "description:");
    await page.keyboard.type(" – für alle: sofort 🎬");
    await page.locator(".cm-lintRange-error").first().waitFor();
    const marked = await page.locator(".cm-lintRange-error").allTextContents();
    assert.equal(marked.join(""), ":");
    const line = page.locator(".cm-line", { hasText: "für alle: sofort 🎬" });
    assert.equal(await line.locator(".cm-lintRange-error").count(), 1);
  }));

test("hovering shows the rule page", () =>
  on(async (page) => {
    await page.locator(".cm-lintRange-error").first().hover();
    await page.locator(".cm-tooltip .page").getByText("Evidence:").first().waitFor();
  }));

test("the winner changes when a file is added, and again when it is renamed or deleted", () =>
  on(async (page) => {
    await choose(page, "Four files, one name");
    await page.getByRole("tab", { name: "Why" }).click();
    await page.getByText("“planner” resolves to .claude/agents/team/planning.md").waitFor();
    await page.locator("#tree button", { hasText: "planning.md" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByLabel("Agent name").fill("planner");
    await page.keyboard.press("Enter");
    await page.getByText("“planner” resolves to .claude/agents/planner.md").waitFor();
    await page.getByRole("button", { name: "New", exact: true }).click();
    await page.getByRole("combobox", { name: "Path of the new file" }).fill(".claude/agents/zz/planner.md");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("“planner” resolves to .claude/agents/zz/planner.md").waitFor();
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("combobox", { name: "New path" }).fill("~/.claude/agents/other/planner.md");
    await page.locator("#ask-ok").click();
    await page.locator("#tree button[aria-current]", { hasText: "planner.md" }).waitFor();
    await page.getByText("“planner” resolves to .claude/agents/planner.md").waitFor();
  }));

test("completions come from the dialect", () =>
  on(async (page) => {
    await choose(page, "Convert between tools");
    await after(page, "color:");
    await page.keyboard.type("\nma");
    await page.locator(".cm-tooltip-autocomplete").getByText("maxTurns").waitFor();
    await page.keyboard.press("Escape");
    await after(page, "tools:");
    await page.keyboard.type(", WebS");
    await page.locator(".cm-tooltip-autocomplete").getByText("WebSearch").click();
    await page.locator(".cm-line", { hasText: ", WebSearch" }).waitFor();
  }));

test("readers differ and show reasons", () =>
  on(async (page) => {
    await choose(page, "One file, many readers");
    await page.locator(".readers .dropped").first().waitFor();
    await page.locator(".readers .loads-differently").first().waitFor();
    await page.getByText("mapping values are not allowed").first().waitFor();
  }));

test("a conversion is refused, or shows its result", () =>
  on(async (page) => {
    await choose(page, "Convert between tools");
    await page.getByText("Not converted: the result could do more than the original.").waitFor();
    await page.selectOption("#target", "kode");
    await page.getByText("Not converted: tools or limits would be lost.").waitFor();
    await page.getByLabel("Convert anyway, losing tools or limits").check();
    await page.locator(".result .cm-line", { hasText: "committer" }).first().waitFor();
    await page.getByRole("button", { name: /^Add \.kode\/agents\// }).click();
    await page.locator("#tree button[aria-current]", { hasText: "committer.md" }).waitFor();
  }));

test("a recorded session runs step by step and to its end", () =>
  on(async (page) => {
    await choose(page, "A session, step by step");
    await page.locator("#run-source option[value=recording]").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText("next: ask opus").waitFor();
    for (const expected of ["next: ask sonnet", "next: Read"]) {
      await page.getByRole("button", { name: "Next step" }).click();
      await page.getByText(expected).waitFor();
    }
    await page.getByRole("button", { name: "Run to the end" }).click();
    await page.getByRole("heading", { name: "Answer" }).waitFor();
    await page.locator(".outcome", { hasText: "Not yet. The notes are written" }).waitFor();
    await page.locator(".invalid", { hasText: "cannot call Bash" }).waitFor();
    await page.locator("#tree button", { hasText: "NOTES.md" }).click();
    await page.locator(".cm-line", { hasText: "You can now get the tide height" }).waitFor();
    await page.getByRole("button", { name: "Start again" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator(".outcome", { hasText: "canceled" }).waitFor();
  }));

for (const [kind, path, reply] of [
  ["openai", "/chat/completions", { choices: [{ message: { content: "Fine." } }], usage: { prompt_tokens: 7, completion_tokens: 2 } }],
  ["anthropic", "/messages", { content: [{ type: "text", text: "Fine." }], usage: { input_tokens: 7, output_tokens: 2 } }],
]) {
  test(`only the user's endpoint gets the request and the key: ${kind}`, () =>
    on(async (page) => {
      await choose(page, "Convert between tools");
      await page.getByRole("tab", { name: "Run" }).click();
      await page.selectOption("#run-source", kind);
      await page.selectOption("#run-agent", "explainer");
      await page.getByLabel("Address").fill(`${new URL(page.url()).origin}/model`);
      await page.getByLabel("Key").fill("sesame");
      let asked;
      await page.route(`**/model${path}`, (route) => {
        asked = route.request();
        return route.fulfill({ json: reply });
      });
      await page.getByRole("button", { name: "Run to the end" }).click();
      await page.locator(".outcome", { hasText: "Fine." }).waitFor();
      const { authorization, "x-api-key": key } = await asked.allHeaders();
      assert.equal(kind === "openai" ? authorization : key, kind === "openai" ? "Bearer sesame" : "sesame");
      const { messages, tools } = asked.postDataJSON();
      assert.match(JSON.stringify(messages), /Look at this project/);
      assert.deepEqual(tools.map((tool) => tool.name ?? tool.function.name).sort(), ["Glob", "Grep", "Read"]);
      assert.doesNotMatch(await page.evaluate(() => JSON.stringify(localStorage) + location.href), /sesame/);
    }));
}

test("a link contains the whole project", async () => {
  let link;
  await on(async (page) => {
    await after(page, "You never edit files.");
    await page.keyboard.type(" Grüße.");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.waitForFunction(() => location.hash.startsWith("#p="));
    link = page.url();
  });
  await there(link, async (page) => {
    await page.locator(".cm-line", { hasText: "You never edit files. Grüße." }).waitFor();
    assert.equal(await page.locator("#dialect").inputValue(), "kode");
  });
});

test("a linked project can be edited, and the user's files restored", async () => {
  let link;
  await on(async (page) => {
    await after(page, "You never edit files.");
    await page.keyboard.type(" Grüße.");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.waitForFunction(() => location.hash.startsWith("#p="));
    link = page.url();
  });
  await on(async (page) => {
    await after(page, "You never edit files.");
    await page.keyboard.type(" This is mine.");
    await page.goto(link);
    await page.locator(".cm-line", { hasText: "Grüße." }).waitFor();
    await page.getByRole("button", { name: "Back to your files" }).click();
    await page.locator(".cm-line", { hasText: "This is mine." }).waitFor();
    await page.goto(link);
    await page.locator(".cm-line", { hasText: "Grüße." }).waitFor();
    await after(page, "Grüße.");
    await page.keyboard.type(" Edited.");
    await page.waitForFunction(() => location.hash === "");
    await page.reload();
    await page.locator(".cm-line", { hasText: "Edited." }).waitFor();
  });
});

test("a deleted file can be restored, and a new one is put in the folder of its tool", () =>
  on(async (page) => {
    await choose(page, "Four files, one name");
    await page.locator("#tree button", { hasText: "planning.md" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.locator("#tree button", { hasText: "planning.md" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator("#tree button[aria-current]", { hasText: "planning.md" }).waitFor();
    for (const [dialect, path] of [["codex", ".codex/agents/new-agent.toml"], ["copilot", ".github/agents/new-agent.agent.md"]]) {
      await page.locator("#dialect").selectOption(dialect);
      await page.getByRole("button", { name: "New", exact: true }).click();
      await page.locator("#ask[open]").waitFor();
      assert.equal(await page.getByRole("combobox", { name: "Path of the new file" }).inputValue(), path);
      await page.getByRole("combobox", { name: "Path of the new file" }).fill(path.slice(0, path.indexOf("-agent") + 6));
      await page.getByRole("button", { name: "Add" }).click();
      await page.locator("#open-path", { hasText: path }).waitFor();
      await page.locator(".cm-line", { hasText: "Explains when to use this agent" }).waitFor();
    }
  }));

test("damaged links are refused", async () => {
  const refused = async (page) => {
    await page.getByText("The link is damaged or incomplete.").waitFor();
    await page.getByText("which starts a mapping in YAML").first().waitFor();
    assert.equal(new URL(page.url()).hash, "");
  };
  const whole = linkTo({ "a.md": agent("a") });
  for (const hash of ["#p=!!!", "#p=%%%%", "#p=AAAA", whole.slice(0, -9), linkTo({}), linkTo({ "../a.md": "" })]) await there(hash, refused);
  await there("#other", async (page) => {
    await page.getByText("which starts a mapping in YAML").first().waitFor();
    assert.equal(await page.locator("#toast").innerText(), "");
    await page.evaluate(() => (location.hash = "#p=%%%%"));
    await refused(page);
  });
});

test("a link with an unknown dialect is read as Claude Code", () =>
  there(linkTo({ ".claude/agents/a.md": agent("a") }, { dialect: "constructor" }), async (page) => {
    await page.getByText("Unknown dialect “constructor”. The files are read as Claude Code.").waitFor();
    assert.equal(await page.locator("#dialect").inputValue(), "claude-code");
    await page.getByText("No problems in this file").waitFor();
    await row(page, "a").waitFor();
  }));

test("files that are too large for a link are not copied", () =>
  on(async (page) => {
    const large = () => randomBytes(900_000);
    await importZip(page, { "one.bin": large(), "two.bin": large() });
    await page.locator("#tree button", { hasText: "two.bin" }).waitFor();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("These files are too large for a link.").waitFor();
    assert.equal(new URL(page.url()).hash, "");
  }));

test("after a link was copied, the reader and the open file are kept", async () => {
  const reloaded = async (page) => {
    await contentsOf(page);
    for (const change of [() => page.selectOption("#dialect", "codex"), () => page.locator("#tree button", { hasText: "release-notes.md" }).click()]) {
      const before = page.url();
      await change();
      await page.waitForFunction((before) => location.href !== before, before);
    }
    await page.reload();
    await page.locator("#open-path", { hasText: "release-notes.md" }).waitFor();
    await page.waitForFunction(() => document.getElementById("dialect").value === "codex");
  };
  await on(reloaded);
  await on(async (page) => {
    await after(page, "You never edit files.");
    await page.keyboard.type(" Mine.");
    await reloaded(page);
  });
});

test("a file with a very long or deep line has no colors", () =>
  on(async (page) => {
    const colored = page.locator(".cm-line [class*=ͼ]").first();
    await colored.waitFor();
    for (const [path, line] of [["long.md", "[a](".repeat(20_000)], ["deep.md", ">".repeat(4_000)]]) {
      await importZip(page, { [path]: `---\nname: long\n---\n\n${line}` });
      await page.locator("#open-path", { hasText: path }).waitFor();
      assert.equal(await colored.count(), 0);
    }
    // Without the line, the colors are back.
    await page.locator(".cm-content").press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.type("# Short");
    await colored.waitFor();
  }));

test("a folder can be dropped, and a folder and a zip chosen", (test) =>
  on(async (page, context) => {
    const parent = mkdtempSync(join(tmpdir(), "callsheet-"));
    test.after(() => rmSync(parent, { recursive: true }));
    const folder = join(parent, "my-project");
    mkdirSync(join(folder, ".claude/agents"), { recursive: true });
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, ".claude/agents/dropped.md"), agent("dropped"));
    writeFileSync(join(folder, "node_modules/no.md"), "not this");
    const wire = await context.newCDPSession(page);
    const data = { items: [], files: [folder], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await wire.send("Input.dispatchDragEvent", { type, x: 100, y: 600, data });
    }
    await page.locator("#open-path", { hasText: /^\.claude\/agents\/dropped\.md$/ }).waitFor();
    writeFileSync(join(folder, ".claude/agents/chosen.md"), agent("chosen"));
    await page.locator("#folder-input").setInputFiles(folder);
    await page.locator("#tree", { hasText: "chosen.md" }).waitFor();
    const zip = join(folder, "agents.zip");
    writeFileSync(zip, zipSync({ "top/.kode/agents/zipped.md": strToU8(agent("zipped")), "top/../evil.md": strToU8("no") }));
    await page.locator("#file-input").setInputFiles(zip);
    await page.locator("#open-path", { hasText: /^\.kode\/agents\/zipped\.md$/ }).waitFor();
    assert.doesNotMatch(await page.locator("#tree").innerText(), /no\.md|evil/);
  }));

test("bytes that are not UTF-8 stay as they are", () =>
  on(async (page) => {
    const bytes = Buffer.concat([Buffer.from("---\r\nname: crlf\r\ndescription: a: b\r\n---\r\nhi "), Buffer.from([0xff])]);
    await page.locator("#file-input").setInputFiles({ name: "crlf.md", mimeType: "text/markdown", buffer: bytes });
    await page.locator(".cm-lintRange-error").first().waitFor();
    await after(page, "name: crlf");
    await page.keyboard.type("x");
    assert.deepEqual((await contentsOf(page))["crlf.md"], bytes);
  }));

test("the page works offline after the first visit", () =>
  on(async (page, context) => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await context.setOffline(true);
    await page.reload();
    await page.getByText("which starts a mapping in YAML").first().waitFor();
    await choose(page, "One file, many readers");
    await page.locator(".readers .dropped").first().waitFor();
  }));

test("edits are kept until the next visit", () =>
  on(async (page) => {
    await after(page, "You never edit files.");
    await page.keyboard.type(" Remember this.");
    await page.reload();
    await page.locator(".cm-line", { hasText: "Remember this." }).waitFor();
  }));

test("the page can be used with the keyboard", () =>
  on(async (page) => {
    await page.getByRole("tab", { name: "Catalog" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.id), "tab-why");
    await page.getByText(/resolves to/).first().waitFor();
    const reached = new Set();
    await page.locator("#example").focus();
    for (let step = 0; step < 40; step += 1) {
      reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.tagName));
      await page.keyboard.press("Tab");
    }
    for (const stop of ["share", "new", "choose-files", "text", "dialect", "tab-why", "why-name"]) assert.ok(reached.has(stop), stop);
  }));

test("the focus stays where it can go on", () =>
  on(async (page) => {
    const press = async (button) => {
      await button.focus();
      await page.keyboard.press("Enter");
    };
    const focus = (expected) => page.waitForFunction((expected) => (document.activeElement.id || document.activeElement.ariaLabel || document.activeElement.textContent) === expected, expected);
    await choose(page, "Four files, one name");

    // In the catalog.
    await page.locator("#tab-catalog").click();
    await row(page, "planner").waitFor();
    const dot = page.locator("#panel button.dot").last();
    const label = await dot.getAttribute("aria-label");
    await press(dot);
    await page.locator(".map tr.open").waitFor();
    await focus(label);
    await press(page.locator(".map th button").first());
    await focus("panel");

    // In Why.
    const file = page.locator("#panel .candidates button").last();
    const path = await file.innerText();
    await press(file);
    await page.locator("#open-path").getByText(path, { exact: true }).waitFor();
    await page.getByText("No problems in this file").waitFor();
    await focus(path);

    // In messages.
    await press(page.locator("#delete"));
    await press(page.locator("#toast button"));
    await focus("delete");

    // In the conversion.
    await choose(page, "Convert between tools");
    await page.getByText("Not converted: the result could do more than the original.").waitFor();
    await page.locator("#target").focus();
    await page.selectOption("#target", "kode");
    await page.getByText("Not converted: tools or limits would be lost.").waitFor();
    assert.equal(await focused(page), "target");
    await page.locator("#loss").focus();
    await page.keyboard.press("Space");
    const add = page.getByRole("button", { name: /^Add \.kode\/agents\// });
    await add.waitFor();
    assert.equal(await focused(page), "loss");
    await press(add);
    await add.waitFor({ state: "detached" });
    await focus("panel");

    // In the problems, which other answers draw again.
    await choose(page, "A colon hides an agent");
    await page.getByText("which starts a mapping in YAML").first().waitFor();
    const summary = page.locator("#problems summary").first();
    await summary.focus();
    const rule = await summary.innerText();
    await page.evaluate(() => {
      document.querySelector("#problems li").dataset.old = "yes";
      document.getElementById("dialect").dispatchEvent(new Event("change"));
    });
    await page.locator("#problems li[data-old]").waitFor({ state: "detached" });
    assert.equal(await focused(page), rule);
  }));

test("a conversion has enough contrast", () =>
  on(async (page) => {
    const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await page.evaluate(source);
    await importZip(page, { ".claude/agents/a.md": agent("a").replace("name", "# Only for tests\nname") });
    await page.locator("#tab-convert").click();
    await page.locator(".result .cm-deletedText", { hasText: "tests" }).first().waitFor();
    const { violations } = await page.evaluate(() => globalThis.axe.run("#panel", { runOnly: "color-contrast" }));
    assert.deepEqual(violations.map(({ nodes }) => nodes.map(({ html }) => html)), []);
  }));

test("forced colors show what is selected and how severe problems are", () =>
  on(async (page) => {
    await page.locator("#tree .count.error").first().waitFor();
    await page.emulateMedia({ forcedColors: "active" });
    const background = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).backgroundColor);
    assert.notEqual(await background("#tree button[aria-current]"), await background("#tree button:not([aria-current])"));
    assert.notEqual(await background("#tabs [aria-selected=true]"), await background("#tabs [aria-selected=false]"));
    assert.notEqual(await background("#tree .count.error"), await background("#tree .count.warning"));
    const color = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).color);
    assert.equal(await color("#tree [aria-current] .count.warning"), await color("#tree [aria-current]"));
  }));

for (const [look, options] of Object.entries({
  desktop: {},
  dark: { colorScheme: "dark" },
  phone: PHONE,
})) {
  test(`no serious findings of axe: ${look}`, () =>
    on(async (page) => {
      const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
      await page.evaluate(source);
      if (options !== PHONE) await page.locator(".cm-content").press("Control+f");
      const serious = [];
      for (const tab of ["catalog", "why", "readers", "graph", "convert", "run"]) {
        if (options === PHONE) await page.locator("#panes [data-pane=answers]").click();
        await page.locator(`#tab-${tab}`).click();
        await page.locator("#panel > div > *").first().waitFor();
        for (const pane of options === PHONE ? ["files", "editor", "answers"] : ["editor"]) {
          if (options === PHONE) await page.locator(`#panes [data-pane=${pane}]`).click();
          const { violations } = await page.evaluate(() => globalThis.axe.run());
          const severe = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
          serious.push(...severe.map(({ id, nodes }) => `${tab}/${pane}: ${id} at ${nodes.map((node) => node.html).join(" | ")}`));
        }
        if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${look}-${tab}.png`) });
      }
      if (options === PHONE) await page.locator("#panes [data-pane=editor]").click();
      await page.locator("#parts").click();
      const { violations } = await page.evaluate(() => globalThis.axe.run("#outline"));
      serious.push(...violations.map(({ id }) => `outline: ${id}`));
      assert.deepEqual(serious, []);
    }, options));
}
