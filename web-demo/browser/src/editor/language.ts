// Syntax colors. They are independent of how the component parses the file.
import { yamlFrontmatter } from "@codemirror/lang-yaml";
import { defineLanguageFacet, HighlightStyle, Language, languageDataProp, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, type Extension, type Text } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { parser } from "@lezer/markdown";

const data = defineLanguageFacet({});
const dressed = parser.configure({ props: [languageDataProp.add({ Document: data })] });
const markdown = new Language(data, dressed, [], "markdown");

const style = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.string, tags.attributeValue], color: "var(--text)" },
  { tag: tags.content, color: "var(--text)" },
  { tag: [tags.meta, tags.separator, tags.punctuation, tags.processingInstruction], color: "var(--faint)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.monospace, tags.link, tags.url], color: "var(--accent)" },
]);

const all: Extension = [yamlFrontmatter({ content: markdown }), syntaxHighlighting(style)];
const none: Extension = [];

/** On longer lines, the parser can take seconds. */
const LONGEST_COLORED_LINE = 5_000;
/** Deeper lists and quotes can overflow the stack of the highlighter. */
const DEEP = /^[\s>*+.)\d-]{500}/;
const chosen = new Compartment();

/** The colors, while no line is too long or too deep. */
export function colors(doc: Text): Extension {
  const update = EditorState.transactionExtender.of(({ docChanged, newDoc, startState }) => {
    const next = docChanged ? colorsFor(newDoc) : undefined;
    return next && next !== chosen.get(startState) ? { effects: chosen.reconfigure(next) } : null;
  });
  return [chosen.of(colorsFor(doc)), update];
}

function colorsFor(doc: Text): Extension {
  for (const line of doc.iterLines()) if (line.length > LONGEST_COLORED_LINE || DEEP.test(line)) return none;
  return all;
}
