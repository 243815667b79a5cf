// `POST /v1/resolve`: the documents of `callsheet list` and `callsheet why`.
import type { Catalog, Entry, Standing } from "../../../shared/contract";
import type { Scope } from "../pool";
import { ask, dialects, options } from "../project";
import type { Resolve } from "../requests";
import { entry, location, node, user, visited } from "../wire";

export function resolve(scope: Scope, { dialect, name, all = false }: Resolve): unknown {
  const inUse = dialects(scope, dialect);
  const each = <Part>(part: (dialect: string, catalog: Catalog) => Part) =>
    inUse.map((dialect) => ask(scope, options(dialect), (catalog) => part(dialect, catalog)));
  if (name !== undefined) {
    const explained = each((dialect, catalog) => why(dialect, catalog, name));
    const isExplained = explained.some(({ candidates }) => candidates.length > 0);
    const { nodes, used_by } = users(scope, isExplained ? `agent:${name}` : name);
    return { version: 1, command: "why", name, nodes, used_by, dialects: explained };
  }
  return { version: 1, command: "list", dialects: each((dialect, catalog) => list(dialect, catalog, all)), looked_for: lookedFor(scope, inUse) };
}

function list(dialect: string, catalog: Catalog, all: boolean): unknown {
  const entries = catalog.entries(true);
  const shown = all ? entries : entries.filter(({ standing }) => standing === "active");
  return { dialect, counts: counts(entries), locations: catalog.visited().map(visited), entries: shown.map(entry) };
}

function counts(entries: Entry[]): unknown {
  const count = (wanted: Standing) => entries.filter(({ standing }) => standing === wanted).length;
  return {
    active: count("active"),
    shadowed: count("shadowed"),
    withheld: count("withheld"),
    broken: count("broken"),
    not_an_agent: count("not-an-agent"),
  };
}

/** The folders that the dialects search. */
function lookedFor({ project, owned }: Scope, inUse: string[]): unknown {
  if (inUse.length > 0) return [];
  return [...owned().keys()].map((dialect) => ({ dialect, locations: project.locations(dialect, "agent").map(location) }));
}

function users({ project }: Scope, name: string): { nodes: unknown[]; used_by: unknown[] } {
  const graph = project.graph({ targets: [], paths: [] }, { tag: "users", val: name }, "whole");
  const nodes = Array.from(graph.named, (at) => node(graph.nodes[at]!));
  return { nodes, used_by: graph.edges.map((edge) => user(graph.nodes[edge.source]!, edge)) };
}

function why(dialect: string, catalog: Catalog, name: string): { dialect: string; rule: string; candidates: unknown[]; near: unknown[]; refusal: string | null } {
  const { rule, candidates, near, refusal = null } = catalog.explain(name);
  const misses = near.map(({ nearness, entry: missed }) => ({ nearness, entry: entry(missed) }));
  return { dialect, rule, candidates: candidates.map(entry), near: misses, refusal };
}
