// Runs tests in Chromium and fails on console messages of the page.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after as finally_, before } from "node:test";
import { fileURLToPath } from "node:url";
import { strToU8, zipSync } from "fflate";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

export const DIST = fileURLToPath(new URL("../dist", import.meta.url));
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

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

/** Serves the page to the tests of a file. `on` runs a function with a new page, `there` with the page at another address. */
export function pages() {
  let browser;
  let server;
  before(async () => {
    server = await serve(DIST);
    browser = await launch();
  });
  finally_(async () => {
    await browser?.close();
    server?.stop();
  });
  const there = (address, use, options = {}) => visit(browser, new URL(address, server.address).href, options, use);
  return { on: (use, options) => there("", use, options), there };
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

/** The text of an agent file. */
export const agent = (name, description = "Does something useful") => `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;

/** Imports a zip archive with these texts or bytes. */
export async function importZip(page, texts) {
  const bytes = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, typeof text === "string" ? strToU8(text) : text]));
  await page.locator("#file-input").setInputFiles({ name: "project.zip", mimeType: "application/zip", buffer: Buffer.from(zipSync(bytes)) });
}
