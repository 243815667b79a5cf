// The documents of the site: the groups of its navigation, with the source and the label of each page.
export const GROUPS = [
  ["Start", [
    ["docs/start.md", "Get started"],
    ["docs/concepts.md", "Concepts"],
  ]],
  ["Use", [
    ["docs/command-line.md", "Command line"],
    ["docs/configuration.md", "Configuration"],
    ["docs/editors.md", "Editors"],
    ["docs/acp.md", "Agents in editors"],
    ["docs/ci.md", "Hooks and pipelines"],
    ["docs/testing.md", "Testing agents"],
    ["docs/compose.md", "Sharing parts"],
    ["docs/json.md", "JSON output"],
    ["docs/mcp.md", "MCP"],
  ]],
  ["Rules", "rules"],
  ["Supported tools", "dialects"],
  ["Safety", [
    ["docs/security.md", "Reads, writes, runs"],
    ["docs/confinement.md", "Confinement"],
    ["SECURITY.md", "Security policy"],
  ]],
  ["Integrate", [
    ["docs/embed.md", "Embedding"],
    ["docs/deploy.md", "Deployment"],
    ["docs/scale.md", "Sessions on many machines"],
  ]],
  ["Coming from", [
    ["docs/from-agnix.md", "agnix"],
    ["docs/from-rulesync.md", "rulesync"],
  ]],
  ["Measurements", [
    ["docs/performance.md", "Speed, memory and size"],
    ["docs/noise.md", "Noise"],
    ["docs/parity.md", "Conformance"],
  ]],
  ["Project", [
    ["ARCHITECTURE.md", "Architecture"],
    ["CONTRIBUTING.md", "Contributing"],
    ["docs/roadmap.md", "Roadmap"],
    ["docs/releasing.md", "Releasing"],
    ["CHANGELOG.md", "Changelog"],
  ]],
];

/** The page of each document: its path below the base, without slashes at the ends. */
export const PAGE_OF = new Map([["docs/rules.md", "rules"], ["docs/dialects.md", "dialects"]]);
for (const [, pages] of GROUPS) {
  if (Array.isArray(pages)) for (const [source] of pages) PAGE_OF.set(source, slugOf(source));
}

function slugOf(source) {
  if (source === "docs/start.md") return "";
  if (source === "SECURITY.md") return "security-policy";
  return source.split("/").at(-1).replace(/\.md$/, "").toLowerCase();
}
