// The editor. It shows one file at a time; each file keeps its own history.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, invertedEffects, isolateHistory } from "@codemirror/commands";
import { nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { closeSearchPanel, findNext, findPrevious, openSearchPanel, search } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, type Extension, type Text, type Transaction, type TransactionSpec } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers, type KeyBinding } from "@codemirror/view";
import type { Annotations, Diagnostic, Fix, Span } from "../../../shared/contract";
import { decode, encode } from "../../../shared/places";
import type { Link, Outline } from "../questions";
import { annotate, annotations, link, linkAt } from "./annotations";
import { completion, type Complete } from "./completion";
import { apply, mark, place, spliced, type Found } from "./findings";
import { fold, folding } from "./folding";
import { hovers, type AskHover } from "./hover";
import { colors } from "./language";
import { byteAt, isCrlf, linesOf, positionsIn, textOf } from "./lines";
import { shelter, theme } from "./theme";

/** Files with their old and new contents. */
export type Rewrite = Array<{ path: string; before: Uint8Array; after: Uint8Array }>;

/** Changes of other files that belong to a transaction, and are undone with it. */
const elsewhere = StateEffect.define<Rewrite>();
/** What depends on the path of a file. */
const named = new Compartment();

/** Only these keys of search and lint: their keymaps contain more commands, and thus more code. */
const ownKeymap: KeyBinding[] = [
  { key: "Mod-f", run: openSearchPanel, scope: "editor search-panel" },
  { key: "F3", run: findNext, shift: findPrevious, scope: "editor search-panel", preventDefault: true },
  { key: "Mod-g", run: findNext, shift: findPrevious, scope: "editor search-panel", preventDefault: true },
  { key: "Escape", run: closeSearchPanel, scope: "editor search-panel" },
  { key: "F8", run: nextDiagnostic },
];

/** What the editor asks of the page. Places are bytes of the shown file. */
export interface Page {
  contentsOf(path: string): Uint8Array | undefined;
  onEdit(path: string, contents: Uint8Array): void;
  complete: Complete;
  hover: AskHover;
  open(path: string): void;
  /** Says that a fix is for other contents than the shown file has. */
  changed(): void;
  /** Shows what refers to a name, or else to the shown file. */
  references(link: Link | undefined): void;
  rename(at: number): void;
  /** Shows the parts of the shown file. */
  outline(): void;
}

const KEYS = "F8 goes to the next problem, Control K Control I explains the word at the cursor, F12 opens its file, Shift F12 shows what refers to it, F2 renames it, Control Shift O lists the parts of the file, Control Shift [ folds the section at the cursor, Control Shift ] unfolds it.";

export interface Editor {
  /** Shows a file. Contents that it got elsewhere are a change that can be undone. */
  open(path: string | undefined, contents: Uint8Array): void;
  /** Keeps the history of a file that has another path now. */
  move(path: string, to: string): void;
  /** Discards the history of a file that another one at this path had, or else those of all files. */
  forget(path?: string): void;
  /** Marks findings in the shown file, which has these contents, and returns their ranges. */
  mark(findings: Diagnostic[], contents: Uint8Array): Found[];
  /** Shows words and hints in the shown file, which has these contents. */
  annotate(annotations: Annotations, contents: Uint8Array): void;
  /** Lets parts of the shown file be folded, which has these contents. */
  fold(outline: Outline | undefined, contents: Uint8Array): void;
  /** Shows names that lead to other files. */
  link(links: Link[], contents: Uint8Array): void;
  /** Applies a fix. */
  fix(fix: Fix, contents: Uint8Array): void;
  /** Changes files in one step, which is undone in one step. Files that have other contents than expected stay unchanged. */
  rewrite(files: Rewrite): void;
  /** Selects a range. */
  go(from: number, to: number): void;
  /** Selects bytes of the shown file, which has these contents. */
  select(span: Span, contents: Uint8Array): void;
}

export function createEditor(host: HTMLElement, page: Page): Editor {
  const { contentsOf, onEdit, complete } = page;
  const root = shelter(host);
  const states = new Map<string, EditorState>();
  let shown: string | undefined;
  const cursor = () => view.state.selection.main.head;
  // The view needs them when it is created.
  const pageKeymap: KeyBinding[] = [
    { key: "F12", run: () => follow(view, cursor()) },
    { key: "Shift-F12", run: () => (page.references(linkAt(view, cursor())), true) },
    { key: "Mod-Shift-o", run: () => (page.outline(), true), preventDefault: true },
    { key: "F2", run: () => (page.rename(byteAt(view.state, cursor())), true) },
  ];
  const view = new EditorView({ root, parent: root, state: stateOf("", "", true) });
  // Below the text. Clicks on the search panel keep their focus.
  host.addEventListener("click", (event) => event.composedPath()[0] === host && view.focus());

  /** Opens the file of a reference. */
  function follow(view: EditorView, at: number | null): boolean {
    const link = at === null ? undefined : linkAt(view, at);
    if (link) page.open(link.path);
    return link !== undefined;
  }

  function stateOf(path: string, text: string, readOnly: boolean): EditorState {
    const { doc, lineEnds } = linesOf(text);
    return EditorState.create({ doc, extensions: [lineEnds, named.of(extensionsFor(path, doc)), extensions(readOnly)] });
  }

  /** The state of a file that has these contents: its last one, changed where they differ. */
  function stateFor(path: string, contents: Uint8Array): EditorState {
    const text = decode(contents);
    // Invalid UTF-8 would be lost when the file is written back.
    const readOnly = !isText(contents);
    const last = states.get(path);
    const state = last && textOf(last) !== text ? last.update(change(last, text)).state : last;
    return state?.readOnly === readOnly && textOf(state) === text ? state : stateOf(path, text, readOnly);
  }

  function extensions(readOnly: boolean): Extension {
    return [
      EditorState.readOnly.of(readOnly),
      EditorView.lineWrapping,
      lineNumbers(),
      folding,
      highlightActiveLine(),
      highlightSpecialChars({ render: special }),
      drawSelection(),
      history(),
      invertedEffects.of(({ effects }) => effects.filter((effect) => effect.is(elsewhere)).map(({ value }) => elsewhere.of(inverse(value)))),
      autocompletion({ override: [completion(complete)], activateOnTyping: true, icons: false }),
      search({ top: true }),
      EditorState.phrases.of({ next: "Next", previous: "Previous", "match case": "Match case", regexp: "Regexp" }),
      annotations,
      hovers(page.hover, (path) => {
        page.open(path);
        view.focus();
      }),
      EditorView.domEventHandlers({ mousedown: (event, view) => isFollowing(event) && follow(view, view.posAtCoords(event)) }),
      keymap.of([...completionKeymap, ...ownKeymap, ...pageKeymap, ...historyKeymap, ...defaultKeymap]),
      theme,
      EditorView.updateListener.of((update) => {
        if (update.docChanged && shown !== undefined) onEdit(shown, encode(textOf(update.state)));
        for (const transaction of update.transactions) writeOthers(transaction);
      }),
    ];
  }

  function writeOthers({ effects }: Transaction): void {
    for (const effect of effects) if (effect.is(elsewhere)) for (const file of effect.value) write(file);
  }

  /** Changes a file that is not shown. */
  function write({ path, before, after }: Rewrite[number]): void {
    const contents = contentsOf(path);
    if (!contents || !equal(contents, before)) return;
    onEdit(path, after);
    if (path === shown) view.setState(stateOf(path, decode(after), !isText(after)));
  }

  function fixWith(fix: Fix, contents: Uint8Array): void {
    const now = shown === undefined ? undefined : contentsOf(shown);
    if (!now || !equal(now, contents)) return page.changed();
    if (isText(contents)) apply(view, fix, contents);
    else if (shown !== undefined) write({ path: shown, before: contents, after: spliced(contents, fix) });
    view.focus();
  }

  return {
    open(path, contents) {
      if (shown !== undefined) states.set(shown, view.state);
      shown = undefined;
      view.setState(path === undefined ? stateOf("", "", true) : stateFor(path, contents));
      shown = path;
    },
    move(path, to) {
      const state = path === shown ? view.state : states.get(path);
      // A deleted file may have had the new path.
      states.delete(to);
      if (!state) return;
      states.delete(path);
      states.set(to, state.update({ effects: named.reconfigure(extensionsFor(to, state.doc)) }).state);
      if (path === shown) shown = undefined;
    },
    forget(path) {
      if (path !== undefined) return void states.delete(path);
      states.clear();
      shown = undefined;
    },
    mark(findings, contents) {
      const found = place(findings, view.state, contents);
      view.dispatch(setDiagnostics(view.state, found.map((one) => mark(one, (fix) => fixWith(fix, contents)))));
      return found;
    },
    annotate: (shown, contents) => annotate(view, shown, contents),
    fold: (outline, contents) => fold(view, outline, contents),
    link: (links, contents) => link(view, links, contents),
    fix: fixWith,
    rewrite(files) {
      const here = files.find(({ path, before, after }) => path === shown && isText(before) && isText(after));
      const others = files.filter((file) => file !== here);
      const isCurrent = here && equal(encode(textOf(view.state)), here.before);
      const spec = isCurrent ? change(view.state, decode(here.after)) : {};
      view.dispatch({ ...spec, effects: elsewhere.of(others), annotations: isolateHistory.of("full") });
    },
    go,
    select({ start, end }, contents) {
      const at = positionsIn(view.state, contents);
      go(at(start), at(end));
    },
  };

  function go(from: number, to: number): void {
    const end = view.state.doc.length;
    view.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true });
    view.focus();
  }
}

function extensionsFor(path: string, doc: Text): Extension {
  const label = path === "" ? "No file open" : `Contents of ${path}`;
  return [EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label, "aria-description": KEYS }), path.endsWith(".md") ? colors(doc) : []];
}

/** Whether a click opens the file of a reference. */
function isFollowing({ button, ctrlKey, metaKey }: MouseEvent): boolean {
  return button === 0 && (ctrlKey || metaKey);
}

/** Replaces the part of the text that differs. */
function change(state: EditorState, contents: string): TransactionSpec {
  const old = state.sliceDoc();
  const text = isCrlf(state) ? contents.replaceAll("\r\n", "\n") : contents;
  const most = Math.min(old.length, text.length);
  let [start, end] = [0, 0];
  while (start < most && old[start] === text[start]) start += 1;
  while (end < most - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  const changes = { from: start, to: old.length - end, insert: text.slice(start, text.length - end) };
  return { changes, userEvent: "input.fix", annotations: isolateHistory.of("full") };
}

function inverse(files: Rewrite): Rewrite {
  return files.map(({ path, before, after }) => ({ path, before: after, after: before }));
}

/** Whether the contents are valid UTF-8. */
function isText(contents: Uint8Array): boolean {
  return equal(encode(decode(contents)), contents);
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
