// New names: what can be renamed at a place, and the name that a file's new path implies.
import type { Agent, Graph, Renaming } from "../../shared/contract";
import type { Engine } from "../../shared/engine";
import { edgeAt, isAt, isDefinition, nodeOf } from "./around";
import type { Renamable } from "./questions";

type Field = Agent["fields"][number];

export function renamable(engine: Engine, graph: Graph, path: string, contents: Uint8Array, at: number): Renamable | undefined {
  const edge = edgeAt(graph, path, at);
  if (edge) {
    const node = edge.target === undefined ? undefined : graph.nodes[edge.target];
    return node?.path !== undefined && isDefinition(node) ? { path: node.path, name: node.name } : undefined;
  }
  const { agent } = engine.documents.parse(path, contents, undefined, undefined);
  // A title that is the name of the folder goes with it.
  const isSame = (value: string) => value.trim().replace(/^["']|["']$/g, "") === agent?.name;
  const isSkill = nodeOf(graph, path)?.kind === "skill";
  const isName = ({ canonical, value }: Field) => canonical === "name" || (isSkill && canonical === "display-name" && isSame(value));
  const isHere = ({ keySpan, valueSpan }: Field) => isAt({ start: keySpan.start, end: valueSpan.end }, at);
  return agent?.fields.some((field) => isName(field) && isHere(field)) ? { path, name: agent.name } : undefined;
}

/** What changes with the path of a file, if that renames its definition. */
export function follow(engine: Engine, graph: Graph, path: string, contents: Uint8Array, to: string): Renaming | undefined {
  const { agent } = engine.documents.parse(path, contents, undefined, undefined);
  const name = agent && nodeOf(graph, path) && renamed(fileOf(path), fileOf(to), agent.name);
  if (name === undefined) return undefined;
  const renaming = engine.rename(path, name);
  return renaming.moved?.[0] === path && renaming.moved[1] === to ? renaming : undefined;
}

/** The name that replaces another one at the start of a file name. */
function renamed(before: string, after: string, name: string): string | undefined {
  if (!before.startsWith(name)) return undefined;
  const ending = before.slice(name.length);
  const to = after.endsWith(ending) ? after.slice(0, after.length - ending.length) : "";
  return to === "" || to === name ? undefined : to;
}

function fileOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
