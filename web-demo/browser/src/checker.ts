// Checks the project after every change.
import type { Client } from "./client";
import type { Project } from "./project/project";
import type { Look, Report, Write } from "./questions";

const PATIENCE_MILLISECONDS = 200;
/** How long a look at all files waits for the next keystroke, which would otherwise wait for the look. */
const PAUSE_MILLISECONDS = 150;

/**
 * Requests the findings of the open file first, then everything else. Combines changes that arrive during a check. After an edit, a look at
 * the open file alone comes first, which takes as long for a large project as for a small one.
 */
export class Checker {
  readonly #sent = new Map<string, Uint8Array>();
  /** What the last whole look was about. */
  #looked: { open: string | undefined; dialect: string } | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #since: number | undefined;
  #wake: (() => void) | undefined;

  constructor(
    private readonly client: Client,
    private readonly project: Project,
    private readonly onLook: (look: Look, contents: Uint8Array) => void,
    private readonly onReport: (report: Report, contents: Uint8Array | undefined) => void,
    private readonly onFailure: (reason: string) => void,
  ) {}

  /** Starts a check, or repeats the current one. */
  check(): void {
    this.#since ??= performance.now();
    if (this.#running) {
      this.#again = true;
      this.#wake?.();
    } else this.#running = this.#run();
  }

  /** Waits until everything about the current files is known. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Sends all changes, so that later requests are answered for the current files. */
  async send(): Promise<void> {
    await this.client.ask("look", this.#writes(), this.project.dialect, undefined);
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      await this.#look();
    } while (this.#again);
    this.#running = undefined;
  }

  async #look(): Promise<void> {
    const { open, dialect, files } = this.project;
    const contents = open === undefined ? undefined : files.get(open);
    let start = this.#since;
    this.#since = undefined;
    const current = () => this.project.open === open && this.project.dialect === dialect;
    const show = (look: Look) => {
      if (!current() || (open !== undefined && files.get(open) !== contents)) return false;
      this.onLook(look, contents ?? new Uint8Array());
      if (start !== undefined) performance.measure("callsheet:checked", { start });
      start = undefined;
      return true;
    };
    try {
      const isEdit = open !== undefined && this.#looked?.open === open && this.#looked.dialect === dialect;
      if (isEdit && contents && this.#sent.get(open) !== contents) {
        show(await this.client.ask("glance", open, contents));
        if (!this.#again) await this.#pause();
        if (this.#again) return;
      }
      const look = await this.client.ask("look", this.#writes(), dialect, open);
      this.#looked = { open, dialect };
      if (!show(look)) return;
      await idle();
      if (this.#again) return;
      const report = await this.client.ask("survey", dialect, open);
      if (current()) this.onReport(report, contents);
    } catch (failure) {
      this.onFailure(failure instanceof Error ? failure.message : String(failure));
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, PAUSE_MILLISECONDS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #writes(): Write[] {
    const { files } = this.project;
    const written = [...files].filter(([path, contents]) => this.#sent.get(path) !== contents);
    const removed = [...this.#sent.keys()].filter((path) => !files.has(path));
    for (const [path, contents] of written) this.#sent.set(path, contents);
    for (const path of removed) this.#sent.delete(path);
    return [...written.map(([path, contents]) => ({ path, contents })), ...removed.map((path) => ({ path, contents: undefined }))];
  }
}

/** Waits until the browser is idle, so that typing stays responsive. Some browsers lack `requestIdleCallback`. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: PATIENCE_MILLISECONDS });
    else setTimeout(resolve, 0);
  });
}
