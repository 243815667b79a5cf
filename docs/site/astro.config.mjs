// The site around the pages that `pages/build.mjs` writes.
import { existsSync, readdirSync } from "node:fs";
import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import { BASE, FILES, PAGES, SITE } from "./pages/paths.mjs";
import { GROUPS, PAGE_OF } from "./pages/sources.mjs";

const sidebar = GROUPS.map(([label, pages]) =>
  Array.isArray(pages)
    ? { label, items: pages.map(([source]) => PAGE_OF.get(source) || "index") }
    : { label, collapsed: true, items: [{ label: "Overview", slug: pages }, ...below(pages)] },
);

// After the pages to start with, if it is built.
if (existsSync(new URL("playground/", FILES))) sidebar.splice(1, 0, { label: "Playground", link: "/playground/" });

function below(folder) {
  const names = readdirSync(new URL(folder, PAGES)).sort();
  return names.map((name) => `${folder}/${name.replace(/\.md$/, "")}`);
}

export default defineConfig({
  site: SITE,
  base: BASE,
  outDir: "dist/site",
  publicDir: "dist/files",
  cacheDir: "dist/cache",
  trailingSlash: "always",
  devToolbar: { enabled: false },
  markdown: {
    // YAML is part of Markdown, but is only loaded on request.
    shikiConfig: { langs: ["yaml"], themes: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" } },
    rehypePlugins: [scrollingTables],
  },
  integrations: [
    starlight({
      // Its code blocks have no label and are only reachable by keyboard after a script ran.
      expressiveCode: false,
      title: "Callsheet",
      description: "Lint, inspect, convert and run AI agent files",
      favicon: "/favicon.svg",
      customCss: ["./src/style.css"],
      markdown: { processedDirs: ["dist/pages"] },
      sidebar,
    }),
  ],
});

/** Puts tables into boxes that scroll and are reachable by keyboard, so that a wide table does not widen the page. */
function scrollingTables() {
  return (tree) => {
    tree.children = tree.children.map((node) => {
      if (node.tagName !== "table") return node;
      return { type: "element", tagName: "div", properties: { className: ["wide"], tabIndex: 0 }, children: [node] };
    });
  };
}
