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
  const found = readdirSync(folder).sort().flatMap((name) => examples(new URL(name, folder), rule));
  const size = ({ files, others }) => others * 1000 + [...files.values()].reduce((sum, text) => sum + text.length, 0);
  return found.sort((one, other) => size(one) - size(other))[0];
}

/** The parts of a case's file: `-- NAME --` begins each but the first. */
function parts(file) {
  const [head, ...rest] = readFileSync(file, "utf8").split(/^-- (.+) --\n/m);
  const names = rest.filter((_, at) => at % 2 === 0);
  return { head, sections: names.map((name, at) => [name, rest[2 * at + 1]]) };
}

/** A finding in an expected result: `SEVERITY RULE PATH:LINE:COLUMN… (DIALECT…)`, then its message and help. */
const FINDING = /^ +- (?<severity>error|warning|note) (?<rule>\S+) (?<path>.+?):(?<line>\d+):(?<column>\d+)[-:\d]* \((?<dialect>[^,)]+)[^)]*\)(?: outside of the project)?\n +(?<message>.*)\n(?<below>(?: {6}.*\n)*)/gmu;

function examples(file, rule) {
  const { head, sections } = parts(file);
  // A case with generated files does not contain all of its input.
  if (Object.keys(parse(head)).some((key) => !["about", "run", "seed"].includes(key))) return [];
  const files = filesOf(sections);
  if (files === undefined) return [];
  const results = sections.at(-1)[1].split(/^\$ /m).slice(1);
  return results.flatMap((result) => {
    const run = result.split("\n", 1)[0];
    const findings = /^check( project)?( --as [a-z-]+)?$/.test(run) ? [...result.matchAll(FINDING)] : [];
    const finding = findings.find(({ groups }) => groups.rule === rule)?.groups;
    if (!finding) return [];
    const path = placed(finding.path);
    const text = files.get(path);
    // A file in place of a folder is not an example of an agent.
    const isFolder = !path.includes(".", 1);
    if (isFolder || text === undefined || text.length > MOST_CHARACTERS) return [];
    const { severity, line, column, message, dialect, below } = finding;
    const report = [`${path}:${line}:${column}: ${severity}[${rule}]: ${placed(message)}`];
    const help = /^ {6}(help: .*)$/m.exec(below);
    if (help) report.push(placed(help[1]));
    return [{ files, dialect, path, report, text: text.replaceAll(UNSEEN, visible), others: findings.length - 1 }];
  });
}

/** A text with the paths of the playground instead of those of the case. */
function placed(text) {
  return text.replaceAll(/(?<![\w/.~-])(project|home)\//g, (place) => PLACES[place]);
}

/** The files of a case; undefined if it has other places than a project and a home directory. */
function filesOf(sections) {
  const files = new Map();
  for (const [name, text] of sections.filter(([name]) => name !== "expected")) {
    const path = name.replace(/^escaped /, "");
    if (!Object.keys(PLACES).some((place) => path.startsWith(place))) return undefined;
    files.set(placed(path), path === name ? text : unescaped(text));
  }
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The text of an escaped file, as tests/src/case.rs has it. */
function unescaped(text) {
  return text.replaceAll(/\\(?:(\n)|([\\rn])|x(..)|u\{(.+?)\}|\{(.+)\*(\d+)\})/gu, (_, none, plain, byte, code, repeated, count) => {
    if (none) return "";
    if (plain) return { r: "\r", n: "\n", "\\": "\\" }[plain];
    if (repeated) return repeated.repeat(Number(count));
    return String.fromCodePoint(Number.parseInt(byte ?? code, 16));
  });
}

function visible(character) {
  return `<U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** A project in the format of the playground's links (`web-demo/browser/src/project/share.ts`). */
export function fragment({ files, dialect, path }) {
  const contents = new Map([...files].map(([name, text]) => [name, Buffer.from(text)]));
  const head = { dialect, open: path, example: path, files: [...contents].map(([name, bytes]) => [name, bytes.length]) };
  const all = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...contents.values()]);
  return `#p=${deflateRawSync(all, { level: 9 }).toString("base64url")}`;
}
