// A session that is polled: outstanding steps and past events.
import type { Catalog, Event, Outcome, Outstanding, Reply, Root, Session, Settings, Task, ToolSpec, Usage } from "./contract";

/** Current state of a session. */
export interface Progress {
  outstanding: Outstanding[];
  /** Events since the last progress. */
  events: Event[];
  outcome: Outcome | undefined;
  usage: Usage;
}

/** Absolute paths of the virtual project and home directory. */
export const ROOT = "/project";
export const HOME_ROOT = "/home";

/** Lower limits than elsewhere, since a page has one user. Edits need no confirmation, since all files are in memory. */
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
