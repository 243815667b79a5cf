// The findings in the open file, as a list below the editor.
import type { Diagnostic } from "../../shared/contract";
import { h, part, prose, replace } from "./dom";
import type { Editor } from "./editor/editor";
import { type Found, said } from "./editor/findings";
import { rulePage } from "./rules";

/** Shows the findings, by severity. `ignore` writes a comment that suppresses one. */
export function showProblems(found: Found[], contents: Uint8Array, editor: Editor, isOpen: boolean, ignore: (finding: Diagnostic) => void): void {
  const order = ["error", "warning", "note"];
  const sorted = [...found].sort((one, other) => order.indexOf(one.finding.severity) - order.indexOf(other.finding.severity));
  const opened = new Set([...part("problems").querySelectorAll<HTMLDetailsElement>("details[open]")].map((node) => node.dataset.rule));
  const heading = part("problem-count");
  replace(part("problems"), sorted.map(problem), heading);
  const text = isOpen ? title(found.map(({ finding }) => finding)) : "";
  if (heading.textContent !== text) heading.textContent = text;

  function problem({ finding, from, to }: Found): HTMLElement {
    const { line, column } = finding.primary.place.start;
    const go = h("button", { type: "button", class: "link", onclick: () => editor.go(from, to) }, ...prose(finding.message));
    const fixes = finding.fixes.map((fix) =>
      h("button", { type: "button", class: "fix", onclick: () => editor.fix(fix, contents) }, fix.title),
    );
    const suppress = h("button", { type: "button", class: "link ignore", title: "Write a comment that suppresses this finding", onclick: () => ignore(finding) }, "Ignore");
    return h(
      "li",
      { class: finding.severity },
      h("span", { class: "severity" }, finding.severity),
      h("div", {}, go, " ", h("span", { class: "at" }, `${line}:${column}`), " ", suppress, ...said(finding), fixes.length > 0 && h("p", { class: "fixes" }, ...fixes), about(finding.rule, opened.has(finding.rule))),
    );
  }
}

function title(findings: Diagnostic[]): string {
  if (findings.length === 0) return "No problems in this file";
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  const parts = ["error", "warning", "note"].filter((severity) => count(severity) > 0);
  return parts.map((severity) => `${count(severity)} ${severity}${count(severity) === 1 ? "" : "s"}`).join(", ");
}

function about(rule: string, open: boolean): HTMLElement {
  const details = h("details", { "data-rule": rule, open }, h("summary", {}, rule));
  const fill = async () => {
    const page = details.childElementCount === 1 ? await rulePage(rule) : undefined;
    if (page) details.append(page);
  };
  details.addEventListener("toggle", () => void fill());
  return details;
}
