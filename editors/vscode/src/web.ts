// The extension in the browser: the component answers in a worker, over the editor's files.
import { FileSystemError, FileType, Uri, commands, window, workspace } from "vscode";
import type { Disposable, ExtensionContext, LogOutputChannel, WorkspaceFolder } from "vscode";
import { BrowserMessageReader, BrowserMessageWriter, CloseAction, ErrorAction, LanguageClient } from "vscode-languageclient/browser";
import type { LanguageClientOptions, MessageTransports } from "vscode-languageclient/browser";
import type * as asked from "./commands";
import { begin } from "./extension";
import type { Platform, Register } from "./extension";
import type { Missing, Output, Program } from "./program";
import type { Fetched, FileError, FromWorker, Kind, ToWorker, Wanted } from "./web/messages";
import { converters, nameOf, uriOf } from "./web/names";

/** The files of the component in dist/, set by the build. */
declare const MODULES: string[];

/** As on the desktop. */
const MAX_FILE_SIZE = 8 * 1024 * 1024;

export async function activate(context: ExtensionContext): Promise<void> {
  await begin(context.subscriptions, new Browser(Uri.joinPath(context.extensionUri, "dist")));
}

class Browser implements Platform {
  #program: Component | undefined;

  constructor(private readonly dist: Uri) {}

  schemes(): string[] {
    return [...new Set((workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme))];
  }

  lenses(): string[] {
    return [];
  }

  async program(output: LogOutputChannel): Promise<Component> {
    this.#program = await Component.start(this.dist, output);
    return this.#program;
  }

  client(options: LanguageClientOptions): LanguageClient {
    const transports = async (): Promise<MessageTransports> => {
      if (!this.#program) throw new Error("the component was not started");
      const { port, reader } = this.#program;
      return { reader, writer: new BrowserMessageWriter(port) };
    };
    // The component says itself that it failed, and offers to restart.
    const errorHandler = { error: () => ({ action: ErrorAction.Continue }), closed: () => ({ action: CloseAction.DoNotRestart, handled: true }) };
    return new LanguageClient("callsheet", "Callsheet", transports, { ...options, uriConverters: converters, errorHandler });
  }

  register(_: asked.Parts, __: Register, restart: () => Promise<void>): Disposable[] {
    const schemes = () => this.schemes().sort().join(" ");
    let before = schemes();
    const watcher = workspace.createFileSystemWatcher("**/*");
    const changed = (uri: Uri) => this.#program?.changed(uri);
    return [
      watcher,
      watcher.onDidCreate(changed),
      watcher.onDidChange(changed),
      watcher.onDidDelete(changed),
      workspace.onDidChangeWorkspaceFolders(() => {
        this.#program?.open();
        const now = schemes();
        if (now !== before) void restart();
        before = now;
      }),
    ];
  }

  async advise({ message }: Missing): Promise<void> {
    await window.showErrorMessage(`Callsheet: ${message}`);
  }

  stop(): void {
    this.#program?.end();
    this.#program = undefined;
  }
}

/** A reader that can be closed. A port does not say that its other end was closed. */
class Reader extends BrowserMessageReader {
  close(): void {
    this.fireClose();
  }
}

/** The component in its worker. */
class Component implements Program {
  readonly readsUnsaved = true;
  readonly reader: Reader;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (output: Output) => void>();
  #runs = 0;
  /** What every command answers after the component ended. */
  #failure: Output | undefined;

  private constructor(
    worker: Worker,
    /** The protocol of the language server. */
    readonly port: MessagePort,
    private readonly log: LogOutputChannel,
  ) {
    this.#worker = worker;
    this.reader = new Reader(port);
  }

  static async start(dist: Uri, log: LogOutputChannel): Promise<Component> {
    const read = (name: string) => workspace.fs.readFile(Uri.joinPath(dist, name));
    const [code, ...contents] = await Promise.all(["worker.js", ...MODULES].map(read));
    // A worker can only be started from an address of this page.
    const address = URL.createObjectURL(new Blob([code as Uint8Array<ArrayBuffer>], { type: "text/javascript" }));
    const worker = new Worker(address);
    const { port1, port2 } = new MessageChannel();
    const component = new Component(worker, port1, log);
    const modules = Object.fromEntries(MODULES.map((name, index) => [name, contents[index] as Uint8Array]));
    await new Promise<void>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.kind === "started") resolve();
        else if (data.kind === "died") reject(new Error(`the component cannot be started here: ${data.reason}`));
        else void component.take(data);
      };
      worker.onerror = ({ message }) => reject(new Error(`the component cannot be started here: ${message}`));
      const start: ToWorker = { kind: "start", modules, port: port2 };
      component.open();
      worker.postMessage(start, [port2]);
    });
    URL.revokeObjectURL(address);
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => void component.take(data);
    worker.onerror = ({ message }) => void component.take({ kind: "died", reason: message });
    return component;
  }

  /** Tells the worker the folders. */
  open(): void {
    this.#send({ kind: "folders", paths: (workspace.workspaceFolders ?? []).map(({ uri }) => nameOf(uri)) });
  }

  changed(uri: Uri): void {
    this.#send({ kind: "changed", path: nameOf(uri) });
  }

  async run(folder: WorkspaceFolder, words: string[]): Promise<Output> {
    if (this.#failure) return this.#failure;
    this.#runs += 1;
    const id = this.#runs;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ kind: "run", id, folder: nameOf(folder.uri), words });
    });
  }

  uriOf(folder: WorkspaceFolder, path: string): Uri {
    return Uri.joinPath(folder.uri, path);
  }

  end(): void {
    this.#worker.terminate();
    this.port.close();
    this.#fail("the component was stopped");
  }

  async take(message: FromWorker): Promise<void> {
    switch (message.kind) {
      case "fetch":
        return this.#send({ kind: "fetched", id: message.id, files: await Promise.all(message.wanted.map(fetched)) });
      case "ran": {
        const { id, status, output, errors } = message;
        this.#waiting.get(id)?.({ status, output, errors });
        return void this.#waiting.delete(id);
      }
      case "log":
        return this.log.warn(message.text);
      case "died": {
        this.log.error(message.reason);
        this.#fail(`the component failed: ${message.reason}`);
        this.reader.close();
        const restart = "Restart";
        const answer = await window.showErrorMessage(`Callsheet: the component failed and has stopped answering: ${message.reason}`, restart);
        if (answer === restart) await commands.executeCommand("callsheet.restart");
      }
    }
  }

  /** Fails all commands, also later ones, which the worker does not answer any more. */
  #fail(reason: string): void {
    this.#failure = { status: 2, output: "", errors: `error: ${reason}` };
    for (const answer of this.#waiting.values()) answer(this.#failure);
    this.#waiting.clear();
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }
}

/** A file or a directory of the editor. */
async function fetched(wanted: Wanted): Promise<Fetched> {
  const uri = uriOf(wanted.path);
  try {
    if (wanted.what === "directory") {
      const entries = await workspace.fs.readDirectory(uri);
      return { ...wanted, found: { entries: entries.map(([name, type]) => [name, kindOf(type)]) } };
    }
    const { size } = await workspace.fs.stat(uri);
    if (size > MAX_FILE_SIZE) return { ...wanted, found: { error: { tag: "too-large", val: BigInt(size) } } };
    return { ...wanted, found: { contents: await workspace.fs.readFile(uri) } };
  } catch (error) {
    return { ...wanted, found: { error: errorOf(error) } };
  }
}

function kindOf(type: FileType): Kind {
  // It may lead anywhere, which only the file system knows.
  if (type & FileType.SymbolicLink) return "link";
  if (type & FileType.Directory) return "directory";
  return type & FileType.File ? "file" : "other";
}

function errorOf(error: unknown): FileError {
  if (!(error instanceof FileSystemError)) return { tag: "other", val: String(error) };
  if (error.code === "FileNotFound") return { tag: "not-found" };
  if (error.code === "NoPermissions") return { tag: "denied" };
  return error.code === "FileNotADirectory" ? { tag: "not-a-directory" } : { tag: "other", val: error.message };
}
