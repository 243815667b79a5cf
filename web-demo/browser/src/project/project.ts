// The virtual project: files, dialect and open file.
export interface Snapshot {
  files: Map<string, Uint8Array>;
  dialect: string;
  open: string | undefined;
  /** The example that it began as. */
  example?: string | undefined;
}

export type Change = "contents" | "files" | "open" | "dialect";

/** Contents by path; undefined if there is no file. */
export type Contents = Map<string, Uint8Array | undefined>;

/** Files that have another path now. */
export type Moves = Array<[path: string, to: string]>;

/** Gets the moved and the created files, too. */
type Listener = (change: Change, moves: Moves, created: string[]) => void;

export const FIRST_DIALECT = "claude-code";

/** The project of the page. Every change notifies the listeners. */
export class Project {
  readonly files = new Map<string, Uint8Array>();
  dialect = FIRST_DIALECT;
  open: string | undefined;
  example: string | undefined;
  /** Whether the user changed it. */
  edited = false;
  /** How often another project replaced it. */
  replaced = 0;
  readonly #listeners: Listener[] = [];

  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  paths(): string[] {
    return [...this.files.keys()].sort();
  }

  /** Replaces the contents of an existing file. */
  edit(path: string, contents: Uint8Array): void {
    this.edited = true;
    this.files.set(path, contents);
    this.#tell("contents");
  }

  /** Adds or replaces files, and opens the first. */
  add(files: Map<string, Uint8Array>): void {
    this.#write(files);
    const [first] = files.keys();
    if (first !== undefined) this.show(first);
  }

  /** Sets the contents of files, or removes those without, and opens a file. */
  restore(contents: Contents, open = this.open, moves: Moves = []): void {
    this.edited = true;
    for (const [path, after] of contents) {
      if (after) this.files.set(path, after);
      else this.files.delete(path);
    }
    this.#tell("files", moves.filter(([path]) => contents.has(path) && !this.files.has(path)));
    this.show(open !== undefined && this.files.has(open) ? open : this.paths()[0]);
  }

  /** Writes a file without opening it. */
  put(path: string, contents: Uint8Array): void {
    this.#write(new Map([[path, contents]]));
    if (this.open === path) this.show(path);
  }

  rename(path: string, to: string): void {
    const contents = this.files.get(path);
    if (!contents || path === to) return;
    this.edited = true;
    this.files.delete(path);
    this.files.set(to, contents);
    this.#tell("files", [[path, to]]);
    if (this.open === path) this.show(to);
  }

  remove(path: string): void {
    this.edited = true;
    const paths = this.paths();
    const next = paths[paths.indexOf(path) + 1] ?? paths[paths.indexOf(path) - 1];
    this.files.delete(path);
    this.#tell("files");
    if (this.open === path) this.show(next);
  }

  show(path: string | undefined): void {
    this.open = path;
    this.#tell("open");
  }

  readAs(dialect: string): void {
    this.dialect = dialect;
    this.#tell("dialect");
  }

  /** A copy of the current state. */
  snapshot(): Snapshot {
    return { files: new Map(this.files), dialect: this.dialect, open: this.open, example: this.example };
  }

  /** Replaces the whole project. */
  replace(snapshot: Snapshot): void {
    this.files.clear();
    for (const [path, contents] of snapshot.files) this.files.set(path, contents);
    this.dialect = snapshot.dialect;
    this.example = snapshot.example;
    this.edited = false;
    this.replaced += 1;
    this.#tell("files");
    this.#tell("dialect");
    const open = snapshot.open !== undefined && this.files.has(snapshot.open) ? snapshot.open : this.paths()[0];
    this.show(open);
  }

  #write(files: Map<string, Uint8Array>): void {
    this.edited = true;
    const created = [...files.keys()].filter((path) => !this.files.has(path));
    for (const [path, contents] of files) this.files.set(path, contents);
    this.#tell("files", [], created);
  }

  #tell(change: Change, moves: Moves = [], created: string[] = []): void {
    for (const listener of this.#listeners) listener(change, moves, created);
  }
}
