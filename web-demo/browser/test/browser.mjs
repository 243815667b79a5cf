// Debian's Chromium, and a page in it that must not complain.
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
    throw new Error(`There is no Chromium at ${executablePath}. Install it (apt-get install chromium) or name one in CHROMIUM.`);
  }
  return chromium.launch({ executablePath, args: QUIET });
}

/** Opens the page and runs `use` with it; fails if the page complains or asks anybody else. */
export async function visit(browser, address, options, use) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  context.on("request", (request) => {
    if (!request.url().startsWith(new URL(address).origin) && !request.url().startsWith("data:")) complaints.push(`asked ${request.url()}`);
  });
  try {
    await page.goto(address);
    await page.waitForSelector("body[data-ready]");
    await use(page, context).catch((failure) => {
      throw complaints.length > 0 ? new Error(`${failure.message}\nThe page said: ${complaints.join("; ")}`, { cause: failure }) : failure;
    });
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/** Puts the cursor behind a text of the editor. */
export async function after(page, text) {
  const line = page.locator(".cm-line", { hasText: text });
  await line.click({ position: { x: 4, y: 8 } });
  await page.keyboard.press("End");
}

/** Chooses an example by its title. */
export async function choose(page, title) {
  await page.selectOption("#example", { label: title });
}
