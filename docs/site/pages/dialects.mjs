// One page per dialect, from its data.
import { readFileSync, readdirSync } from "node:fs";
import { parse } from "smol-toml";
import { rewritten } from "./links.mjs";
import { ROOT } from "./paths.mjs";
import { defaultVerdict } from "./schema.mjs";

const CLASHES = {
  "first-wins": "the first place in this list wins",
  "last-wins": "the first place in this list wins",
  merge: "the first place in this list wins, and takes the fields that it does not set from the others",
};
const LEVELS = {
  "built-in": "built into the tool",
  plugin: "`agents` folders of plugins",
  "command-line": "given on the command line",
  programmatic: "registered by a program",
};
const ROOTS = { user: "~/", project: "", policy: "" };
/** What a mistake means for the agent. */
const VERDICTS = {
  fine: "no effect",
  ignored: "the field is ignored",
  withheld: "the agent is listed but cannot be called",
  dropped: "the file does not load",
};
const FORMS = {
  kebab: "lowercase letters, digits and hyphens",
  slug: "lowercase letters, digits, hyphens and underscores",
  word: "letters, digits, hyphens and underscores",
};
const SHAPES = { switches: "map of tools to booleans", words: "list, or text with commas", names: "map or list", permissions: "permissions", any: "anything", scalar: "text, number or boolean" };
const DEFAULTS = {
  wrong: defaultVerdict("keys", "wrong"),
  outOfBounds: defaultVerdict("keys", "out_of_bounds"),
  duplicateKeys: defaultVerdict("dialect", "duplicate_keys"),
  unknownKeys: defaultVerdict("dialect", "unknown_keys"),
};
const EXTENTS = { all: "all tools", none: "no tools" };

/** The overview and the pages of all dialects. */
export function dialectPages() {
  const releases = data("core/editions");
  const source = "docs/dialects.md";
  const overview = readFileSync(new URL(source, ROOT), "utf8").replace(/^# .*\n/, "");
  const pages = data("core/dialects").map((dialect) => dialectPage(dialect, releases.filter((it) => it.dialect === dialect.id && it.measured)));
  return [{ slug: "dialects", title: "Supported tools", body: rewritten(overview, source) }, ...pages];
}

function data(folder) {
  const names = readdirSync(new URL(folder, ROOT)).sort();
  return names.map((name) => parse(readFileSync(new URL(`${folder}/${name}`, ROOT), "utf8")));
}

function dialectPage(dialect, releases) {
  const { id, title, evidence, files, body, tools } = dialect;
  const lines = [
    `How ${title} reads agent files. \`callsheet check --as ${id}\` selects this dialect.`,
    "",
    `- **Rules from:** ${evidence}`,
    `- **Files:** ${code(files.words)}`,
    `- **Format:** ${dialect.format === "toml" ? "TOML" : "Markdown with YAML frontmatter"}`,
    "",
    "## Places",
    "",
    `If several files define the same name, ${CLASHES[dialect.clash]}.`,
    "",
    ...table(["Place", "Level", "Also searched"], places(dialect)),
    "",
    "## Fields",
    "",
    "Fields are listed by the spelling that the tool prefers.",
    "",
    ...table(["Field", "Type", "Default", "Limits", "If invalid"], dialect.key.map(field)),
    "",
    "## Limits",
    "",
    ...limits(dialect),
    "",
    "## Tool lists",
    "",
    `- Without the field: ${EXTENTS[tools.absent]}`,
    `- With an empty field: ${EXTENTS[tools.null]}`,
    `- With an empty list: ${EXTENTS[tools.empty]}`,
  ];
  if (dialect["model-aliases"]) lines.push("", "## Model aliases", "", words(dialect["model-aliases"]));
  lines.push("", "## Releases", "");
  if (releases.length > 0) {
    lines.push("Measured by running the release on files that each probe one question:", "");
    lines.push(...table(["Release", "Use", "How"], releases.map((it) => [it.title, `\`--as ${it.id}\``, it.evidence])));
  } else {
    lines.push("No release is measured: this page follows the documentation.");
  }
  return { slug: `dialects/${id}`, title, description: `How ${title} reads agent files: places, precedence, fields and limits.`, body: lines.join("\n") };
}

/** The places, the highest precedence first. */
function places({ source, clash }) {
  const ordered = clash === "first-wins" ? source : source.toReversed();
  return ordered.map((it) => [
    it.directory ? `\`${ROOTS[it.level]}${it.directory}\`` : LEVELS[it.level],
    it.level,
    [
      it.recursive && it.level !== "command-line" && "subdirectories",
      it.ancestors && `parent directories, where the ${it["outermost-wins"] ? "outermost" : "nearest"} wins`,
    ].filter(Boolean).join("; "),
  ]);
}

function field(key) {
  const [name, ...others] = key.spellings;
  const label = [`\`${name}\``, others.length > 0 && `or ${words(others)}`, key.missing === "dropped" && "(required)"];
  const bounds = [
    key["one-of"]?.length > 0 && words(key["one-of"]),
    key["none-of"]?.length > 0 && `not ${words(key["none-of"])}`,
    key.form && FORMS[key.form],
    key.shortest !== undefined && `at least ${plural(key.shortest, "character")}`,
    key.longest !== undefined && `at most ${plural(key.longest, "character")}`,
    key["single-line"] && "one line",
    key["at-least"] !== undefined && `at least ${key["at-least"]}`,
    key.range && `documented from ${key.range[0]} to ${key.range[1]}`,
    key["ignored-at"] && `ignored in files of level ${words(key["ignored-at"])}`,
    key["replaced-by"] && `retired: ${key["replaced-by"]}`,
  ];
  return [label, [shape(key.shape)], [code(key.default ?? "")], bounds, [otherwise(key)]].map((cell) =>
    cell.filter(Boolean).join(cell === bounds ? "; " : " "),
  );
}

function shape(shape) {
  return typeof shape === "object" ? "tools" : (SHAPES[shape] ?? shape);
}

/** What another value means for the agent. */
function otherwise(key) {
  const isBounded = ["one-of", "none-of", "shortest", "longest", "at-least"].some((bound) => key[bound] !== undefined);
  const worst = [key.shape !== "any" && (key.wrong ?? DEFAULTS.wrong), isBounded && (key["out-of-bounds"] ?? DEFAULTS.outOfBounds)].filter(Boolean);
  if (worst.length === 0) return "";
  if (new Set(worst).size === 1) return VERDICTS[worst[0]];
  return `wrong type: ${VERDICTS[worst[0]]}; out of limits: ${VERDICTS[worst[1]]}`;
}

function limits(dialect) {
  const { body } = dialect;
  const lines = [
    `- Invalid YAML: ${dialect.tolerates === "strict" ? VERDICTS.dropped : "values that need quotes are accepted without them"}`,
    `- A field that is set twice: ${duplicates(dialect["duplicate-keys"])}`,
    `- An unknown field: ${VERDICTS[dialect["unknown-keys"] ?? DEFAULTS.unknownKeys]}`,
    `- An empty prompt: ${VERDICTS[body.empty]}`,
    `- No frontmatter: ${body["no-frontmatter"] === "agent" ? "an agent without fields" : "the file is not an agent"}`,
  ];
  if (body.shortest !== undefined) lines.push(`- Shortest prompt: ${plural(body.shortest, "character")}`);
  if (body.longest !== undefined) lines.push(`- Longest prompt: ${plural(body.longest, "character")}`);
  if (dialect["description-budget"]) lines.push(`- All descriptions together: ${plural(dialect["description-budget"], "character")}`);
  // TOML has no frontmatter and no YAML.
  return dialect.format === "toml" ? lines.filter((line) => !/YAML|frontmatter/.test(line)) : lines;
}

function duplicates(verdict = DEFAULTS.duplicateKeys) {
  return verdict === "fine" ? "the last one counts" : VERDICTS[verdict];
}

function plural(count, noun) {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

function words(list) {
  return list.map((word) => `\`${word}\``).join(", ");
}

/** Escapes Markdown in words of the data. */
function code(text) {
  return text.replaceAll(/\*(\.\w+)+|_\*/g, "`$&`");
}

function table(head, rows) {
  const row = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const used = head.map((_, column) => rows.some((cells) => cells[column] !== ""));
  const kept = (cells) => cells.filter((_, column) => used[column]);
  return [row(kept(head)), `|${"---|".repeat(kept(head).length)}`, ...rows.map((cells) => row(kept(cells)))];
}
