// Starts Chromium, and opens pages in it that fail on console messages. Also used by the driver in `tests/drivers`.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const QUIET = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    throw new Error(`Chromium not found at ${executablePath}. Install it (apt-get install chromium) or set CHROMIUM.`);
  }
  return chromium.launch({ executablePath, args: QUIET });
}

/** Opens the page and runs `use` with it; fails on console messages and requests to other origins, unless they match `expected`. */
export async function visit(browser, address, { expected, ...options } = {}, use) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  context.on("request", (request) => {
    if (!request.url().startsWith(new URL(address).origin) && !request.url().startsWith("data:")) complaints.push(`requested ${request.url()}`);
  });
  try {
    await page.goto(address);
    await page.waitForSelector("body[data-ready]");
    await use(page, context).catch((failure) => {
      throw complaints.length > 0 ? new Error(`${failure.message}\nConsole: ${complaints.join("; ")}`, { cause: failure }) : failure;
    });
    assert.deepEqual(complaints.filter((text) => !expected?.test(text)), []);
  } finally {
    await context.close();
  }
}

/** Puts the cursor at the end of the line with a text. */
export async function after(page, text) {
  const line = page.locator(".cm-line", { hasText: text });
  await line.click({ position: { x: 4, y: 8 } });
  await page.keyboard.press("End");
}

/** Selects an example by its title. */
export async function choose(page, title) {
  await page.selectOption("#example", { label: title });
}
