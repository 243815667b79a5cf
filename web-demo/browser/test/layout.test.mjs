// The header, and whether the page fits into windows of different sizes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { DIST, PHONE, pages } from "./fixture.mjs";

const { on } = pages();

test("the page links to the documentation and shows the version", () =>
  on(async (page) => {
    const about = page.getByRole("navigation", { name: "About Callsheet" });
    const hrefs = await about.getByRole("link").evaluateAll((links) => links.map((link) => [link.textContent, link.href]));
    const above = new URL("../", page.url()).href;
    const [, version] = /^version = "(.+)"$/m.exec(readFileSync(new URL("../../../Cargo.toml", import.meta.url), "utf8"));
    assert.deepEqual(hrefs, [[version, `${above}changelog/`], ["Docs", above], ["Install", `${above}#install`]]);
  }));

test("the addresses of the documentation and the sources are set when the page is built", (test) => {
  const out = mkdtempSync(join(tmpdir(), "callsheet-"));
  test.after(() => rmSync(out, { recursive: true }));
  const env = { ...process.env, SITE_URL: "https://docs.example", SITE_BASE: "/callsheet", SITE_SOURCE: "https://git.example/callsheet/blob/main" };
  execFileSync(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--logLevel=error", `--outDir=${out}`], { cwd: join(DIST, ".."), env });
  const html = readFileSync(join(out, "index.html"), "utf8");
  for (const link of ["https://docs.example/callsheet/", "https://docs.example/callsheet/#install", "https://git.example/callsheet/blob/main/README.md"]) {
    assert.ok(html.includes(`href="${link}"`), link);
  }
});

const SIZES = { "1000 × 700": { viewport: { width: 1000, height: 700 } }, "768 × 1024": { viewport: { width: 768, height: 1024 } }, phone: PHONE };
for (const [size, options] of Object.entries(SIZES)) {
  test(`the page fits, and its controls are large enough and apart: ${size}`, () =>
    on(async (page) => {
      await page.getByRole("button", { name: "Quote the value" }).waitFor();
      const wrong = [];
      for (const pane of ["files", "editor", "answers"]) {
        if (options === PHONE) await page.locator(`#panes [data-pane=${pane}]`).click();
        for (const tab of pane === "answers" ? ["catalog", "why", "readers", "graph", "convert", "run"] : ["catalog"]) {
          await page.evaluate((id) => document.getElementById(id).click(), `tab-${tab}`);
          await page.locator("#panel > div > *").first().waitFor({ state: "attached" });
          const found = await page.evaluate(measure, pane);
          wrong.push(...found.map((text) => `${pane}, ${tab}: ${text}`));
        }
      }
      assert.deepEqual(wrong, []);
    }, options));
}

/** In the page: what is cut off, too small, or too close to a fix. */
function measure(pane) {
  const wrong = [];
  const box = (element) => element.getBoundingClientRect();
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is too wide");
  const own = box(document.getElementById(pane));
  if (own.left < 0 || own.right > innerWidth || own.bottom > innerHeight) wrong.push("the pane is cut off");
  const main = { files: "tree", editor: "text", answers: "panel" }[pane];
  if (box(document.getElementById(main)).height < 120) wrong.push(`#${main} is too low`);
  for (const element of document.querySelectorAll("a, button, input, select, summary")) {
    const { width, height } = box(element);
    if (element.checkVisibility() && Math.min(width, height) < 24) wrong.push(`${element.outerHTML}: ${width} × ${height}`);
  }
  for (const fixes of document.querySelectorAll(".fixes")) {
    if (!fixes.checkVisibility()) continue;
    const gaps = [box(fixes).top - box(fixes.previousElementSibling).bottom, box(fixes.nextElementSibling).top - box(fixes).bottom];
    if (Math.min(...gaps) < 6) wrong.push(`the gaps around a fix are ${gaps}`);
  }
  return wrong;
}
