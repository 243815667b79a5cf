// Line ends. Where all lines end in CRLF, the editor counts a line end as one character, and new lines get the same end.
import { EditorState, Text, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { decode, encode } from "../../../shared/places";

/** The document for a text, and how its lines end. Mixed line ends stay as they are. */
export function linesOf(text: string): { doc: Text; lineEnds: Extension } {
  const isCrlf = text.includes("\r\n") && !/[\r\n]/.test(text.replaceAll("\r\n", ""));
  if (isCrlf) return { doc: Text.of(text.split("\r\n")), lineEnds: [] };
  const pasted = EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n?/g, "\n"));
  return { doc: Text.of(text.split("\n")), lineEnds: [EditorState.lineSeparator.of("\n"), pasted, beforeReturn] };
}

/** Among mixed line ends, text that is typed at the end of a line is written before its carriage return. */
const beforeReturn = EditorView.inputHandler.of((view, from, to, insert) => {
  const at = from - 1;
  if (from !== to || view.state.sliceDoc(at, from + 1) !== "\r\n") return false;
  view.dispatch({ changes: { from: at, insert }, selection: { anchor: at + insert.length }, userEvent: "input.type" });
  return true;
});

/** Whether every line end is CRLF: without a separator, the document has none of their characters. */
export function isCrlf(state: EditorState): boolean {
  return state.facet(EditorState.lineSeparator) === undefined;
}

/** The text of a file, or the part before a position. */
export function textOf(state: EditorState, to?: number): string {
  const text = state.sliceDoc(0, to);
  return isCrlf(state) ? text.replaceAll("\n", "\r\n") : text;
}

/** The byte of a position. */
export function byteAt(state: EditorState, position: number): number {
  return encode(textOf(state, position)).length;
}

/** The position of a byte of the contents. */
export function positionOf(state: EditorState, contents: Uint8Array, byte: number): number {
  const text = decode(contents.subarray(0, byte));
  return isCrlf(state) ? text.replaceAll("\r", "").length : text.length;
}
