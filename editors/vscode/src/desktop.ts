// The extension on the desktop: it starts the program as a language server.
import { Uri, commands, window, workspace } from "vscode";
import type { Disposable, ExtensionContext, LogOutputChannel } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import type { LanguageClientOptions } from "vscode-languageclient/node";
import * as asked from "./commands";
import { begin } from "./extension";
import type { Platform, Register } from "./extension";
import { find } from "./found";
import type { Native } from "./found";
import type { Missing } from "./program";

export async function activate(context: ExtensionContext): Promise<void> {
  // Menus offer what only the program can do.
  await commands.executeCommand("setContext", "callsheet.native", true);
  await begin(context.subscriptions, new Desktop(context.extensionUri));
}

class Desktop implements Platform {
  #program: Native | undefined;

  constructor(private readonly folder: Uri) {}

  schemes(): string[] {
    return ["file"];
  }

  lenses(): string[] {
    return workspace.isTrusted ? ["callsheet.run"] : [];
  }

  async program(output: LogOutputChannel): Promise<Native> {
    const program = find(this.folder);
    output.info(`${program.path}, version ${await program.version()}`);
    this.#program = program;
    return program;
  }

  client(options: LanguageClientOptions): LanguageClient {
    const { path, options: words } = this.#program ?? find(this.folder);
    return new LanguageClient("callsheet", "Callsheet", { command: path, args: [...words, "lsp"] }, options);
  }

  register(parts: asked.Parts, command: Register, restart: () => Promise<void>): Disposable[] {
    const line = (words: string[]) => ({ path: this.#program?.path ?? "", words: [...(this.#program?.options ?? []), ...words] });
    return [
      command("run", (given) => asked.run(parts, given, line)),
      command("install", async () => asked.preview(Uri.joinPath(this.folder, "media/program.md"))),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("callsheet.path") || event.affectsConfiguration("callsheet.arguments")) void restart();
      }),
      workspace.onDidGrantWorkspaceTrust(() => void restart()),
    ];
  }

  async advise({ message, setting = "callsheet.path" }: Missing): Promise<void> {
    const [settings, install] = ["Open Settings", "How to Install"];
    const shown = `Callsheet: ${message}. There are no problems, fixes or completions in agent files.`;
    const answer = await window.showErrorMessage(shown, settings, install);
    if (answer === settings) await commands.executeCommand("workbench.action.openSettings", setting);
    if (answer === install) await commands.executeCommand("callsheet.install");
  }

  stop(): void {
    this.#program = undefined;
  }
}
