// Examples of rules: conformance cases, whose results a Rust test keeps current.
import { readFileSync, readdirSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { parse } from "smol-toml";
import { ROOT } from "./paths.mjs";

/** The places of a case's files, as the playground names them. */
const PLACES = { "project/": "", "home/": "~/" };
/** Longer examples are hard to read. */
const MOST_CHARACTERS = 1500;
/** Characters that pages would hide or that reorder their text. */
const UNSEEN = /[^\P{C}\n\t]|[\u2028\u2029\ufe00-\ufe0f]/gu;

/** The smallest case that finds a rule: its files, its dialect and the report; undefined if no case is small and portable. */
export function exampleOf(rule) {
  const folder = new URL(`tests/cases/rules/${rule}/`, ROOT);
  const found = readdirSync(folder).sort().flatMap((name) => examples(new URL(`${name}/`, folder), rule));
  const size = ({ files, others }) => others * 1000 + [...files.values()].reduce((sum, text) => sum + text.length, 0);
  return found.sort((one, other) => size(one) - size(other))[0];
}

function examples(folder, rule) {
  const about = parse(readFileSync(new URL("case.toml", folder), "utf8"));
  // A case with generated files does not contain all of its input.
  if (Object.keys(about).some((key) => !["about", "run", "seed"].includes(key))) return [];
  const files = filesOf(folder);
  if (files === undefined) return [];
  const results = JSON.parse(readFileSync(new URL("expected.json", folder), "utf8"));
  return results.flatMap(({ run, output }) => {
    const findings = (/^check( project)?( --as [a-z-]+)?$/.test(run) && output.diagnostics) || [];
    const finding = findings.find((finding) => finding.rule === rule);
    const [dialect] = finding?.dialects ?? [];
    if (!dialect) return [];
    const path = placed(finding.primary.path);
    const text = files.get(path)?.toString();
    // A file in place of a folder is not an example of an agent.
    const isFolder = !path.includes(".", 1);
    if (isFolder || text === undefined || text.length > MOST_CHARACTERS) return [];
    const { severity, message, help, primary } = finding;
    const report = [`${path}:${primary.start.line}:${primary.start.column}: ${severity}[${rule}]: ${placed(message)}`];
    if (help) report.push(`help: ${placed(help)}`);
    return [{ files, dialect, path, report, text: text.replaceAll(UNSEEN, visible), others: findings.length - 1 }];
  });
}

/** A text with the paths of the playground instead of those of the case. */
function placed(text) {
  return text.replaceAll(/(?<![\w/.~-])(project|home)\//g, (place) => PLACES[place]);
}

/** The files of a case; undefined if it has other places than a project and a home directory. */
function filesOf(folder) {
  const files = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = `${entry.parentPath}/${entry.name}`.slice(decodeURI(folder.pathname).length).replace(/^\/+/, "");
    if (["case.toml", "expected.json"].includes(path)) continue;
    const place = Object.keys(PLACES).find((place) => path.startsWith(place));
    if (!place || !entry.isFile()) return undefined;
    files.set(placed(path), readFileSync(`${entry.parentPath}/${entry.name}`));
  }
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function visible(character) {
  return `<U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** A project in the format of the playground's links (`web-demo/browser/src/project/share.ts`). */
export function fragment({ files, dialect, path }) {
  const head = { dialect, open: path, example: path, files: [...files].map(([name, contents]) => [name, contents.length]) };
  const all = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...files.values()]);
  return `#p=${deflateRawSync(all, { level: 9 }).toString("base64url")}`;
}
