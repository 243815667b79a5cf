// Finds links of the built site that lead to no page, file or heading.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const OWN = "http://site.invalid";

/** The broken links, as `page: link`, and how many pages and links there are. */
export function checkLinks(folder, base) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html"));
  // The playground has tests of its own.
  const pages = files.filter((name) => !name.startsWith("playground"));
  const texts = new Map(pages.map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]));
  const broken = new Set();
  let links = 0;
  for (const name of pages) {
    const here = new URL(base + name.replace(/index\.html$/, ""), OWN);
    for (const [, link] of texts.get(join(folder, name)).matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      const target = new URL(link.replaceAll("&amp;", "&"), here);
      if (target.origin !== OWN) continue;
      links += 1;
      if (!isThere(target)) broken.add(`${name}: ${link}`);
    }
  }
  return { broken: [...broken], pages: pages.length, links };

  function isThere({ pathname, hash }) {
    if (!pathname.startsWith(base)) return false;
    const named = join(folder, decodeURIComponent(pathname.slice(base.length)));
    if (!existsSync(named)) return false;
    const file = statSync(named).isDirectory() ? join(named, "index.html") : named;
    if (!existsSync(file)) return false;
    const anchor = decodeURIComponent(hash.slice(1));
    return !anchor || !texts.has(file) || texts.get(file).includes(` id="${anchor}"`);
  }
}
