// The component with one catalog over files in memory.
import type { Catalog, Completions, Dialect, Diagnostic, Fixed, Graph, Project, Reader, Renaming, Report, Root, Rule, Scope, Sources, Spot } from "./contract";
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
  #project: Project | undefined;
  /** The names of its plugins. */
  #plugins = "";
  #catalog: Catalog | undefined;
  /** Its dialect. */
  #dialect = "";

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
    const before = this.#catalog;
    const catalog = this.catalog(dialect);
    if (catalog === before) catalog.refresh();
  }

  /** The findings in all files, each judged by its owner. */
  report(): Report {
    return this.#opened().check({ targets: [], paths: [] }, undefined);
  }

  /** The dialects with agents in the project or the home directory. */
  inUse(): string[] {
    return this.#opened().inUse("agent");
  }

  /** The keys, values and names that fit a place in a file. */
  complete(spot: Spot): Completions {
    return this.#opened().complete(spot);
  }

  /** The project's files that safe fixes change. */
  fixed(): Fixed[] {
    return this.#opened().fix({ targets: [], paths: [] }, false, []);
  }

  /** What the files define and name, in a scope. */
  graph(scope: Scope): Graph {
    return this.#opened().graph({ targets: [], paths: [] }, scope, "whole");
  }

  /** What changes if the definition in a file gets another name. */
  rename(path: string, to: string): Renaming {
    return this.#opened().rename(path, to);
  }

  /** The findings in a file: its owner's, or those of the dialect if it has no owner. */
  findings(dialect: string, path: string): Diagnostic[] {
    const project = this.#opened();
    const request = { targets: [], paths: [path] };
    const { findings, unowned } = project.check(request, undefined);
    const isGuess = unowned.includes(path) && findings.length === 0;
    const reported = isGuess ? project.check({ ...request, dialect }, undefined).findings : findings;
    return reported.filter(({ diagnostic }) => diagnostic.primary.place.path === path).map(({ diagnostic }) => diagnostic);
  }

  /** The catalog of a dialect, as of the last refresh. */
  catalog(dialect: string): Catalog {
    const project = this.#opened();
    if (this.#catalog && this.#dialect === dialect) return this.#catalog;
    this.#closeCatalog();
    this.#catalog = this.#root.catalogs.Catalog.open(project, { dialect, kind: "agent", cacheCapacity: CACHE_CAPACITY, check: true });
    this.#dialect = dialect;
    return this.#catalog;
  }

  /** The directories for new agents in the project and in the home directory, if the dialect has them. */
  ownDirectories(dialect: string): string[] {
    const levels = ["project", "user"] as const;
    const directories = levels.map((level) => this.#opened().ownDirectory(dialect, "agent", level));
    return directories.filter((directory) => directory !== undefined);
  }

  /** Replaces the instance, which is unusable after a trap. */
  async restart(): Promise<void> {
    this.#root = await instance(this.files.import, this.core);
    // They are of the instance before.
    this.#project = undefined;
    this.#catalog = undefined;
  }

  /** The project with the plugins that its files now have. */
  #opened(): Project {
    const inPlugins = this.files.paths().filter((path) => path.startsWith(PLUGINS));
    const names = [...new Set(inPlugins.map((path) => path.split("/")[1] ?? ""))].sort();
    const wanted = JSON.stringify(names);
    if (this.#project && this.#plugins === wanted) return this.#project;
    this.#closeCatalog();
    drop(this.#project);
    const plugins = names.map((name) => ({ name, directory: `${PLUGINS}${name}/agents` }));
    const sources: Sources = { directory: ".", ancestors: [], home: HOME, variables: [], plugins, directories: [], failClosed: false };
    this.#project = this.#root.projects.Project.open(sources);
    this.#plugins = wanted;
    return this.#project;
  }

  #closeCatalog(): void {
    const catalog = this.#catalog;
    this.#catalog = undefined;
    drop(catalog);
  }
}

/** Releases a resource of the component. */
function drop(resource: object | undefined): void {
  // jco's types omit `Symbol.dispose`.
  (resource as Partial<Disposable> | undefined)?.[Symbol.dispose]?.();
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
