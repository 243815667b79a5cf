// Writes the pages of the site from the documents and the data of the repository.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dialectPages } from "./dialects.mjs";
import { address, rewritten } from "./links.mjs";
import { BASE, FILES, PAGES, ROOT, SITE } from "./paths.mjs";
import { rulePages } from "./rules.mjs";
import { GROUPS, PAGE_OF } from "./sources.mjs";

const SUMMARY = "Lint, inspect, convert and run AI agent files";

rmSync(PAGES, { recursive: true, force: true });
rmSync(FILES, { recursive: true, force: true });
mkdirSync(FILES, { recursive: true });
const playground = new URL("web-demo/browser/dist/", ROOT);
const hasPlayground = existsSync(playground);
if (hasPlayground) cpSync(playground, new URL("playground/", FILES), { recursive: true });
cpSync(new URL("docs/pictures/", ROOT), new URL("pictures/", FILES), { recursive: true });
cpSync(new URL("docs/callsheet.schema.json", ROOT), new URL("callsheet.schema.json", FILES));
cpSync(new URL("web-demo/browser/src/icon.svg", ROOT), new URL("favicon.svg", FILES));

for (const name of readdirSync(new URL("docs/", ROOT))) {
  if (name.endsWith(".md") && !PAGE_OF.has(`docs/${name}`)) throw new Error(`docs/${name} is missing in docs/site/pages/sources.mjs`);
}
const generated = { rules: rulePages(hasPlayground), dialects: dialectPages() };
const groups = GROUPS.map(([title, pages]) => [title, Array.isArray(pages) ? pages.map(document) : generated[pages]]);
for (const [, pages] of groups) for (const page of pages) write(page);
write({ slug: "404", title: "Page not found", body: `This address has no page. Search, or [start at the beginning](${BASE}).` });
writeFileSync(new URL("llms.txt", FILES), index(groups));
const project = ["Measurements", "Project"];
writeFileSync(new URL("llms-full.txt", FILES), full(groups.filter(([title]) => !project.includes(title))));

function document([source, label]) {
  const text = readFileSync(new URL(source, ROOT), "utf8");
  const [, title, body] = /^# (.*)\n([\s\S]*)$/.exec(text);
  return { slug: PAGE_OF.get(source), title, label, body: rewritten(body, source) };
}

/** The first sentence of a page, without Markdown. */
function describe({ body, description }) {
  if (description) return description;
  const paragraph = body.trim().split(/\n\n/).find((part) => /^[A-Z`[]/.test(part)) ?? "";
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "").replaceAll("\n", " ");
  return plain.split(/(?<=\.) |:$/)[0];
}

function write(page) {
  const head = {
    title: page.title,
    description: describe(page),
    slug: page.slug,
    ...(page.label && { sidebar: { label: page.label } }),
  };
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  const file = new URL(`${page.slug || "index"}.md`, PAGES);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, `---\n${lines.join("")}---\n\n${page.body.trim()}\n`);
}

/** The pages with their descriptions, in the format of llmstxt. */
function index(groups) {
  const line = (page) => `- [${page.title}](${SITE ?? ""}${address(page.slug)}): ${describe(page)}`;
  const parts = groups.map(([title, pages]) => `## ${title}\n\n${pages.map(line).join("\n")}\n`);
  const all = `The text of all pages for users is in [llms-full.txt](${SITE ?? ""}${BASE}llms-full.txt).`;
  return `# Callsheet\n\n> ${SUMMARY}\n\n${all}\n\n${parts.join("\n")}`;
}

function full(groups) {
  const pages = groups.flatMap(([, pages]) => pages);
  return pages.map(({ title, body }) => `# ${title}\n\n${body.trim()}\n`).join("\n");
}
