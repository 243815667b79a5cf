// What the tests of the page share: the served page, its files, and actions of users.
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { deflateRawSync, inflateRawSync } from "node:zlib";
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

/** The hash of a link to a project. */
export function linkTo(files, head = {}) {
  const lengths = Object.entries(files).map(([path, text]) => [path, Buffer.byteLength(text)]);
  const text = `${JSON.stringify({ dialect: "claude-code", files: lengths, ...head })}\n${Object.values(files).join("")}`;
  return `#p=${deflateRawSync(text).toString("base64url")}`;
}

/** The bytes of the files, by path, from the link that the page copies. */
export async function contentsOf(page) {
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(() => location.hash.startsWith("#p="));
  const all = inflateRawSync(Buffer.from(new URL(page.url()).hash.slice(3), "base64url"));
  let at = all.indexOf("\n") + 1;
  const { files } = JSON.parse(all.subarray(0, at));
  return Object.fromEntries(files.map(([path, length]) => [path, all.subarray(at, (at += length))]));
}

/** What has the focus: its id, or else its text. */
export const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element.shadowRoot ? "text" : element.id || element.textContent;
  });

/** Imports a zip archive with these texts or bytes. */
export async function importZip(page, texts, name = "project.zip") {
  const bytes = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, typeof text === "string" ? strToU8(text) : text]));
  await page.locator("#file-input").setInputFiles({ name, mimeType: "application/zip", buffer: Buffer.from(zipSync(bytes)) });
}
