// One instance of the component for all requests, used by one at a time. It keeps no data of a request.
import type { Project, Root, Sources } from "../../shared/contract";
import { type CoreModule, HOME, instance } from "../../shared/engine";
import { Files } from "../../shared/files";
import type { Refusal } from "../../shared/refusals";
import { Problem } from "./problem";
import { refused } from "./refusals";

/** The project of a request: its files and home directory. */
const SOURCES: Sources = { directory: ".", ancestors: [], home: HOME, variables: [], plugins: [], directories: [], failClosed: false };

/** The component with the files of one request. */
export interface Scope {
  root: Root;
  project: Project;
  files: Files;
  /** The folders that each dialect owns. */
  owned(): Map<string, string[]>;
}

export class Pool {
  #ready: Promise<Run> | undefined;

  constructor(private readonly core: CoreModule) {}

  /** Creates an instance before the first request. */
  async start(): Promise<void> {
    await this.#instance();
  }

  /** Runs `ask` with the component. `ask` is synchronous, so requests never share the instance. */
  async use<Answer>(files: Files, ask: (scope: Scope) => Answer): Promise<Answer> {
    const run = await this.#instance();
    try {
      return run(files, ask);
    } catch (thrown) {
      if (thrown instanceof Problem) throw thrown;
      const payload = (thrown as { payload?: Refusal } | undefined)?.payload;
      if (payload) throw refused(payload);
      // An instance is unusable after a trap.
      this.#ready = undefined;
      console.error(thrown);
      throw new Problem(500, "trap", "the component failed and was replaced; nothing was changed");
    }
  }

  async #instance(): Promise<Run> {
    this.#ready ??= this.#make();
    try {
      return await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  async #make(): Promise<Run> {
    let current = new Files();
    const imports = {
      listDirectory: (path: string) => current.import.listDirectory(path),
      read: (path: string) => current.import.read(path),
    };
    const root = await instance(imports, this.core);
    const project = root.projects.Project.open(SOURCES);
    // Cached, because they do not depend on the files and take time to compute.
    let known: Map<string, string[]> | undefined;
    const owned = () => (known ??= new Map(root.documents.dialects("agent").map(({ id }) => [id, directories(project, id)])));
    return (files, ask) => {
      current = files;
      try {
        return ask({ root, project, files, owned });
      } finally {
        current = new Files();
      }
    };
  }
}

type Run = <Answer>(files: Files, ask: (scope: Scope) => Answer) => Answer;

function directories(project: Project, dialect: string): string[] {
  return project.locations(dialect, "agent").flatMap(({ owned, directory }) => (owned ? [directory] : []));
}
