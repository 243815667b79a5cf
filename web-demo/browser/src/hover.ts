// What is written at a place of a file: what it names, or what tools make of the field.
import type { Agent, Graph, Held, Kind, Seen } from "../../shared/contract";
import type { Engine } from "../../shared/engine";
import { decode } from "../../shared/places";
import { edgeAt, isAt, isDefinition, nodeOf } from "./around";
import type { Hover } from "./questions";

type Field = Agent["fields"][number];

export function hover(engine: Engine, graph: Graph, path: string, contentsOf: (path: string) => Uint8Array, at: number): Hover | undefined {
  const agentOf = (file: string) => engine.documents.parse(file, contentsOf(file), undefined, undefined).agent;
  const edge = edgeAt(graph, path, at);
  if (edge) {
    const node = edge.target === undefined ? undefined : graph.nodes[edge.target];
    if (!node) return undefined;
    const kind = node.kind === "server" ? "MCP server" : node.kind;
    const text = `${kind} \`${node.name}\`${node.path === undefined ? "" : ` in \`${node.path}\``}`;
    const description = node.path !== undefined && isDefinition(node) ? agentOf(node.path)?.description.trim() : undefined;
    return { span: edge.place.span, texts: description ? [text, description] : [text], others: [], path: node.path };
  }
  const kind = nodeOf(graph, path)?.kind;
  if (kind !== "agent" && kind !== "skill" && kind !== "command") return undefined;
  const agent = agentOf(path);
  const field = agent?.fields.find(({ keySpan, valueSpan }) => isAt({ start: keySpan.start, end: valueSpan.end }, at));
  if (!agent || !field) return undefined;
  const contents = contentsOf(path);
  const { tokens } = engine.documents.annotate(path, contents, undefined, undefined);
  const tool = tokens.find(({ kind, span, rights }) => kind === "tool" && rights !== "" && isAt(span, at));
  const told = tool && `\`${decode(contents.subarray(tool.span.start, tool.span.end))}\`: a tool to ${tool.rights}`;
  const texts = [...(told === undefined ? [] : [told]), readBy(engine, kind, agent, field)];
  // Only agents were measured.
  const others = kind === "agent" ? differences(engine.documents.readings(path, contents), field) : [];
  return { span: tool?.span ?? field.keySpan, texts, others, path: undefined };
}

/** What the dialect of the file makes of a field. */
function readBy(engine: Engine, kind: Kind, agent: Agent, field: Field): string {
  const owner = engine.documents.dialects(kind).find(({ id }) => id === agent.origin.dialect);
  if (!owner) return `\`${field.key}\``;
  const key = owner.keys.find(({ canonical }) => canonical === field.canonical);
  if (!key) return `\`${field.key}\`: ${owner.title} does not read it in ${kind}s`;
  const parts = [
    `\`${field.key}\`: read by ${owner.title}`,
    key.required && "required",
    key.default !== "" && `default: ${key.default}`,
    key.values.length > 0 && `one of ${key.values.join(", ")}`,
  ];
  return parts.filter((part) => part !== false).join(", ");
}

/** How releases differ from the dialect of the file in a field, or that they drop the file. */
function differences(seen: Seen[], field: Field): string[] {
  const by = Map.groupBy(seen, (one) => difference(one, field.canonical ?? ""));
  const told = [...by].filter(([difference]) => difference !== undefined);
  return told.map(([difference, readers]) => `${readers.map(({ reader }) => reader).join(", ")}: ${difference}`).sort();
}

function difference({ fate, reason, differs, agent }: Seen, field: string): string | undefined {
  if (fate === "dropped") return `the file does not load (${reason})`;
  if (fate !== "loads-differently" || !agent || !differs.includes(field)) return undefined;
  const shown = ({ value }: Held) => `\`${value.replaceAll("`", "'")}\``;
  if (field === "name" || field === "description") return shown(agent[field]);
  if (field === "model") return agent.model ? shown(agent.model) : "no model";
  return "other tools";
}
