// The look of the editor. Its styles are in a shadow root, so that the page needs no inline styles.
import { EditorView } from "@codemirror/view";

export const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13.5px", color: "var(--text)", backgroundColor: "var(--paper)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--accent)", padding: "12px 0" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line-wash)" },
  ".cm-lintRange": { backgroundImage: "none", textUnderlineOffset: "3px" },
  ".cm-lintRange-error": { textDecoration: "underline wavy var(--error) 1.2px" },
  ".cm-lintRange-warning": { textDecoration: "underline wavy var(--warning) 1.2px" },
  ".cm-lintRange-info": { textDecoration: "underline dotted var(--note) 1.5px" },
  ".cm-lintPoint:after": { display: "none" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--edge)",
    borderRadius: "8px",
    boxShadow: "0 8px 24px rgb(0 0 0 / 0.16)",
    maxWidth: "min(30rem, 86vw)",
    fontFamily: "var(--sans)",
    overflow: "hidden",
  },
  ".cm-tooltip-lint": { maxHeight: "20rem", overflowY: "auto" },
  ".cm-diagnostic": { padding: "10px 14px", border: "none", whiteSpace: "normal", fontSize: "13.5px", lineHeight: "1.45" },
  ".cm-diagnostic + .cm-diagnostic": { borderTop: "1px solid var(--edge)" },
  ".cm-diagnostic p": { margin: "0 0 6px" },
  ".cm-diagnostic pre": { background: "var(--wash)", padding: "6px 10px", borderRadius: "6px", overflowX: "auto" },
  ".cm-diagnostic code, .cm-diagnostic pre": { fontFamily: "var(--mono)", fontSize: "12.5px" },
  ".cm-diagnostic .help": { color: "var(--muted)" },
  ".cm-diagnostic summary": { cursor: "pointer", color: "var(--muted)", marginTop: "4px" },
  ".cm-diagnosticText": { display: "block" },
  ".cm-diagnosticAction": {
    font: "inherit",
    padding: "3px 10px",
    margin: "8px 8px 0 0",
    minHeight: "28px",
    color: "var(--on-accent)",
    backgroundColor: "var(--accent)",
    borderRadius: "6px",
    cursor: "pointer",
  },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "14rem" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "0.75", marginLeft: "1em" },
  ".cm-completionInfo": { padding: "8px 12px" },
  ".cm-specialChar": { color: "var(--error)" },
  ".cm-changedLine": { backgroundColor: "var(--added) !important" },
  ".cm-deletedChunk": { backgroundColor: "var(--removed)", paddingLeft: "6px" },
  ".cm-changedText": { background: "var(--added-strong) !important" },
  ".cm-deletedChunk .cm-deletedText": { background: "var(--removed-strong) !important" },
});

/** A shadow root in this element. Scripts can add style sheets to it under a strict content security policy. */
export function shelter(host: HTMLElement): ShadowRoot {
  return host.shadowRoot ?? host.attachShadow({ mode: "open" });
}
