// Tests the built site: links, accessibility, and the examples in the playground.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { BASE } from "../pages/paths.mjs";
import { checkLinks } from "./links.mjs";
import { serve } from "./serve.mjs";

const SITE = fileURLToPath(new URL("../dist/site", import.meta.url));
const PAGES = ["", "concepts/", "command-line/", "rules/", "rules/unquoted-value/", "dialects/claude-code/", "missing"];
/** Both themes and both widths, without all of their combinations. */
const LOOKS = { light: 1400, dark: 390 };

let browser;
let server;

before(async () => {
  server = await serve(SITE, BASE);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu"],
  });
});

after(async () => {
  await browser?.close();
  server?.stop();
});

test("every link leads somewhere", () => {
  const { broken, pages, links } = checkLinks(SITE, BASE);
  assert.deepEqual(broken, []);
  assert.ok(pages > 100 && links > pages, `${pages} pages, ${links} links`);
});

for (const [colorScheme, width] of Object.entries(LOOKS)) {
  test(`no findings of axe, and no page is too wide: ${colorScheme}, ${width} pixels`, () =>
    visit({ colorScheme, viewport: { width, height: 900 } }, async (page) => {
      const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
      const found = [];
      for (const path of PAGES) {
        await page.goto(server.address + path);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        found.push(...violations.map(({ id, nodes }) => `${path}: ${id} at ${nodes.map((node) => node.html).join(" | ")}`));
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (excess > 0) found.push(`${path}: ${excess} pixels too wide`);
        if (process.env.SCREENSHOTS) {
          const name = `${path.replaceAll(/\W/g, "-")}${colorScheme}-${width}.png`;
          await page.screenshot({ path: join(process.env.SCREENSHOTS, name) });
        }
      }
      assert.deepEqual(found, []);
    }));
}

test("the search finds a rule", () =>
  visit({}, async (page) => {
    await page.goto(server.address);
    await page.locator("site-search button").first().click();
    await page.locator("site-search input").fill("byte order mark");
    await page.locator(".pagefind-ui__result-link", { hasText: "byte-order-mark" }).first().waitFor();
  }));

// The playground is only part of the site if it was built before.
test("an example opens in the playground, which links back", { skip: !existsSync(join(SITE, "playground")) && "the playground is not built" }, () =>
  visit({}, async (page) => {
    await page.goto(`${server.address}rules/unquoted-value/`);
    await page.getByRole("link", { name: "Open in playground" }).click();
    await page.waitForSelector("body[data-ready]");
    await page.getByText("unquoted-value").first().waitFor();
    await page.getByRole("link", { name: "Install" }).click();
    await page.waitForURL(`${server.address}#install`);
    await page.getByRole("heading", { name: "Install" }).waitFor();
    await page.getByRole("link", { name: "Playground", exact: true }).click();
    await page.waitForSelector("body[data-ready]");
  }));

/** Opens a page, and fails on its console messages. */
async function visit(options, use) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    // Chromium reports the status of the page for missing addresses.
    const isExpected = message.text().includes("404") && page.url().endsWith("missing");
    if (["error", "warning"].includes(message.type()) && !isExpected) complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  context.on("request", (request) => {
    if (!request.url().startsWith(new URL(server.address).origin) && !/^(data|blob):/.test(request.url())) complaints.push(`requested ${request.url()}`);
  });
  try {
    await use(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}
