// Converts the open file: a report for each field, and the result compared with the original.
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState, Text } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import type { Carried } from "../../../shared/contract";
import { decode } from "../../../shared/places";
import { addFiles } from "../actions";
import { h, options, part, prose, replace } from "../dom";
import { colors } from "../editor/language";
import { shelter, theme } from "../editor/theme";
import type { Panel } from "./panel";

const target = h("select", { id: "target" });
const loss = h("input", { id: "loss", type: "checkbox" });
const fields = [
  h("div", { class: "field" }, h("label", { for: "target" }, "Convert to"), target),
  h("div", { class: "field check" }, loss, h("label", { for: "loss" }, "Convert anyway, losing tools or limits")),
];
const answer = h("div", { class: "conversion" });

export const convert: Panel = async (element, scene) => {
  const { project, client, known } = scene;
  if (project.open === undefined) return element.replaceChildren(h("p", { class: "lede" }, "No file open."));
  const again = () => void convert(element, scene);
  target.onchange = again;
  loss.onchange = again;
  options(target, [["", known.dialects.map(({ id, title }) => [id, title])]]);
  if (target.dataset.chosen === undefined) target.value = project.dialect === "codex" ? "claude-code" : "codex";
  target.dataset.chosen = "yes";
  const path = project.open;
  const conversion = await client.ask("convert", path, target.value, loss.checked);
  // The fields belong to the panel that is shown now.
  if (!element.isConnected) return;
  const report = conversion.kind === "converted" ? conversion.result.report : conversion.kind === "refused" ? conversion.report : [];
  const children = [
    h("p", { class: "lede", role: "status" }, verdict()),
    report.length > 0 && table(report),
    conversion.kind === "converted" && result(conversion.text),
  ];
  replace(answer, children, part("panel"));
  // Fields that leave the page lose the focus.
  if (answer.parentElement !== element) element.replaceChildren(...fields, answer);

  function verdict(): HTMLElement {
    if (conversion.kind === "failed") return h("strong", { class: "bad" }, `Not converted: ${conversion.reason}.`);
    if (conversion.kind === "refused") {
      const reason = conversion.isLossy ? "tools or limits would be lost" : "the result could do more than the original";
      return h("strong", { class: "bad" }, `Not converted: ${reason}.`);
    }
    const { directory, file } = conversion.result;
    const to = `${directory}/${file}`;
    const add = () => addFiles(scene.project, new Map([[to, conversion.result.contents]]), `${to} added.`);
    return h("button", { type: "button", class: "primary", onclick: add }, `${project.files.has(to) ? "Replace" : "Add"} ${to}`);
  }

  function result(text: string): HTMLElement {
    const host = h("div", { class: "result" });
    const root = shelter(host);
    const original = decode(project.files.get(path) ?? new Uint8Array());
    const doc = Text.of(text.split(/\r?\n/));
    const state = EditorState.create({
      doc,
      extensions: [
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ "aria-label": "Result, compared with the original", tabindex: "0" }),
        EditorView.lineWrapping,
        lineNumbers(),
        colors(doc),
        theme,
        unifiedMergeView({ original, mergeControls: false }),
      ],
    });
    new EditorView({ root, parent: root, state });
    return host;
  }
};

function table(report: Carried[]): HTMLElement {
  const rows = report.map(({ field, fate, before, after, reason }) =>
    h(
      "tr",
      { class: fate },
      h("th", { scope: "row" }, field),
      h("td", {}, h("span", { class: `badge ${fate}` }, fate)),
      h("td", {}, ...says(before, after), reason !== "" && h("p", { class: "reason" }, ...prose(`${reason}.`))),
    ),
  );
  const head = ["Field", "Result", "Value"].map((title) => h("th", { scope: "col" }, title));
  return h("table", { class: "report" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows));
}

function says(before: string, after: string): Array<Node | string> {
  if (before === after || after === "") return [before];
  return [h("del", {}, before), " ", h("ins", {}, after)];
}
