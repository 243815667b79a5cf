// The extension, on the desktop and in the browser: the language client, the view and the commands.
import { commands, languages, window, workspace } from "vscode";
import type { Disposable, LogOutputChannel, TreeView, WorkspaceFolder } from "vscode";
import type { BaseLanguageClient, LanguageClientOptions, Location, Position } from "vscode-languageclient";
import { Agents, badge } from "./agents";
import type { Node } from "./agents";
import * as asked from "./commands";
import { Missing } from "./program";
import type { Program } from "./program";
import { Texts } from "./texts";

/** The files that a tool may read, whatever the editor calls their language. The server answers only for those that one does. */
export const FILES = "**/*.{md,mdc,toml,json,jsonc}";
/** The languages of new texts that may become a definition. The server answers only if one looks like it. */
const UNTITLED = ["markdown", "chatagent", "prompt", "skill"];
/** The commands that the server may put above a file. */
const LENSES = ["callsheet.references", "callsheet.why"];
/** After the last of a burst of changes, in milliseconds. */
const PAUSE = 300;

/** Files of tools, as far as they can be told without the program. */
const OF_TOOLS = "**/.*/{agent,agents,commands,mode,modes,skills}/**";

/** The server's answer, in which the address is text. */
type NewFile = { uri: string; text: string } | Extract<asked.NewFile, { missing: unknown }>;

/** Registers a command, whose failures are shown. */
export type Register = (name: string, act: (given: unknown) => Promise<unknown>) => Disposable;

/** What differs between the desktop and the browser. */
export interface Platform {
  /** The schemes of the files that the server sees. */
  schemes(): string[];
  /** The commands for lenses that only this platform has. */
  lenses(): string[];
  /** Finds the program, or starts it. Fails with `Missing` if there is none. */
  program(output: LogOutputChannel): Promise<Program>;
  client(options: LanguageClientOptions): BaseLanguageClient;
  /** The commands that only this platform has. */
  register(parts: asked.Parts, command: Register, restart: () => Promise<void>): Disposable[];
  /** Shows that no program was found. */
  advise(missing: Missing): Promise<void>;
  /** Ends what the program started. */
  stop(): void;
}

export class Extension {
  readonly #agents = new Agents();
  readonly #texts = new Texts();
  readonly #view: TreeView<Node>;
  readonly #output = window.createOutputChannel("Callsheet", { log: true });
  #client: BaseLanguageClient | undefined;
  #program: Program | undefined;
  /** Why there is no program, until it was shown. */
  #missing: Missing | undefined;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  /** Starts and stops, one after another: one in progress has no client yet that the next could stop. */
  #queue: Promise<void> = Promise.resolve();

  constructor(private readonly platform: Platform) {
    this.#view = window.createTreeView("callsheet.agents", { treeDataProvider: this.#agents });
  }

  register(): Disposable[] {
    const parts: asked.Parts = {
      agents: this.#agents,
      texts: this.#texts,
      program: () => {
        if (!this.#program) throw new Missing("the program `callsheet` was not found");
        return this.#program;
      },
      newFile: (folder, wanted) => this.newFile(folder, wanted),
      refresh: async () => void (await this.refresh()),
    };
    const command: Register = (name, act) =>
      commands.registerCommand(`callsheet.${name}`, (given) => act(given).catch((error: Error) => this.complain(error)));
    const watcher = workspace.createFileSystemWatcher(FILES);
    return [
      this.#texts.register(),
      command("why", (given) => asked.why(parts, given)),
      command("graph", (given) => asked.graph(parts, given)),
      command("new", () => asked.newAgent(parts)),
      command("convert", (given) => asked.convertAgent(parts, given)),
      command("playground", asked.playground),
      commands.registerCommand("callsheet.references", (uri, at, places) => this.references(uri, at, places)),
      command("refresh", async () => {
        const failures = await this.refresh();
        if (failures.length > 0) throw new Error(failures.join("; "));
      }),
      command("restart", () => this.restart()),
      ...this.platform.register(parts, command, () => this.restart()),
      this.#view.onDidChangeVisibility(({ visible }) => {
        if (visible) void this.advise();
      }),
      watcher,
      watcher.onDidCreate(() => this.later()),
      watcher.onDidChange(() => this.later()),
      watcher.onDidDelete(() => this.later()),
      languages.onDidChangeDiagnostics(() => (this.#view.badge = badge())),
      workspace.onDidChangeWorkspaceFolders(() => this.later()),
    ];
  }

  private async restart(): Promise<void> {
    await this.start();
    await this.advise();
  }

  async start(): Promise<void> {
    await this.#then(() => this.#start());
    await this.refresh();
  }

  #then(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(work).catch((error: Error) => this.complain(error));
    return this.#queue;
  }

  /** Starts the server, or says why there is none where agents are of interest. */
  async #start(): Promise<void> {
    await this.#stop();
    try {
      this.#program = await this.platform.program(this.#output);
    } catch (error) {
      await commands.executeCommand("setContext", "callsheet.state", "missing");
      if (!(error instanceof Missing)) throw error;
      this.#missing = error;
      this.#output.error(error.message);
      if (error.setting !== undefined) this.#agents.fail(error);
      const isOfInterest = this.#view.visible || (await workspace.findFiles(OF_TOOLS, undefined, 1)).length > 0;
      return isOfInterest ? void this.advise() : undefined;
    }
    const schemes = this.platform.schemes();
    const client = this.platform.client({
      documentSelector: [...schemes.map((scheme) => ({ scheme, pattern: FILES })), ...UNTITLED.map((language) => ({ scheme: "untitled", language }))],
      outputChannel: this.#output,
    });
    client.registerFeature({
      fillClientCapabilities: (capabilities) => void (capabilities.experimental = { commands: [...LENSES, ...this.platform.lenses()] }),
      initialize: () => {},
      getState: () => ({ kind: "static" }),
      clear: () => {},
    });
    this.#client = client;
    await commands.executeCommand("setContext", "callsheet.state", "ready");
    // The view and the commands do not need the server.
    await client.start().catch((error: Error) => this.complain(error));
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#program = undefined;
    this.#missing = undefined;
    this.#agents.clear();
    // A server that already ended cannot be asked to.
    await client?.dispose().catch(() => undefined);
    this.platform.stop();
  }

  /** Shows once that the program is missing. */
  private async advise(): Promise<void> {
    const missing = this.#missing;
    this.#missing = undefined;
    if (missing) await this.platform.advise(missing);
  }

  /** Lists the agents again. Returns why that fails, by folder. */
  async refresh(): Promise<string[]> {
    if (!this.#program) return [];
    const failures = await this.#agents.refresh(this.#program);
    for (const failure of failures) this.#output.error(failure);
    return failures;
  }

  /** After a burst of changes. */
  private later(): void {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => void this.refresh(), PAUSE);
  }

  /** Shows the places that a lens counts. */
  private async references(uri: string, at: Position, places: Location[]): Promise<void> {
    const convert = this.#client?.protocol2CodeConverter;
    if (!convert) return;
    const shown = places.map((place) => convert.asLocation(place));
    await commands.executeCommand("editor.action.showReferences", convert.asUri(uri), convert.asPosition(at), shown);
  }

  private async newFile(folder: WorkspaceFolder, wanted: asked.Wanted): Promise<asked.NewFile> {
    const client = this.#client;
    if (!client) throw new Missing("the language server was not started");
    const params = { folder: client.code2ProtocolConverter.asUri(folder.uri), ...wanted };
    const file = await client.sendRequest<NewFile>("callsheet/newAgent", params);
    return "uri" in file ? { ...file, uri: client.protocol2CodeConverter.asUri(file.uri) } : file;
  }

  private complain(error: Error): void {
    this.#output.error(error.message);
    void window.showErrorMessage(`Callsheet: ${error.message}`);
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#waiting);
    this.#view.dispose();
    await this.#then(() => this.#stop());
    this.#output.dispose();
  }
}

/** Starts the extension on a platform. */
export async function begin(subscriptions: Disposable[], platform: Platform): Promise<void> {
  const extension = new Extension(platform);
  subscriptions.push(extension, ...extension.register());
  await extension.start();
}
