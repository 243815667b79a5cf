// What the editor shows in a file besides its text: colors of words, hints, and names that lead to other files.
import { StateEffect, StateField, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";
import type { Annotations } from "../../../shared/contract";
import { h } from "../dom";
import type { Link } from "../questions";
import { positionsIn } from "./lines";

const annotated = layer();
const linked = layer();
export const annotations: Extension = [annotated.field, linked.field];

/** Decorations that move with the text until they are replaced. */
function layer() {
  const effect = StateEffect.define<DecorationSet>();
  const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update: (shown, { changes, effects }) => effects.find((one) => one.is(effect))?.value ?? shown.map(changes),
    provide: (field) => EditorView.decorations.from(field),
  });
  return { effect, field };
}

class Hint extends WidgetType {
  constructor(private readonly text: string) {
    super();
  }

  override eq(other: Hint): boolean {
    return other.text === this.text;
  }

  override toDOM(): HTMLElement {
    return h("span", { class: "cm-hint" }, this.text);
  }
}

export function annotate(view: EditorView, { tokens, hints }: Annotations, contents: Uint8Array): void {
  const at = positionsIn(view.state, contents);
  const marks = tokens.map(({ span, kind }) => Decoration.mark({ class: `cm-is-${kind}` }).range(at(span.start), at(span.end)));
  const texts = hints.map((hint) => Decoration.widget({ widget: new Hint(hint.text), side: 1 }).range(at(hint.at)));
  view.dispatch({ effects: annotated.effect.of(Decoration.set([...marks, ...texts], true)) });
}

export function link(view: EditorView, links: Link[], contents: Uint8Array): void {
  const at = positionsIn(view.state, contents);
  const mark = (one: Link): Range<Decoration> => Decoration.mark({ class: "cm-reference", link: one }).range(at(one.span.start), at(one.span.end));
  view.dispatch({ effects: linked.effect.of(Decoration.set(links.map(mark), true)) });
}

/** The reference at a place. */
export function linkAt(view: EditorView, at: number): Link | undefined {
  let found: Link | undefined;
  view.state.field(linked.field).between(at, at, (_from, _to, { spec }) => void (found ??= spec.link as Link));
  return found;
}
