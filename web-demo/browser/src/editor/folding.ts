// Folding of the frontmatter and of the sections of the prompt, at the places of the component.
import { codeFolding, foldGutter, foldKeymap, foldService } from "@codemirror/language";
import { StateEffect, StateField, type EditorState, type Extension } from "@codemirror/state";
import { keymap, type EditorView } from "@codemirror/view";
import { h } from "../dom";
import type { Outline } from "../questions";
import { positionsIn } from "./lines";

interface Fold {
  from: number;
  to: number;
}

const folds = StateEffect.define<Fold[]>();
/** They move with the text until they are replaced. */
const foldable = StateField.define<Fold[]>({
  create: () => [],
  update: (now, { changes, effects }) => {
    const next = effects.find((one) => one.is(folds))?.value;
    return next ?? (changes.empty ? now : now.map(({ from, to }) => ({ from: changes.mapPos(from, -1), to: changes.mapPos(to) })));
  },
});

export const folding: Extension = [
  foldable,
  foldService.of((state, start, end) => state.field(foldable).find(({ from, to }) => start <= from && from <= end && end < to) ?? null),
  codeFolding(),
  foldGutter({
    foldingChanged: ({ startState, state }) => startState.field(foldable) !== state.field(foldable),
    markerDOM: (open) => h("span", { class: "cm-fold", title: open ? "Fold" : "Unfold" }, open ? "⌄" : "›"),
  }),
  keymap.of(foldKeymap),
];

export function fold(view: EditorView, outline: Outline | undefined, contents: Uint8Array): void {
  view.dispatch({ effects: folds.of(outline ? foldsOf(view.state, outline, contents) : []) });
}

function foldsOf(state: EditorState, { keys: [key], headings, body }: Outline, contents: Uint8Array): Fold[] {
  const { doc } = state;
  const at = positionsIn(state, contents);
  const lineOf = (byte: number) => doc.lineAt(at(byte)).number;
  const all: Fold[] = [];
  const add = (first: number, last: number) => {
    if (first < last) all.push({ from: doc.line(first).to, to: doc.line(last).to });
  };
  const [first, start] = [key ? lineOf(key.span.start) : 1, lineOf(body.start)];
  // The fences are the lines around the fields; the fields around a prompt are not folded.
  const isFenced = doc.sliceString(0, at(body.start)).trimEnd().endsWith("---");
  if (isFenced && first > 1 && start > first + 1) add(first - 1, start - 1);
  headings.forEach(({ depth, span }, index) => {
    const next = headings.slice(index + 1).find((next) => next.depth <= depth);
    const start = at(span.start);
    const text = doc.sliceString(start, at(next?.span.start ?? body.end)).trimEnd();
    add(doc.lineAt(start).number, doc.lineAt(start + text.length).number);
  });
  return all;
}
