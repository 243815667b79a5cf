// Completions for frontmatter, from the dialect's tables.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { Dialect, Parsed } from "../../../shared/contract";
import { byteOf } from "../../../shared/places";

/** Parses the text with the component. */
export type Read = (text: string) => Promise<{ parsed: Parsed; dialect: Dialect | undefined }>;

const WORD = /[\w*.()[\]-]*$/;

/** Completes keys at the start of a line, and values after a key. */
export function completion(read: Read): (context: CompletionContext) => Promise<CompletionResult | null> {
  return async (context) => {
    const text = context.state.doc.toString();
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    if (before === "" && !context.explicit) return null;
    const { parsed, dialect } = await read(text);
    const at = byteOf(text, context.pos);
    if (!dialect || !parsed.agent || line.number === 1 || at >= parsed.agent.body.start) return null;
    if (/^[\w-]*$/.test(before)) return { from: line.from, options: keys(dialect, parsed), validFor: /^[\w-]*$/ };
    const key = parsed.agent.fields.findLast((field) => field.keySpan.end <= at);
    const options = values(dialect, key?.canonical);
    const from = context.pos - (WORD.exec(before)?.[0].replace(/^\[/, "").length ?? 0);
    return options.length > 0 ? { from, options, validFor: /^[\w*.-]*$/ } : null;
  };
}

function keys(dialect: Dialect, parsed: Parsed): Completion[] {
  const there = new Set(parsed.agent?.fields.map((field) => field.canonical));
  const open = dialect.keys.filter((key) => !there.has(key.canonical));
  return open.map(({ spellings, required, default: otherwise }) => ({
    label: spellings[0] ?? "",
    apply: `${spellings[0]}: `,
    type: "property",
    detail: required ? "required" : otherwise,
    boost: required ? 1 : 0,
  }));
}

function values(dialect: Dialect, canonical: string | undefined): Completion[] {
  if (canonical === "tools" || canonical === "denied-tools") {
    return dialect.tools.map(({ name, may }) => ({ label: name, type: "function", detail: may.join(", ") }));
  }
  if (canonical === "model") return dialect.models.map((label) => ({ label, type: "constant" }));
  const key = dialect.keys.find((known) => known.canonical === canonical);
  return (key?.values ?? []).map((label) => ({ label, type: "constant" }));
}
