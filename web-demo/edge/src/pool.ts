// The component, instantiated once for all requests and lent to one at a time. Nothing of a request stays with it.
import type { Root } from "../../shared/contract";
import { type CoreModule, instance } from "../../shared/engine";
import { Files } from "../../shared/files";
import { Problem } from "./problem";
import { type Refusal, refused } from "./refusals";

/** The component over the files of one request. */
export interface Lent {
  root: Root;
  files: Files;
  /** For each dialect, the directories that are its own. */
  owned(): Map<string, string[]>;
}

export class Pool {
  #lent: Promise<Lend> | undefined;

  constructor(
    private readonly core: CoreModule,
    private readonly options: (dialect: string) => Parameters<Root["catalogs"]["locations"]>[0],
  ) {}

  /** Makes an instance, so that the first request finds one. */
  async start(): Promise<void> {
    await this.#instance();
  }

  /** Lends the component while `ask` runs, which cannot wait: so no two requests ever share it. */
  async use<Answer>(files: Files, ask: (lent: Lent) => Answer): Promise<Answer> {
    const lend = await this.#instance();
    try {
      return lend(files, ask);
    } catch (thrown) {
      if (thrown instanceof Problem) throw thrown;
      const payload = (thrown as { payload?: Refusal } | undefined)?.payload;
      if (payload) throw refused(payload);
      // A trap leaves an instance of no use.
      this.#lent = undefined;
      console.error(thrown);
      throw new Problem(500, "trap", "the component failed: it was replaced, and nothing was changed");
    }
  }

  async #instance(): Promise<Lend> {
    this.#lent ??= this.#make();
    try {
      return await this.#lent;
    } catch (error) {
      this.#lent = undefined;
      throw error;
    }
  }

  async #make(): Promise<Lend> {
    let lent = new Files();
    const imports = {
      listDirectory: (path: string) => lent.import.listDirectory(path),
      read: (path: string) => lent.import.read(path),
    };
    const root = await instance(imports, this.core);
    // They are the same whatever the files are, and it takes a while to ask for them.
    let known: Map<string, string[]> | undefined;
    const owned = () => (known ??= new Map(root.documents.dialects().map(({ id }) => [id, directories(root, this.options(id))])));
    return (files, ask) => {
      lent = files;
      try {
        return ask({ root, files, owned });
      } finally {
        lent = new Files();
      }
    };
  }
}

type Lend = <Answer>(files: Files, ask: (lent: Lent) => Answer) => Answer;

function directories(root: Root, options: Parameters<Root["catalogs"]["locations"]>[0]): string[] {
  return root.catalogs.locations(options).flatMap(({ owned, directory }) => (owned ? [directory] : []));
}
