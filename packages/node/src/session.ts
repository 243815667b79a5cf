// A running delegation, and how to drive it.
import { overFiles } from "./component.js";
import type { conversation, delegation } from "./contract.js";
import { answered } from "./error.js";

/** What the host says of a session; what is left out is as on the command line. */
export type SessionSettings = Partial<Omit<delegation.Settings, "bounds">> & { bounds?: Partial<delegation.Bounds> };

/** @internal */
export function sessionSettings(settings: SessionSettings, defaults: delegation.Settings): delegation.Settings {
  return { ...defaults, ...settings, bounds: { ...defaults.bounds, ...settings.bounds } };
}

/** A session, polled by whoever drives it. It touches nothing by itself. */
export class Session {
  readonly #session: delegation.Session;

  /** @internal */
  constructor(session: delegation.Session) {
    this.#session = session;
  }

  /** Goes on with a session that was put away, here or elsewhere. It keeps the definitions that it began with. */
  static async restore(snapshot: Uint8Array): Promise<Session> {
    const { delegation } = await overFiles(NO_FILES);
    return answered(() => new Session(delegation.Session.restore(snapshot)));
  }

  /** Everything outstanding now whose number is `from` or greater. Asking twice gives the same. */
  poll(from = 0, now = clock()): delegation.Outstanding[] {
    return this.#session.poll(now, from);
  }

  /** As `poll`, but requests to models have no messages: `messages` has them. */
  pollBrief(from = 0, now = clock()): delegation.Outstanding[] {
    return this.#session.pollBrief(now, from);
  }

  /** The messages of an agent from this one on. `run` is the number that its events have: 0 for the first agent. */
  messages(run = 0, from = 0): conversation.Message[] {
    return this.#session.messages(run, from);
  }

  /** Answers one step. */
  reply(id: number, reply: delegation.Reply, now = clock()): void {
    answered(() => this.#session.reply(id, reply, now));
  }

  /** Sends the first agent another message of the user after its answer, and lets the session go on. */
  send(message: string): void {
    answered(() => this.#session.send(message));
  }

  /** Ends the session. */
  cancel(): void {
    this.#session.cancel();
  }

  /** How it ended; nothing while it runs. */
  outcome(): delegation.Outcome | undefined {
    return this.#session.outcome();
  }

  /** What it used up so far. */
  usage(): delegation.Usage {
    return this.#session.usage();
  }

  /** What happened since this was last asked. */
  events(): delegation.Event[] {
    return this.#session.events();
  }

  /** The whole state, for `restore`. */
  snapshot(): Uint8Array {
    return this.#session.snapshot();
  }

  /** Lets go of it. */
  close(): void {
    // jco's types do not say that resources can be dropped.
    (this.#session as Partial<Disposable>)[Symbol.dispose]?.();
  }
}

/** Answers requests to models. */
export type Models = (request: conversation.ModelRequest) => conversation.ModelAnswer | Promise<conversation.ModelAnswer>;
/** Calls tools. A tool's own failure is an answer. */
export type Tools = (request: conversation.ToolRequest) => conversation.ToolAnswer | Promise<conversation.ToolAnswer>;

/** An `AbortSignal`, by what is asked of it. */
export interface Signal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
}

/** Drives a session to its end: all that may happen at once does. What models and tools throw, the agents hear. */
export async function drive(
  session: Session,
  models: Models,
  tools: Tools,
  options: { onEvent?: (event: delegation.Event) => void; signal?: Signal } = {},
): Promise<delegation.Outcome> {
  const atWork = new Map<number, Promise<void>>();
  const serve = async ({ id, step }: delegation.Outstanding) => {
    const reply = await answerOf(step, models, tools);
    atWork.delete(id);
    // It may have ended while this was on its way.
    if (!session.outcome()) session.reply(id, reply);
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
    return step.tag === "ask-model" ? { tag: "model", val: await models(step.val) } : { tag: "tool", val: await tools(step.val) };
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

/** A session carries all that it needs. */
const NO_FILES = { listDirectory: missing, read: missing };
