// One page per rule, from `docs/rules.md`.
import { existsSync, readFileSync } from "node:fs";
import { exampleOf, fragment } from "./cases.mjs";
import { address, rewritten } from "./links.mjs";
import { BASE, ROOT } from "./paths.mjs";

const FIXES = {
  "": "none",
  safe: "`callsheet check --fix`",
  unsafe: "`callsheet check --fix --unsafe-fixes`; review the result",
};

/** The overview and the pages of all rules. */
export function rulePages(hasPlayground) {
  const source = "docs/rules.md";
  const [overview, ...sections] = readFileSync(new URL(source, ROOT), "utf8").split(/^## /m);
  const rows = [...overview.matchAll(/^\| \[`(.+?)`\]\(.*?\) \| (\w+) \| (\w*) \| (.*) \|$/gm)];
  const facts = new Map(rows.map(([, name, severity, fix, summary]) => [name, { severity, fix, summary }]));
  const pages = sections.map((section) => {
    const [name] = section.split("\n", 1);
    return rulePage(name, section.slice(name.length), facts.get(name), hasPlayground);
  });
  return [{ slug: "rules", title: "Rules", description: "All rules, with severities and fixes.", body: rewritten(overview.replace(/^# .*\n/, ""), source) }, ...pages];
}

function rulePage(name, text, { severity, fix, summary }, hasPlayground) {
  const [page, evidence] = text.split(/^Evidence: /m);
  const [lead, ...rest] = rewritten(page, "docs/rules.md").trim().split("\n\n");
  const example = exampleOf(name);
  const body = [
    lead,
    "",
    `- **Severity:** ${severity} ([change it](${address("configuration", "rules")}))`,
    `- **Fix:** ${FIXES[fix]}`,
    `- **Evidence:** ${evidence.trim().replaceAll("\n", " ")}`,
    "",
    ...rest.flatMap((paragraph) => [paragraph, ""]),
    ...(example ? shown(example, hasPlayground) : []),
  ];
  return { slug: `rules/${name}`, title: name, description: `${summary}.`, body: body.join("\n") };
}

function shown(example, hasPlayground) {
  const { dialect, files, path, report, text } = example;
  const fence = "`".repeat(Math.max(3, ...(text.match(/^`+/gm) ?? []).map((run) => run.length + 1)));
  const others = files.size === 1 ? "" : `, with ${files.size - 1} other file${files.size > 2 ? "s" : ""}`;
  // Formats without agents have no page of their own.
  const page = existsSync(new URL(`core/dialects/${dialect}.toml`, ROOT)) ? address(`dialects/${dialect}`) : address("dialects");
  return [
    "## Example",
    "",
    `\`${path}\`, read as [\`${dialect}\`](${page})${others}:`,
    "",
    fence + (path.endsWith(".toml") ? "toml" : "md"),
    text.replace(/\n$/, ""),
    fence,
    "",
    "Reported:",
    "",
    "```text",
    ...report,
    "```",
    ...(hasPlayground ? ["", `[Open in playground](${BASE}playground/${fragment(example)})`] : []),
  ];
}
