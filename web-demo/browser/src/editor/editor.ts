// The editor. It shows one file at a time; each file keeps its own history.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import type { Fix } from "../../../shared/contract";
import { decode, encode } from "../../../shared/places";
import { completion, type Read } from "./completion";
import { apply, mark, type Found } from "./findings";
import { colors } from "./language";
import { shelter, theme } from "./theme";

export interface Editor {
  /** Shows a file. */
  open(path: string | undefined, contents: Uint8Array): void;
  /** Discards the histories of all files. */
  forget(): void;
  /** Marks findings in the shown file, which has these contents. */
  mark(found: Found[], contents: Uint8Array): void;
  /** Applies a fix. */
  fix(fix: Fix, contents: Uint8Array): void;
  /** Selects a range. */
  go(from: number, to: number): void;
}

export function createEditor(host: HTMLElement, onEdit: (path: string, contents: Uint8Array) => void, read: Read): Editor {
  const root = shelter(host);
  const states = new Map<string, EditorState>();
  let shown: string | undefined;
  const view = new EditorView({ root, parent: root, state: stateOf("", "", true) });
  host.addEventListener("click", () => view.focus());

  function stateOf(path: string, text: string, readOnly: boolean): EditorState {
    return EditorState.create({ doc: text, extensions: extensions(path, readOnly) });
  }

  function extensions(path: string, readOnly: boolean): Extension {
    return [
      // Keep carriage returns, so that byte offsets match.
      EditorState.lineSeparator.of("\n"),
      EditorState.readOnly.of(readOnly),
      EditorView.contentAttributes.of({ tabindex: "0", "aria-label": path === "" ? "No file open" : `Contents of ${path}` }),
      EditorView.lineWrapping,
      lineNumbers(),
      highlightActiveLine(),
      highlightSpecialChars({ render: special }),
      drawSelection(),
      history(),
      path.endsWith(".md") ? colors : [],
      autocompletion({ override: [completion(read)], activateOnTyping: true, icons: false }),
      keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
      theme,
      EditorView.updateListener.of((update) => {
        if (update.docChanged && shown !== undefined) onEdit(shown, encode(update.state.sliceDoc()));
      }),
    ];
  }

  return {
    open(path, contents) {
      if (shown !== undefined) states.set(shown, view.state);
      const text = decode(contents);
      const before = path === undefined ? undefined : states.get(path);
      // Invalid UTF-8 would be lost when the file is written back.
      const readOnly = path === undefined || !equal(encode(text), contents);
      shown = undefined;
      view.setState(before?.sliceDoc() === text ? before : stateOf(path ?? "", text, readOnly));
      shown = path;
    },
    forget() {
      states.clear();
      shown = undefined;
    },
    mark(found, contents) {
      view.dispatch(setDiagnostics(view.state, found.map((one) => mark(one, contents))));
    },
    fix(fix, contents) {
      apply(view, fix, contents);
      view.focus();
    },
    go(from, to) {
      const end = view.state.doc.length;
      view.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true });
      view.focus();
    },
  };
}

function special(code: number, description: string | null): HTMLElement {
  const span = document.createElement("span");
  span.className = code === 13 ? "cm-return" : "cm-specialChar";
  span.textContent = code === 13 ? "␍" : "•";
  span.title = description ?? "";
  return span;
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
