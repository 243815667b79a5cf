// Read-only documents with what the program printed.
import { EventEmitter, Uri, window, workspace } from "vscode";
import type { Disposable, TextDocumentContentProvider } from "vscode";

const SCHEME = "callsheet";

export class Texts implements TextDocumentContentProvider {
  readonly #changed = new EventEmitter<Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #texts = new Map<string, string>();

  register(): Disposable {
    return workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.path) ?? "";
  }

  /** The address of a text, which the file name's ending gives a language. */
  set(name: string, text: string): Uri {
    const uri = Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
    return uri;
  }

  async show(name: string, text: string): Promise<void> {
    await window.showTextDocument(this.set(name, text), { preview: true });
  }
}
