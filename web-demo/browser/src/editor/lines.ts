// Line ends. Where all lines end in CRLF, the editor counts a line end as one character, and new lines get the same end.
import { EditorState, Text, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { decode, encode } from "../../../shared/places";

const LINE_END = 10;

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

/** Returns the position of a byte of the contents, which are those of the document. */
export function positionsIn(state: EditorState, contents: Uint8Array): (byte: number) => number {
  const starts = [0];
  for (let end = contents.indexOf(LINE_END); end >= 0; end = contents.indexOf(LINE_END, end + 1)) starts.push(end + 1);
  return (byte) => {
    const line = lastUpTo(starts, byte);
    const text = decode(contents.subarray(starts[line], byte));
    return state.doc.line(line + 1).from + (isCrlf(state) ? text.replaceAll("\r", "") : text).length;
  };
}

/** The index of the last number up to a limit. The first one is. */
function lastUpTo(numbers: number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) <= limit) low = middle;
    else high = middle;
  }
  return low;
}
