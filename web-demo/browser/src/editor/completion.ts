// Completions for frontmatter, from the component.
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { Completions } from "../../../shared/contract";
import { byteOf, encode, unitOf } from "../../../shared/places";

/** Asks the component what fits this byte of the text. */
export type Complete = (text: string, at: number) => Promise<Completions>;

/** The icons' names of CodeMirror. */
const TYPES = { key: "property", value: "constant", tool: "function", model: "constant", agent: "class", skill: "class", server: "class" };

export function completion(complete: Complete): (context: CompletionContext) => Promise<CompletionResult | null> {
  return async ({ state, pos, explicit }) => {
    if (pos === state.doc.lineAt(pos).from && !explicit) return null;
    const text = state.doc.toString();
    const { span, words } = await complete(text, byteOf(text, pos));
    if (words.length === 0) return null;
    const contents = encode(text);
    const options = words.map(({ word, text, kind, detail, required }, index) => ({
      label: word,
      apply: text,
      type: TYPES[kind],
      // A description takes more than the line of a word.
      ...(kind === "agent" ? { info: detail } : { detail: required ? "required" : detail }),
      // In the order of the component.
      sortText: String(index).padStart(4, "0"),
    }));
    return { from: unitOf(contents, span.start), to: unitOf(contents, span.end), options, validFor: /^[\w*.-]*$/ };
  };
}
