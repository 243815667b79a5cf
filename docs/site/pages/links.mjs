// Rewrites the relative links of a document for the site.
import { existsSync } from "node:fs";
import { posix } from "node:path";
import { BASE, ROOT, SOURCE } from "./paths.mjs";
import { PAGE_OF } from "./sources.mjs";

/** The address of a page of the site. */
export function address(slug, anchor = "") {
  return BASE + (slug && `${slug}/`) + (anchor && `#${anchor}`);
}

/** A document with links to pages instead of files. Links to files that the site does not have become text, unless `SOURCE` is set. */
export function rewritten(markdown, source) {
  return outsideOfCode(markdown, (text) =>
    text.replace(/(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (whole, picture, label, link) => {
      const target = targetOf(link, source);
      if (target === undefined) return label;
      return `${picture}[${label}](${target})`;
    }),
  );
}

function targetOf(link, source) {
  if (/^[a-z]+:/.test(link)) return link;
  const [path, anchor] = link.split("#");
  const file = path ? posix.join(posix.dirname(source), path) : source;
  if (!existsSync(new URL(file, ROOT))) throw new Error(`${source}: ${link} does not exist`);
  if (file === "docs/rules.md" && anchor) return address(`rules/${anchor}`);
  const dialect = /^core\/dialects\/(.+)\.toml$/.exec(file);
  if (dialect) return address(`dialects/${dialect[1]}`);
  if (PAGE_OF.has(file)) return path ? address(PAGE_OF.get(file), anchor) : `#${anchor}`;
  if (/^docs\/(pictures\/|[^/]+\.json$)/.test(file)) return BASE + file.slice("docs/".length);
  return SOURCE && SOURCE + file;
}

/** Applies a function to the lines of a document that are not in a code block. */
function outsideOfCode(markdown, change) {
  const parts = markdown.split(/^((?:```|~~~)[\s\S]*?^(?:```|~~~)$)/m);
  return parts.map((part, index) => (index % 2 === 0 ? change(part) : part)).join("");
}
