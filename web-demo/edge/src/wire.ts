// Converts values of the contract to version 1 of the documents (docs/json.md). Fields are listed, so that the contract may grow.
import type { Catalog, Diagnostic, Edge, Entry, Fix, Node, Span, Visited } from "../../shared/contract";

type Label = Diagnostic["primary"];
type Location = Visited["location"];
type Tools = Entry["tools"];

export function diagnostic({ rule, severity, message, primary, related, note, help, fixes }: Diagnostic): object {
  return { rule, docs_url: null, severity, message, primary: label(primary), related: related.map(label), note: note ?? null, help: help ?? null, fixes: fixes.map(fix) };
}

function label({ place, text }: Label): object {
  const { path, start, end } = place;
  return { path, span: span(place.span), start, end, text };
}

function fix({ title, safe, edits }: Fix): object {
  return { title, safe, edits: edits.map((edit) => ({ span: span(edit.span), text: edit.text })) };
}

function span({ start, end }: Span): Span {
  return { start, end };
}

export function entry(entry: ReturnType<Catalog["entries"]>[number]): object {
  const { name, description, color = null, standing, reason } = entry;
  const { dialect, level, source, path = null } = entry.origin;
  const origin = { dialect, level, source, path };
  return { name, description, tools: tools(entry.tools), model: model(entry.model), color, origin, standing, reason };
}

export function node(node: Node): object {
  const { kind, name, dialect = null, path = null, standing = null } = node;
  return { kind, name, dialect, path, standing };
}

/** A reference, with the node of its file. */
export function user(node: Node, { relation, place }: Edge): object {
  const { kind, name, dialect = null } = node;
  const { path, start, end } = place;
  return { kind, name, dialect, relation, path, span: span(place.span), start, end };
}

function tools(filter: Tools): object {
  if (filter.tag !== "only") return { kind: filter.tag };
  return { kind: "only", rules: filter.val.map(({ tool, specifier = null, span: at }) => ({ tool, specifier, span: span(at) })) };
}

function model(choice: Entry["model"]): object {
  return choice.tag === "alias" || choice.tag === "id" ? { kind: choice.tag, name: choice.val } : { kind: choice.tag };
}

export function visited({ location: at, presence, files }: Visited): object {
  return { ...location(at), presence, files };
}

export function location({ level, directory, recursive, owned }: Location): object {
  return { level, directory, recursive, owned };
}
