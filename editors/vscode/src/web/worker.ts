// The worker: the component with the language server and the command line, over files that the extension fetches for it.
import { BrowserMessageReader, BrowserMessageWriter } from "vscode-languageserver-protocol/browser";
import type { Message } from "vscode-languageserver-protocol/browser";
import { instantiate } from "../../../../web-demo/shared/callsheet-editor/callsheet-editor.js";
import type { ImportObject, Root } from "../../../../web-demo/shared/callsheet-editor/callsheet-editor.js";
import { Written, wasi } from "../../../../web-demo/shared/streams";
import { Files } from "./files";
import type { Fetched, FromWorker, ToWorker, Wanted } from "./messages";

type Turn = ReturnType<Root["server"]["receive"]>;

/** How long a look at the project waits for the next change, in milliseconds. */
const PAUSE = 150;
const STATUS = { clean: 0, problems: 1, failed: 2, "native-only": 2 };
/** The notifications after which a file is what the disk has. */
const STORED = new Set(["textDocument/didSave", "textDocument/didClose"]);

const send = (message: FromWorker): void => postMessage(message);

/** One client, and the component. */
class Worker {
  readonly files = new Files();
  #words: string[] = [];
  #output = new Written();
  #errors = new Written();
  #root: Root | undefined;
  #writer: BrowserMessageWriter | undefined;
  #folders: string[] = [];
  /** Messages that were not given to the server yet. */
  #inbox: Message[] = [];
  /** Whether the files have to be read before the server asks for them. */
  #isBehind = true;
  /** The work, one piece after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  #fetches = new Map<number, (files: Fetched[]) => void>();
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pause: bigint | undefined;

  take(message: ToWorker): void {
    switch (message.kind) {
      case "start":
        return void this.#then(() => this.#start(message.modules, message.port));
      case "folders":
        return void this.#then(async () => {
          this.#folders = message.paths;
          this.files.open(message.paths);
          this.#isBehind = true;
        });
      case "changed":
        this.files.forget(message.path);
        this.#isBehind = true;
        return;
      case "fetched":
        this.#fetches.get(message.id)?.(message.files);
        this.#fetches.delete(message.id);
        return;
      case "run":
        return void this.#then(() => this.#run(message.id, message.folder, message.words));
    }
  }

  async #start(modules: Record<string, Uint8Array>, port: MessagePort): Promise<void> {
    const denied = () => {
      throw { tag: "denied", val: "the editor runs no agents" };
    };
    const imports = {
      "callsheet:agents/files": this.files.import,
      "callsheet:agents/model": { complete: denied },
      "callsheet:agents/tools": { call: denied },
      "callsheet:server/buffers": { set: (path: string, contents: Uint8Array | undefined) => this.files.setUnsaved(path, contents) },
      ...wasi(
        () => this.#words,
        (contents) => this.#output.add(contents),
        (contents) => this.#errors.add(contents),
      ),
    };
    const module = (name: string) => WebAssembly.compile(modules[name] as Uint8Array<ArrayBuffer>);
    // At run time, the keys have no version, unlike in the generated types.
    this.#root = await instantiate(module, imports as unknown as ImportObject);
    this.#writer = new BrowserMessageWriter(port);
    new BrowserMessageReader(port).listen((message) => {
      this.#inbox.push(message);
      void this.#then(() => this.#deliver());
    });
    send({ kind: "started" });
  }

  /** Does a piece of work after the ones before. If one fails, the component did, and is not used any more. */
  #then(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(work);
    this.#queue = done;
    done.catch((error: unknown) => {
      send({ kind: "died", reason: error instanceof Error ? error.message : String(error) });
      close();
    });
    return done;
  }

  /** Gives the server all messages that have come. */
  async #deliver(): Promise<void> {
    const batch = this.#inbox.splice(0);
    if (batch.length === 0) return;
    for (const message of batch) this.#note(message);
    await this.#catchUp();
    await this.#receive(batch);
  }

  #note(message: Message): void {
    const { method, params } = message as { method?: string; params?: { textDocument?: { uri?: string } } };
    const uri = params?.textDocument?.uri;
    if (method === undefined || uri === undefined || !STORED.has(method) || !uri.startsWith("file:")) return;
    this.files.forget(decodeURIComponent(new URL(uri).pathname));
    this.#isBehind = true;
  }

  /** Fetches what the server is going to ask for. */
  async #catchUp(): Promise<void> {
    while (this.#isBehind) {
      this.#isBehind = false;
      for (const folder of this.#folders) await this.#fetching(() => this.#component.server.readAhead(folder));
    }
  }

  async #receive(batch: object[]): Promise<void> {
    this.#tell(this.#component.server.receive(batch.map((message) => JSON.stringify(message))));
    await this.#complete();
  }

  async #look(): Promise<void> {
    await this.#catchUp();
    this.#tell(this.#component.server.look());
    await this.#complete();
  }

  /** If the answers needed more files, they are changes of the disk. */
  async #complete(): Promise<void> {
    for (let wanted = this.files.takeWanted(); wanted.length > 0; wanted = this.files.takeWanted()) {
      await this.#fetch(wanted);
      const changes = wanted.map(({ path }) => ({ uri: addressOf(path), type: 2 }));
      this.#tell(this.#component.server.receive([JSON.stringify({ jsonrpc: "2.0", method: "workspace/didChangeWatchedFiles", params: { changes } })]));
    }
  }

  #tell({ messages, failures, pause }: Turn): void {
    for (const message of messages) void this.#writer?.write(JSON.parse(message) as Message);
    for (const text of failures) send({ kind: "log", text });
    if (pause === this.#pause && (pause === undefined || this.#timer !== undefined)) return;
    this.#pause = pause;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (pause === undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#then(() => this.#look());
    }, PAUSE);
  }

  async #run(id: number, folder: string, words: string[]): Promise<void> {
    this.#words = ["callsheet", "--no-home", ...words];
    const status = await this.#fetching(() => {
      [this.#output, this.#errors, this.files.base] = [new Written(), new Written(), folder];
      return this.#component.main.run();
    });
    send({ kind: "ran", id, status: STATUS[status], output: this.#output.end(), errors: this.#errors.end() });
  }

  /** Repeats a call that changes nothing until all files that it reads are here. */
  async #fetching<Answer>(call: () => Answer): Promise<Answer> {
    for (;;) {
      const answer = call();
      const wanted = this.files.takeWanted();
      if (wanted.length === 0) return answer;
      await this.#fetch(wanted);
    }
  }

  async #fetch(wanted: Wanted[]): Promise<void> {
    const id = this.#asked++;
    const files = await new Promise<Fetched[]>((resolve) => {
      this.#fetches.set(id, resolve);
      send({ kind: "fetch", id, wanted });
    });
    for (const file of files) this.files.add(file);
  }

  get #component(): Root {
    if (!this.#root) throw new Error("the component was not started");
    return this.#root;
  }
}

function addressOf(path: string): string {
  return `file://${path.split("/").map(encodeURIComponent).join("/")}`;
}

const worker = new Worker();
onmessage = ({ data }: MessageEvent<ToWorker>) => worker.take(data);
