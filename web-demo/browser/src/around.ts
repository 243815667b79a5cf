// What surrounds a file: what it names, what names it, and the lines above it.
import type { Edge, Graph, Node, Seen, Span } from "../../shared/contract";
import type { Around, Lens, Named } from "./questions";

/** The definition in a file. */
export function nodeOf({ nodes }: Graph, path: string): Node | undefined {
  return nodes.find((node) => node.path === path && isDefinition(node));
}

export function isDefinition({ kind }: Node): boolean {
  return kind === "agent" || kind === "skill" || kind === "command";
}

/** A name that the panel Why explains. */
export function nameOf({ kind, name }: Node): string {
  return kind === "agent" ? name : `${kind}:${name}`;
}

/** The reference at a byte of a file. */
export function edgeAt({ edges }: Graph, path: string, at: number): Edge | undefined {
  return edges.find(({ place }) => place.path === path && isAt(place.span, at));
}

export function isAt({ start, end }: Span, at: number): boolean {
  return start <= at && at <= end;
}

export function around(graph: Graph, path: string, readings: () => Seen[]): Around {
  const links = graph.edges.flatMap(({ place, target }) => {
    const node = target === undefined ? undefined : graph.nodes[target];
    return place.path === path && node?.path !== undefined ? [{ span: place.span, path: node.path, name: nameOf(node) }] : [];
  });
  const node = nodeOf(graph, path);
  return { links, name: node && nameOf(node), dialect: node?.dialect, lenses: node ? lenses(graph, node, readings) : [] };
}

function lenses(graph: Graph, node: Node, readings: () => Seen[]): Lens[] {
  const number = graph.nodes.indexOf(node);
  const users = graph.edges.filter(({ target }) => target === number).length;
  const lenses: Lens[] = users > 0 ? [{ text: `used by ${users}`, tab: "why" }] : [];
  const standing = standingOf(graph, node);
  if (standing !== undefined) lenses.push({ text: standing, tab: "why" });
  if (node.kind === "agent" && node.standing !== "not-an-agent") {
    const looking = readings().filter(({ fate }) => fate !== "not-looked-at");
    const loading = looking.filter(({ fate }) => fate !== "dropped");
    lenses.push({ text: `loaded by ${loading.length} of ${looking.length} releases`, tab: "readers" });
    if (node.standing === "active") lenses.push({ text: "run", tab: "run" });
  }
  return lenses;
}

/** Whether a definition is active where several have its name. */
function standingOf({ nodes }: Graph, { kind, dialect, name, standing }: Node): string | undefined {
  const same = nodes.filter((other) => other.kind === kind && other.dialect === dialect && other.name === name);
  const shadowed = same.filter((other) => other.standing === "shadowed").length;
  if (standing === "shadowed") return "shadowed by another file";
  if (standing === "broken") return "not loaded";
  if (standing === "withheld") return "listed, but not callable";
  return standing === "active" && shadowed > 0 ? `wins over ${shadowed} other${shadowed === 1 ? "" : "s"}` : undefined;
}

/** What has a name, and the places that refer to it, from a graph of its users. */
export function named({ nodes, edges, named }: Graph): Named {
  const wanted = new Set(named);
  const users = edges.flatMap(({ source, target, place }) => {
    const node = nodes[source];
    return node && target !== undefined && wanted.has(target) ? [{ node, place }] : [];
  });
  return { nodes: [...wanted].flatMap((number) => nodes[number] ?? []), users };
}
