// A session, and a loop that drives it.
import { overFiles } from "./component.js";
import type { conversation, delegation } from "./contract.js";
import { answered, CallsheetError } from "./error.js";
import { plain } from "./plain.js";
import type { Loose, Plain } from "./plain.js";

/** Settings of a session; defaults are those of the command line. */
export type SessionSettings = Partial<Omit<delegation.Settings, "bounds">> & { bounds?: Partial<Loose<delegation.Bounds>> };

/** @internal */
export function sessionSettings(settings: SessionSettings, defaults: delegation.Settings): delegation.Settings {
  // jco also takes numbers for 64-bit integers.
  const bounds = { ...defaults.bounds, ...settings.bounds } as delegation.Bounds;
  return { ...defaults, ...settings, bounds };
}

/** A session for polling. It performs no I/O. */
export class Session {
  readonly #session: delegation.Session;

  /** @internal */
  constructor(session: delegation.Session) {
    this.#session = session;
  }

  /** Resumes a saved session, also on another machine. It keeps the definitions from its start. */
  static async restore(snapshot: Uint8Array): Promise<Session> {
    const { delegation } = await overFiles(NO_FILES);
    return answered(() => new Session(delegation.Session.restore(snapshot)));
  }

  /** Outstanding steps with the number `from` or greater. Repeated calls return the same. */
  poll(from = 0, now = clock()): delegation.Outstanding[] {
    return this.#session.poll(now, from);
  }

  /** Like `poll`, but model requests come without messages; `messages` returns those. */
  pollBrief(from = 0, now = clock()): delegation.Outstanding[] {
    return this.#session.pollBrief(now, from);
  }

  /** The messages of an agent from the index `from` on. `run` is its number in events: 0 for the first agent. */
  messages(run = 0, from = 0): conversation.Message[] {
    return this.#session.messages(run, from);
  }

  /** The workspaces of agents that have not ended, and the first agent's. */
  workspaces(): conversation.Workspace[] {
    return this.#session.workspaces();
  }

  /** Replies to one step. */
  reply(id: number, reply: delegation.Reply, now = clock()): void {
    answered(() => this.#session.reply(id, reply, now));
  }

  /** Sends another user message to the first agent after its answer, and resumes the session. */
  send(message: string): void {
    answered(() => this.#session.send(message));
  }

  /** Ends the session. */
  cancel(): void {
    this.#session.cancel();
  }

  /** The outcome, once the session has stopped. */
  outcome(): delegation.Outcome | undefined {
    return this.#session.outcome();
  }

  /** Resources used so far. */
  usage(): Plain<delegation.Usage> {
    return plain(this.#session.usage());
  }

  /** The events since the last call. */
  events(): Plain<delegation.Event>[] {
    return plain(this.#session.events());
  }

  /** The whole state, for `restore`. */
  snapshot(): Uint8Array {
    return this.#session.snapshot();
  }

  /** Releases the session. */
  close(): void {
    // jco's types omit `Symbol.dispose`.
    (this.#session as Partial<Disposable>)[Symbol.dispose]?.();
  }
}

/** Answers model requests. */
export type Models = (
  request: conversation.ModelRequest,
) => Loose<conversation.ModelAnswer> | Promise<Loose<conversation.ModelAnswer>>;
/** Runs tool calls. A failed tool returns an answer with `isError`. */
export type Tools = (request: conversation.ToolRequest) => conversation.ToolAnswer | Promise<conversation.ToolAnswer>;

/** The part of `AbortSignal` that `drive` uses. */
export interface Signal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
}

/** Drives a session to its end, with steps in parallel. Agents see errors that models and tools throw. */
export async function drive(
  session: Session,
  models: Models,
  tools: Tools,
  options: { onEvent?: (event: Plain<delegation.Event>) => void; signal?: Signal } = {},
): Promise<delegation.Outcome> {
  const atWork = new Map<number, Promise<void>>();
  const serve = async ({ id, step }: delegation.Outstanding) => {
    const reply = await answerOf(step, models, tools);
    atWork.delete(id);
    // The session may have ended in the meantime, or its agent.
    if (session.outcome()) return;
    try {
      session.reply(id, reply);
    } catch (error) {
      if (!(error instanceof CallsheetError && error.tag === "not-outstanding")) throw error;
    }
  };
  const aborted = new Promise<void>((done) => options.signal?.addEventListener("abort", () => done(), { once: true }));
  for (let from = 0; ; ) {
    if (options.signal?.aborted) session.cancel();
    for (const outstanding of session.poll(from)) {
      atWork.set(outstanding.id, serve(outstanding));
      from = outstanding.id + 1;
    }
    if (options.onEvent) session.events().forEach(options.onEvent);
    const outcome = session.outcome();
    if (outcome) return outcome;
    await Promise.race([...atWork.values(), aborted]);
  }
}

async function answerOf(step: delegation.Step, models: Models, tools: Tools): Promise<delegation.Reply> {
  try {
    return step.tag === "ask-model" ? { tag: "model", val: (await models(step.val)) as conversation.ModelAnswer } : { tag: "tool", val: await tools(step.val) };
  } catch (error) {
    return { tag: "failed", val: { tag: "other", val: error instanceof Error ? error.message : String(error) } };
  }
}

function clock(): bigint {
  return process.hrtime.bigint();
}

function missing(): never {
  throw { tag: "not-found" };
}

/** A snapshot contains everything a session needs. */
const NO_FILES = { listDirectory: missing, read: missing };
