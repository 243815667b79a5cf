// A session, driven from outside: what may happen now, and what happened since.
import type { Catalog, Event, Outcome, Outstanding, Reply, Root, Session, Settings, Task, ToolSpec, Usage } from "./contract";

/** How far a session is. */
export interface Progress {
  outstanding: Outstanding[];
  /** Since the last progress. */
  events: Event[];
  outcome: Outcome | undefined;
  usage: Usage;
}

/** Where the virtual project lies for those who want absolute paths. */
export const ROOT = "/project";
export const HOME_ROOT = "/home";

/** A page has one visitor: fewer turns than elsewhere, and edits go unasked, as all files are in memory. */
const BOUNDS = { depth: 4, turns: 20, totalTurns: 60, children: 20, parallel: 4, resultBytes: 50_000 };

export function begin(root: Root, catalog: Catalog, task: Task, tools: ToolSpec[]): Session {
  const defaults = root.delegation.defaultSettings(ROOT, HOME_ROOT);
  const settings: Settings = { ...defaults, bounds: BOUNDS, mode: "accept-edits" };
  return root.delegation.Session.open(catalog, task, tools, settings);
}

export function progress(session: Session, now: bigint): Progress {
  return {
    outstanding: session.poll(now, 0),
    events: session.events(),
    outcome: session.outcome(),
    usage: session.usage(),
  };
}

export function answer(session: Session, id: number, reply: Reply, now: bigint): Progress {
  session.reply(id, reply, now);
  return progress(session, now);
}
