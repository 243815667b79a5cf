// The component with one catalog over files in memory.
import type { Catalog, Completions, Dialect, Diagnostic, Fixed, Graph, Options, Project, Reader, Renaming, Report, Root, Rule, Scope, Spot } from "./contract";
import type { Files } from "./files";
import { instantiate } from "./component/callsheet.js";

/** Returns one of the component's core modules. */
export type CoreModule = (name: string) => Promise<WebAssembly.Module>;

/** Data of the component that does not depend on files. */
export interface Known {
  dialects: Dialect[];
  readers: Reader[];
  rules: Rule[];
}

/** Paths of the virtual project: `~` is the home directory, `plugins/NAME` an installed plugin. */
export const HOME = "~";
const PLUGINS = "plugins/";
const CACHE_CAPACITY = 1024;

/** The component with its files. It restarts after a trap. */
export class Engine {
  #root: Root;
  #catalog: Catalog | undefined;
  #opened = "";

  private constructor(
    root: Root,
    private readonly files: Files,
    private readonly core: CoreModule,
  ) {
    this.#root = root;
  }

  static async start(files: Files, core: CoreModule): Promise<Engine> {
    return new Engine(await instance(files.import, core), files, core);
  }

  get root(): Root {
    return this.#root;
  }

  get documents(): Root["documents"] {
    return this.#root.documents;
  }

  known(): Known {
    const { documents } = this.#root;
    return { dialects: documents.dialects("agent"), readers: documents.readers(), rules: documents.rules() };
  }

  /** Reads changed files. */
  refresh(dialect: string): void {
    const opened = this.#opened;
    const catalog = this.catalog(dialect);
    if (opened === this.#opened) catalog.refresh();
  }

  /** The findings in all files, each judged by its owner. */
  report(): Report {
    return this.#root.projects.check(this.#project(), { targets: [], paths: [] }, undefined);
  }

  /** The dialects with agents in the project or the home directory. */
  inUse(): string[] {
    return this.#root.projects.inUse(this.#project(), "agent");
  }

  /** The keys, values and names that fit a place in a file. */
  complete(spot: Spot): Completions {
    return this.#root.projects.complete(this.#project(), spot);
  }

  /** The project's files that safe fixes change. */
  fixed(): Fixed[] {
    return this.#root.projects.fix(this.#project(), { targets: [], paths: [] }, false, []);
  }

  /** What the files define and name, in a scope. */
  graph(scope: Scope): Graph {
    return this.#root.projects.graphOf(this.#project(), { targets: [], paths: [] }, scope, "whole");
  }

  /** What changes if the definition in a file gets another name. */
  rename(path: string, to: string): Renaming {
    return this.#root.projects.rename(this.#project(), path, to);
  }

  /** The findings in a file: its owner's, or those of the dialect if it has no owner. */
  findings(dialect: string, path: string): Diagnostic[] {
    const { projects } = this.#root;
    const request = { targets: [], paths: [path] };
    const { findings, unowned } = projects.check(this.#project(), request, undefined);
    const isGuess = unowned.includes(path) && findings.length === 0;
    const reported = isGuess ? projects.check(this.#project(), { ...request, dialect }, undefined).findings : findings;
    return reported.filter(({ diagnostic }) => diagnostic.primary.place.path === path).map(({ diagnostic }) => diagnostic);
  }

  /** The catalog of a dialect, as of the last refresh. */
  catalog(dialect: string): Catalog {
    const options = this.#options(dialect);
    const wanted = JSON.stringify(options);
    if (this.#catalog && this.#opened === wanted) return this.#catalog;
    // jco's types omit `Symbol.dispose`.
    (this.#catalog as Partial<Disposable> | undefined)?.[Symbol.dispose]?.();
    this.#catalog = this.#root.catalogs.Catalog.open(options);
    this.#opened = wanted;
    return this.#catalog;
  }

  /** The directories for new agents in the project and in the home directory, if the dialect has them. */
  ownDirectories(dialect: string): string[] {
    const levels = ["project", "user"] as const;
    const directories = levels.map((level) => this.#root.catalogs.ownDirectory(this.#options(dialect), level));
    return directories.filter((directory) => directory !== undefined);
  }

  /** Replaces the instance, which is unusable after a trap. */
  async restart(): Promise<void> {
    this.#catalog = undefined;
    this.#opened = "";
    this.#root = await instance(this.files.import, this.core);
  }

  #project(): Project {
    const { project: directory, ancestors, home, variables, plugins, directories, failClosed } = this.#options("");
    return { directory, ancestors, home, variables, plugins, directories, failClosed };
  }

  #options(dialect: string): Options {
    const inPlugins = this.files.paths().filter((path) => path.startsWith(PLUGINS));
    const names = new Set(inPlugins.map((path) => path.split("/")[1] ?? ""));
    return {
      dialect,
      kind: "agent",
      project: ".",
      ancestors: [],
      home: HOME,
      variables: [],
      plugins: [...names].sort().map((name) => ({ name, directory: `${PLUGINS}${name}/agents` })),
      directories: [],
      cacheCapacity: CACHE_CAPACITY,
      failClosed: false,
      check: true,
    };
  }
}

/** An instance that can only read files. */
export async function instance(files: Files["import"], core: CoreModule): Promise<Root> {
  // Sessions are polled, so the component never calls models or tools itself.
  const denied = () => {
    throw { tag: "denied", val: "this host uses sessions" };
  };
  // At run time, the keys have no version, unlike in the types.
  const imports = {
    "callsheet:agents/files": files,
    "callsheet:agents/model": { complete: denied },
    "callsheet:agents/tools": { call: denied },
  };
  return instantiate(core, imports as never);
}
