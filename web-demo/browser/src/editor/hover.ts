// What is written at a place, below the mouse, or below the cursor after Ctrl+K Ctrl+I as in other editors.
import { StateEffect, StateField, type Extension } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import { encode } from "../../../shared/places";
import { h, prose } from "../dom";
import type { Hover } from "../questions";
import { byteAt, positionsIn, textOf } from "./lines";

/** Asks what is written at a byte of the shown file. */
export type AskHover = (at: number) => Promise<Hover | undefined>;

const shown = StateEffect.define<Tooltip | null>();

export function hovers(ask: AskHover, open: (path: string) => void): Extension {
  const tooltipAt = async (view: EditorView, at: number): Promise<Tooltip | null> => {
    const { state } = view;
    const hover = await ask(byteAt(state, at));
    // The user typed in the meantime.
    if (!hover || view.state.doc !== state.doc) return null;
    const position = positionsIn(state, encode(textOf(state)));
    const { start, end } = hover.span;
    return { pos: position(start), end: position(end), create: () => ({ dom: explain(hover, open) }) };
  };
  const atCursor = StateField.define<Tooltip | null>({
    create: () => null,
    update: (value, { docChanged, selection, effects }) => {
      const effect = effects.find((one) => one.is(shown));
      if (effect) return effect.value;
      return docChanged || selection ? null : value;
    },
    provide: (field) => showTooltip.from(field),
  });
  const explainCursor = (view: EditorView) => {
    void tooltipAt(view, view.state.selection.main.head).then((tooltip) => {
      const dom = tooltip?.create(view).dom;
      const announced = EditorView.announce.of(dom?.textContent ?? "Nothing to explain here");
      view.dispatch({ effects: [shown.of(tooltip), announced] });
    });
    return true;
  };
  const close = (view: EditorView) => {
    if (!view.state.field(atCursor)) return false;
    view.dispatch({ selection: view.state.selection });
    return true;
  };
  return [
    hoverTooltip((view, at) => tooltipAt(view, at)),
    atCursor,
    keymap.of([
      { key: "Mod-k Mod-i", run: explainCursor, preventDefault: true },
      { key: "Escape", run: close },
    ]),
  ];
}

function explain({ texts, others, path }: Hover, open: (path: string) => void): HTMLElement {
  return h(
    "div",
    { class: "cm-explained" },
    ...texts.map((text) => h("p", {}, ...prose(text))),
    others.length > 0 && h("p", {}, "Other releases that read this folder:"),
    others.length > 0 && h("ul", {}, ...others.map((other) => h("li", {}, ...prose(other)))),
    path !== undefined && h("button", { type: "button", onclick: () => open(path) }, "Open"),
  );
}
