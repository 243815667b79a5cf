// The extension on the desktop: it starts the program as a language server.
import { Uri, commands, languages, window, workspace } from "vscode";
import type { ExtensionContext, TreeView } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import type { Location, Position } from "vscode-languageclient/node";
import { Agents, badge } from "./agents";
import type { Node } from "./agents";
import * as asked from "./commands";
import { Missing, find } from "./found";
import type { Native } from "./found";
import { Texts } from "./texts";

/** The files that a tool may read, whatever the editor calls their language. The server answers only for those that one does. */
const FILES = "**/*.{md,mdc,toml}";
/** The languages of new texts that may become a definition. The server answers only if one looks like it. */
const UNTITLED = ["markdown", "chatagent", "prompt", "skill"];
/** The commands that the server may put above a file. */
const LENSES = ["callsheet.references", "callsheet.why", "callsheet.run"];
/** After the last of a burst of changes, in milliseconds. */
const PAUSE = 300;

export async function activate(context: ExtensionContext): Promise<void> {
  const extension = new Extension(context.extensionUri);
  context.subscriptions.push(extension, ...extension.register());
  await extension.start();
}

class Extension {
  readonly #agents = new Agents();
  readonly #texts = new Texts();
  readonly #view: TreeView<Node>;
  readonly #output = window.createOutputChannel("Callsheet", { log: true });
  #client: LanguageClient | undefined;
  #program: Native | undefined;
  #waiting: NodeJS.Timeout | undefined;

  constructor(private readonly folder: Uri) {
    this.#view = window.createTreeView("callsheet.agents", { treeDataProvider: this.#agents });
  }

  register() {
    const parts: asked.Parts = {
      agents: this.#agents,
      texts: this.#texts,
      program: () => {
        if (!this.#program) throw new Missing("the program `callsheet` was not found");
        return this.#program;
      },
      refresh: () => this.refresh(),
    };
    const command = (name: string, act: (given: unknown) => Promise<unknown>) =>
      commands.registerCommand(`callsheet.${name}`, (given) => act(given).catch((error: Error) => this.complain(error)));
    const line = (words: string[]) => ({ path: this.#program?.path ?? "", words: [...(this.#program?.options ?? []), ...words] });
    const watcher = workspace.createFileSystemWatcher(FILES);
    return [
      this.#texts.register(),
      command("why", (given) => asked.why(parts, given)),
      command("graph", (given) => asked.graph(parts, given)),
      command("convert", (given) => asked.convertAgent(parts, given)),
      command("new", () => asked.newAgent(parts)),
      command("run", (given) => asked.run(parts, given, line)),
      command("playground", asked.playground),
      commands.registerCommand("callsheet.references", (uri, at, places) => this.references(uri, at, places)),
      command("refresh", () => this.refresh()),
      command("restart", () => this.start()),
      command("install", async () => commands.executeCommand("markdown.showPreview", Uri.joinPath(this.folder, "media/program.md"))),
      watcher,
      watcher.onDidCreate(() => this.later()),
      watcher.onDidChange(() => this.later()),
      watcher.onDidDelete(() => this.later()),
      languages.onDidChangeDiagnostics(() => (this.#view.badge = badge())),
      workspace.onDidChangeWorkspaceFolders(() => this.later()),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("callsheet.path") || event.affectsConfiguration("callsheet.arguments")) void this.start();
      }),
      workspace.onDidGrantWorkspaceTrust(() => void this.start()),
    ];
  }

  /** Starts the server, or says why there is none. */
  async start(): Promise<void> {
    await this.stop();
    try {
      this.#program = find(this.folder);
      const version = await this.#program.version();
      if (version === undefined) throw new Missing(`${this.#program.path} is not the program \`callsheet\`, or cannot be run here`);
      this.#output.info(`${this.#program.path}, version ${version}`);
    } catch (error) {
      this.#program = undefined;
      await commands.executeCommand("setContext", "callsheet.state", "missing");
      if (error instanceof Missing) return void this.advise(error.message);
      throw error;
    }
    const { path, options } = this.#program;
    this.#client = new LanguageClient("callsheet", "Callsheet", { command: path, args: [...options, "lsp"] }, {
      documentSelector: [{ scheme: "file", pattern: FILES }, ...UNTITLED.map((language) => ({ scheme: "untitled", language }))],
      outputChannel: this.#output,
    });
    const commandNames = workspace.isTrusted ? LENSES : LENSES.filter((name) => name !== "callsheet.run");
    this.#client.registerFeature({
      fillClientCapabilities: (capabilities) => void (capabilities.experimental = { commands: commandNames }),
      initialize: () => {},
      getState: () => ({ kind: "static" }),
      clear: () => {},
    });
    await commands.executeCommand("setContext", "callsheet.state", "ready");
    // The view and the commands do not need the server.
    await this.#client.start().catch((error: Error) => this.complain(error));
    await this.refresh();
  }

  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#agents.clear();
    // A server that already ended cannot be asked to.
    await client?.dispose().catch(() => undefined);
  }

  async refresh(): Promise<void> {
    if (!this.#program) return;
    await this.#agents.refresh(this.#program).catch((error: Error) => this.#output.error(error.message));
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

  private async advise(reason: string): Promise<void> {
    const [settings, install] = ["Open Settings", "How to Install"];
    const message = `Callsheet: ${reason}. Without it, there are no problems, fixes and completions in agent files.`;
    const answer = await window.showErrorMessage(message, settings, install);
    if (answer === settings) await commands.executeCommand("workbench.action.openSettings", "callsheet.path");
    if (answer === install) await commands.executeCommand("callsheet.install");
  }

  private complain(error: Error): void {
    this.#output.error(error.message);
    void window.showErrorMessage(`Callsheet: ${error.message}`);
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#waiting);
    this.#view.dispose();
    await this.stop();
    this.#output.dispose();
  }
}
