// Syntax colors. They are independent of how the component parses the file.
import { yamlFrontmatter } from "@codemirror/lang-yaml";
import { defineLanguageFacet, HighlightStyle, Language, languageDataProp, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
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

export const colors: Extension = [yamlFrontmatter({ content: markdown }), syntaxHighlighting(style)];
