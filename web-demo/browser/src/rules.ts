// The rule pages from docs/rules.md.
import { parser } from "@lezer/markdown";
import type { SyntaxNode } from "@lezer/common";
import { h } from "./dom";

let pages: Promise<Map<string, string>> | undefined;

/** The page of a rule as elements; undefined if there is none. */
export async function rulePage(rule: string): Promise<HTMLElement | undefined> {
  pages ??= import("../../../docs/rules.md?raw").then(({ default: text }) => split(text));
  const page = (await pages).get(rule);
  return page === undefined ? undefined : h("div", { class: "page" }, ...render(page));
}

function split(text: string): Map<string, string> {
  const sections = text.split(/^## /m).slice(1);
  return new Map(sections.map((section) => [section.slice(0, section.indexOf("\n")), section.slice(section.indexOf("\n"))]));
}

function render(text: string): Node[] {
  return blocks(text, parser.parse(text).topNode);
}

function blocks(text: string, above: SyntaxNode): Node[] {
  const nodes: Node[] = [];
  for (let node = above.firstChild; node; node = node.nextSibling) {
    if (node.name === "Paragraph") nodes.push(h("p", {}, ...inline(text, node)));
    if (node.name === "FencedCode") nodes.push(code(text, node));
    if (node.name === "BulletList") nodes.push(h("ul", {}, ...blocks(text, node)));
    if (node.name === "ListItem") nodes.push(h("li", {}, ...blocks(text, node)));
  }
  return nodes;
}

function code(text: string, node: SyntaxNode): HTMLElement {
  const lines = node.getChildren("CodeText").map(({ from, to }) => text.slice(from, to));
  return h("pre", {}, h("code", {}, lines.join("")));
}

/** Renders code spans and link texts; everything else as plain text. */
function inline(text: string, above: SyntaxNode): Node[] {
  const nodes: Node[] = [];
  let at = above.from;
  const plain = (to: number) => nodes.push(document.createTextNode(text.slice(at, to).replaceAll("\n", " ")));
  for (let node = above.firstChild; node; node = node.nextSibling) {
    plain(node.from);
    at = node.to;
    const marks = node.getChildren(node.name === "InlineCode" ? "CodeMark" : "LinkMark");
    const inner = text.slice(marks[0]?.to ?? node.from, marks[1]?.from ?? node.to);
    if (node.name === "InlineCode") nodes.push(h("code", {}, inner));
    else nodes.push(document.createTextNode(node.name === "Link" ? inner : text.slice(node.from, node.to)));
  }
  plain(above.to);
  return nodes;
}
