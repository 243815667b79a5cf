// The agents that are in force for one dialect.
import { resolve } from "node:path";
import { overFiles } from "./component.js";
import type { Root } from "./component.js";
import type { catalogs, conversation, delegation, types } from "./contract.js";
import { answered } from "./error.js";
import { Session, sessionSettings } from "./session.js";
import type { SessionSettings } from "./session.js";
import { worldOf } from "./world.js";
import type { Settings, World } from "./world.js";

/** Where a catalog looks, and whose rules hold. */
export interface CatalogSettings extends Settings {
  /** The dialect, such as `claude-code`, or a release, such as `kode@2.0.2`. */
  dialect: string;
}

/** The agents that are in force for one dialect. Throws a `CallsheetError` where the contract foresees one. */
export class Catalog {
  readonly dialect: string;
  readonly #root: Root;
  readonly #catalog: catalogs.Catalog;
  readonly #places: { project: string; home: string | undefined };

  private constructor(root: Root, catalog: catalogs.Catalog, options: catalogs.Options) {
    this.dialect = options.dialect;
    this.#root = root;
    this.#catalog = catalog;
    this.#places = { project: options.project, home: options.home };
  }

  /** Opens a catalog and reads its sources. It may see the places where its dialect looks, and no others. */
  static async open(settings: CatalogSettings): Promise<Catalog> {
    return Catalog.over(worldOf(settings), settings.dialect);
  }

  /** @internal */
  static async over(world: World, dialect: string): Promise<Catalog> {
    const root = await overFiles(world.import);
    const options = world.options(dialect);
    return answered(() => {
      for (const location of root.catalogs.locations(options)) world.grant(location);
      for (const path of root.catalogs.referred(options)) world.grantPath(path);
      return new Catalog(root, root.catalogs.Catalog.open(options), options);
    });
  }

  /** Looks at the sources again, reads only what changed, and says what is different, sorted by name. */
  refresh(): catalogs.Change[] {
    return this.#catalog.refresh();
  }

  /** The locations with what was found there, the weakest first. */
  visited(): catalogs.Visited[] {
    return this.#catalog.visited();
  }

  /** The names in force, sorted. */
  names(): string[] {
    return this.#catalog.names();
  }

  /** The definitions in force, sorted by name; with `all`, every other one after the one that is in force. */
  entries(all = false): catalogs.Entry[] {
    return this.#catalog.entries(all);
  }

  /** The definition in force of this name. */
  get(name: string): types.Agent | undefined {
    return this.#catalog.get(name);
  }

  /** The definitions in force whose name or description fits the query, the best first. Forgives typing errors. */
  search(query: string, limit = 10): catalogs.Entry[] {
    return this.#catalog.search(query, limit);
  }

  /** Who carries this name, and why. */
  explain(name: string): catalogs.Explanation {
    return this.#catalog.explain(name);
  }

  /** The tools that the agent of this name gets out of those offered. */
  grants(name: string, offered: string[]): catalogs.Grants | undefined {
    return this.#catalog.grants(name, offered);
  }

  /** Everything that is wrong with the files and between them, sorted by path and place. */
  diagnostics(): types.Diagnostic[] {
    return this.#catalog.diagnostics();
  }

  /** What comments in the files want left, sorted likewise. */
  suppressed(): types.Diagnostic[] {
    return this.#catalog.suppressed();
  }

  /** Adds a definition that no file holds, written as an agent file of the dialect. Takes effect at once. */
  register(name: string, contents: string): void {
    answered(() => this.#catalog.register(name, contents));
  }

  /**
   * Makes a tool the agent's own: in sessions that begin afterwards, nobody gets it but the agents whose own it was made, and they
   * only if their lists allow it.
   */
  reserve(name: string, tool: string): void {
    this.#catalog.reserve(name, tool);
  }

  /** What the catalog did so far. */
  counters(): catalogs.Counters {
    return this.#catalog.counters();
  }

  /** Starts a session. `tools` are what the host can do. */
  session(task: delegation.Task, tools: conversation.ToolSpec[] = [], settings: SessionSettings = {}): Session {
    const { project, home } = this.#places;
    const defaults = this.#root.delegation.defaultSettings(resolve(project), home === "~" ? undefined : home);
    const filled = sessionSettings(settings, defaults);
    return answered(() => new Session(this.#root.delegation.Session.open(this.#catalog, task, tools, filled)));
  }

  /** Lets go of it. */
  close(): void {
    // jco's types do not say that resources can be dropped.
    (this.#catalog as Partial<Disposable>)[Symbol.dispose]?.();
  }
}
