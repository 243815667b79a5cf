// Shows findings as marks in the editor.
import type { Diagnostic as Mark } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Diagnostic, Fix } from "../../../shared/contract";
import { encode } from "../../../shared/places";
import { h, prose } from "../dom";
import { rulePage } from "../rules";
import { positionsIn } from "./lines";

/** A finding with its range in the text. */
export interface Found {
  finding: Diagnostic;
  from: number;
  to: number;
}

export function place(findings: Diagnostic[], state: EditorState, contents: Uint8Array): Found[] {
  const at = positionsIn(state, contents);
  return findings.map((finding) => {
    const { start, end } = finding.primary.place.span;
    return { finding, from: at(start), to: at(end) };
  });
}

export function mark({ finding, from, to }: Found, fixWith: (fix: Fix) => void): Mark {
  return {
    from,
    to,
    severity: finding.severity === "note" ? "info" : finding.severity,
    message: finding.message,
    renderMessage: () => explain(finding),
    actions: finding.fixes.map((fix) => ({ name: fix.title, apply: () => fixWith(fix) })),
  };
}

/** Applies a fix, whose edits are byte ranges of these contents. */
export function apply(view: EditorView, fix: Fix, contents: Uint8Array): void {
  const at = positionsIn(view.state, contents);
  const changes = fix.edits.map(({ span, text }) => ({ from: at(span.start), to: at(span.end), insert: text }));
  view.dispatch({ changes, userEvent: "input.fix" });
}

/** The contents with a fix, also if they are not valid UTF-8. */
export function spliced(contents: Uint8Array, fix: Fix): Uint8Array {
  const parts: number[] = [];
  let at = 0;
  for (const { span, text } of fix.edits) {
    parts.push(...contents.subarray(at, span.start), ...encode(text));
    at = span.end;
  }
  return Uint8Array.from([...parts, ...contents.subarray(at)]);
}

/** What explains a finding, and what to do. */
export function said({ note, help }: Diagnostic): HTMLElement[] {
  return [note, help].filter((text) => text !== undefined).map((text) => h("p", { class: "help" }, ...prose(text)));
}

function explain(finding: Diagnostic): HTMLElement {
  const page = h("details", { open: true }, h("summary", {}, `About ${finding.rule}`));
  void rulePage(finding.rule).then((node) => (node ? page.append(node) : page.remove()));
  return h(
    "div",
    {},
    h("p", {}, ...prose(finding.message)),
    ...said(finding),
    page,
  );
}
