// Where the files come from: examples, links, imports, and earlier projects of the user.
import type { Known } from "../../shared/engine";
import { addFiles, notify, toast, withdraw } from "./actions";
import type { Client } from "./client";
import { options, part } from "./dom";
import type { Editor } from "./editor/editor";
import { dialectOf } from "./known";
import { some } from "./panels/words";
import { addEarlier, earlier, takeEarlier } from "./project/earlier";
import { examples, snapshotOf, type Example } from "./project/examples";
import type { Project, Snapshot } from "./project/project";
import { areSame, fromLink, hasLink, isLinked, kept, unlink } from "./project/share";
import { skippedText, type Taken } from "./project/take";

const EARLIER = "earlier:";

export class Origins {
  readonly #select = part<HTMLSelectElement>("example");
  #isImported = false;

  constructor(
    private readonly project: Project,
    private readonly editor: Editor,
    private readonly showTab: (tab: string) => void,
  ) {
    this.#select.onchange = () => this.#choose(this.#select.value);
    addEventListener("hashchange", () => {
      const linked = fromLink();
      if (linked) this.#openLink(linked, this.#mine());
      else this.#refuseLink();
    });
  }

  /** Opens the link in the address bar, the files of the last visit, or the first example. */
  begin(): void {
    const [linked, own] = [fromLink(), kept()];
    const [first] = examples;
    if (linked && !(own && isLinked(own))) this.#openLink(linked, own);
    else if (own) this.#restore(own);
    else if (first) this.#start(first);
    if (!linked) this.#refuseLink();
  }

  /** Keeps files that another page stored and this one is about to overwrite. */
  keepOther(other: Snapshot, writer: string | null): void {
    this.#remember(other, writer);
    notify("Another tab stored other files. They are under “Your earlier files”.");
  }

  /** Adds imported files, or replaces an example with them. */
  import(taken: Taken): void {
    const { project } = this;
    const { files } = taken;
    const skipped = skippedText(taken);
    if (files.size === 0) return toast(`No files added. ${skipped}`);
    const added = files.size === 1 ? "1 file added." : `${files.size} files added.`;
    if (project.example === undefined) {
      addFiles(project, files, added);
    } else {
      const before = project.snapshot();
      const wasEdited = project.edited;
      const story = part("story").textContent;
      if (wasEdited) this.#remember(before);
      const [open] = files.keys();
      this.#isImported = true;
      this.#replace({ files, dialect: project.dialect, open });
      project.edited = true;
      this.#list();
      const undo = () => {
        const changed = areSame(project.files, files) ? undefined : project.snapshot();
        this.#replace(before);
        project.edited = wasEdited;
        part("story").textContent = story;
        this.#list(before.example);
        if (changed && this.#remember(changed)) toast("The imported files have changed since. They are under “Your earlier files”.");
      };
      toast(`${added} The example was replaced.`, { text: "Undo", act: undo });
    }
    part("story").textContent = skipped;
  }

  /** After an import, reads the files as a tool that they are for. */
  async chooseDialect(client: Client, known: Known): Promise<void> {
    if (!this.#isImported) return;
    this.#isImported = false;
    const inUse = await client.ask("inUse");
    const [first] = inUse;
    if (first !== undefined && !inUse.includes(dialectOf(known, this.project.dialect)?.id ?? "")) this.project.readAs(first);
  }

  #choose(value: string): void {
    const example = examples.find(({ id }) => id === value);
    if (example) this.#swap(this.#mine(), `Opened the example “${example.title}”.`, () => this.#start(example));
    if (value.startsWith(EARLIER)) this.#back(Number(value.slice(EARLIER.length)));
  }

  /** Replaces the project, and offers to restore the user's own files. */
  #swap(own: Snapshot | undefined, text: string, take: () => void): void {
    take();
    if (!own || own.files.size === 0) return;
    if (!this.#remember(own)) return;
    const [last] = earlier();
    if (last) toast(text, { text: "Back to your files", act: () => this.#back(last.at) });
  }

  #back(at: number): void {
    const now = this.#mine();
    const own = takeEarlier(at);
    if (!own) return;
    unlink();
    this.#restore(own);
    if (now) this.#remember(now);
  }

  #openLink(linked: Snapshot, own: Snapshot | undefined): void {
    this.#swap(own, "Opened the files from the link.", () => {
      part("story").textContent = "";
      this.#replace(linked);
    });
    this.#list();
  }

  /** Says that the address has a link that cannot be opened. */
  #refuseLink(): void {
    if (!hasLink()) return;
    unlink();
    toast("The link is damaged or incomplete.");
  }

  #start(example: Example): void {
    this.#replace(snapshotOf(example));
    part("story").textContent = example.text;
    this.showTab(example.tab);
    this.#list(example.id);
  }

  #restore(own: Snapshot): void {
    part("story").textContent = "";
    this.#replace(own);
    this.project.edited = true;
    this.#list();
  }

  #replace(snapshot: Snapshot): void {
    withdraw();
    this.editor.forget();
    this.project.replace(snapshot);
  }

  /** Adds files to the earlier ones, and returns whether it could. */
  #remember(own: Snapshot, writer: string | null = null): boolean {
    const isKept = addEarlier(own, writer);
    if (!isKept) notify("Your other files were too large to keep.");
    this.#list(this.#select.value);
    return isKept;
  }

  /** The current files, if the user changed any. */
  #mine(): Snapshot | undefined {
    return this.project.edited ? this.project.snapshot() : undefined;
  }

  /** Lists the examples and the user's earlier projects. */
  #list(chosen = ""): void {
    const date = (at: number) => new Date(at).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "short" });
    const own = earlier().map(({ at, count }): [string, string] => [`${EARLIER}${at}`, `${some(count, "file")}, ${date(at)}`]);
    options(this.#select, [
      ["", [["", "Choose one…"]]],
      ...(own.length > 0 ? [["Your earlier files", own] as [string, Array<[string, string]>]] : []),
      ["Examples", examples.map(({ id, title }): [string, string] => [id, title])],
    ]);
    this.#select.value = chosen;
  }
}
