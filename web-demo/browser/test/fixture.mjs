// What the tests of the page share: the served page, its files, and actions of users.
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { strToU8, zipSync } from "fflate";
import { launch, visit } from "./browser.mjs";
import { serve } from "./serve.mjs";

export const DIST = fileURLToPath(new URL("../dist", import.meta.url));
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Serves the page to the tests of a file. `on` runs a function with a new page, `there` with the page at another address. */
export function pages() {
  let browser;
  let server;
  before(async () => {
    server = await serve(DIST);
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    server?.stop();
  });
  const there = (address, use, options = {}) => visit(browser, new URL(address, server.address).href, options, use);
  return { on: (use, options) => there("", use, options), there };
}

/** The text of an agent file. */
export const agent = (name, description = "Does something useful") => `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;

/** Imports a zip archive with these texts or bytes. */
export async function importZip(page, texts) {
  const bytes = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, typeof text === "string" ? strToU8(text) : text]));
  await page.locator("#file-input").setInputFiles({ name: "project.zip", mimeType: "application/zip", buffer: Buffer.from(zipSync(bytes)) });
}
