// The active agents of one dialect.
import { resolve } from "node:path";
import { overFiles } from "./component.js";
import type { Root } from "./component.js";
import type { catalogs, conversation, delegation, types } from "./contract.js";
import { answered } from "./error.js";
import { plain } from "./plain.js";
import type { Plain } from "./plain.js";
import { Session, sessionSettings } from "./session.js";
import type { SessionSettings } from "./session.js";
import { worldOf } from "./world.js";
import type { Settings, World } from "./world.js";

/** The dialect of a catalog, and the folders it searches. */
export interface CatalogSettings extends Settings {
  /** A dialect, such as `claude-code`, or a release, such as `kode@2.0.2`. */
  dialect: string;
}

/** The active agents of one dialect. Throws a `CallsheetError` for the errors of the contract. */
export class Catalog {
  readonly dialect: string;
  readonly #root: Root;
  readonly #catalog: catalogs.Catalog;
  readonly #world: World;

  private constructor(root: Root, catalog: catalogs.Catalog, world: World, dialect: string) {
    this.dialect = dialect;
    this.#root = root;
    this.#catalog = catalog;
    this.#world = world;
  }

  /** Opens a catalog and reads its sources. It only sees the folders that its dialect searches. */
  static async open(settings: CatalogSettings): Promise<Catalog> {
    return Catalog.over(worldOf(settings), settings.dialect);
  }

  /** @internal */
  static async over(world: World, dialect: string): Promise<Catalog> {
    const root = await overFiles(world.import);
    return answered(() => {
      world.relocate(root.documents.variables());
      const project = root.projects.Project.open(world.sources);
      const { kind, check } = world.options;
      for (const location of project.locations(dialect, kind)) world.grant(location);
      for (const path of project.referred(dialect, kind, check)) world.grantPath(path);
      return new Catalog(root, root.catalogs.Catalog.open(project, { dialect, ...world.options }), world, dialect);
    });
  }

  /** Reads changed files and returns the differences, sorted by name. */
  refresh(): catalogs.Change[] {
    return this.#catalog.refresh();
  }

  /** The folders searched and what was found, lowest precedence first. */
  visited(): catalogs.Visited[] {
    return this.#catalog.visited();
  }

  /** The names of active agents, sorted. */
  names(): string[] {
    return this.#catalog.names();
  }

  /** The active definitions, sorted by name; with `all`, each is followed by the other definitions of its name. */
  entries(all = false): catalogs.Entry[] {
    return this.#catalog.entries(all);
  }

  /** The active definition of this name. */
  get(name: string): Plain<types.Agent> | undefined {
    return plain(this.#catalog.get(name));
  }

  /** The active definitions whose name or description matches the query, best match first. Tolerates typos. */
  search(query: string, limit = 10): catalogs.Entry[] {
    return this.#catalog.search(query, limit);
  }

  /** All definitions of this name, and why one wins. */
  explain(name: string): catalogs.Explanation {
    return this.#catalog.explain(name);
  }

  /** The tools that this agent gets from those offered. */
  grants(name: string, offered: string[]): catalogs.Grants | undefined {
    return this.#catalog.grants(name, offered);
  }

  /** All findings in and across files, sorted by path and position. */
  diagnostics(): types.Diagnostic[] {
    return this.#catalog.diagnostics();
  }

  /** The findings suppressed by comments, in the same order. */
  suppressed(): types.Diagnostic[] {
    return this.#catalog.suppressed();
  }

  /** Adds a definition without a file, written as an agent file of the dialect. Takes effect immediately. */
  register(name: string, contents: string): void {
    answered(() => this.#catalog.register(name, contents));
  }

  /** Reserves a tool for this agent in later sessions. Only agents with a reservation get it, and only if their lists allow it. */
  reserve(name: string, tool: string): void {
    this.#catalog.reserve(name, tool);
  }

  /** Counts of what the catalog did so far. */
  counters(): Plain<catalogs.Counters> {
    return plain(this.#catalog.counters());
  }

  /** Starts a session. `tools` are the tools that the host provides. */
  session(task: delegation.Task, tools: conversation.ToolSpec[] = [], settings: SessionSettings = {}): Session {
    const { directory: project, home } = this.#world.sources;
    const defaults = this.#root.delegation.defaultSettings(resolve(project), home === "~" ? undefined : home);
    const filled = sessionSettings(settings, defaults);
    // Instructions import files from anywhere in the project.
    if (filled.surroundings) this.#world.grantPath(project);
    return answered(() => new Session(this.#root.delegation.Session.open(this.#catalog, task, tools, filled), filled.bounds.deadline));
  }

  /** Releases the catalog. */
  close(): void {
    // jco's types omit `Symbol.dispose`.
    (this.#catalog as Partial<Disposable>)[Symbol.dispose]?.();
  }
}
