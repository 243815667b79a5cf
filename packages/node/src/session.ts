// A session, and a loop that drives it.
import { inspect } from "node:util";
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
  readonly deadline: bigint | undefined;
  /** @internal */
  readonly canceled: Promise<void>;
  #stop!: () => void;

  /** @internal */
  constructor(session: delegation.Session, deadline: number | bigint | undefined) {
    this.#session = session;
    this.deadline = deadline === undefined ? undefined : BigInt(deadline);
    this.canceled = new Promise((done) => (this.#stop = done));
  }

  /**
   * Resumes a saved session, also on another machine. It keeps the definitions from its start, and its limits. With `deadline`, which is that
   * of its limits, `drive` also ends steps in progress then.
   */
  static async restore(snapshot: Uint8Array, deadline?: number | bigint): Promise<Session> {
    const { delegation } = await overFiles(NO_FILES);
    return answered(() => new Session(delegation.Session.restore(snapshot), deadline));
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
    // After an answer, there is nothing to cancel, and `send` may still resume the session.
    if (this.outcome()?.ending.tag === "cancelled") this.#stop();
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
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * Drives a session to its end, with steps in parallel. Agents see errors that models and tools throw. Throws a `TypeError` if one returns
 * anything but an answer. A deadline, `cancel` and `signal` also end steps in progress; what these return then is ignored.
 */
export async function drive(
  session: Session,
  models: Models,
  tools: Tools,
  options: { onEvent?: (event: Plain<delegation.Event>) => void; signal?: Signal } = {},
): Promise<delegation.Outcome> {
  const { onEvent, signal } = options;
  const atWork = new Map<number, Promise<void>>();
  let isOver = false;
  const serve = async ({ id, step }: delegation.Outstanding) => {
    const validated = await answerOf(step, models, tools);
    // The session may have ended in the meantime, or its agent.
    if (isOver || session.outcome()) return;
    try {
      session.reply(id, validated());
    } catch (error) {
      if (!(error instanceof CallsheetError && error.tag === "not-outstanding")) throw error;
    }
    // An invalid answer stays, so that the next race rejects.
    atWork.delete(id);
  };
  const cancel = () => session.cancel();
  signal?.addEventListener("abort", cancel);
  if (signal?.aborted) cancel();
  try {
    for (let from = 0; ; ) {
      for (const outstanding of session.poll(from)) {
        // A step before it may have ended the session.
        if (session.outcome()) break;
        const work = serve(outstanding);
        // Without a race that is still waiting, a rejection would end the process.
        work.catch(() => {});
        atWork.set(outstanding.id, work);
        from = outstanding.id + 1;
      }
      if (onEvent) session.events().forEach(onEvent);
      const outcome = session.outcome();
      if (outcome) return outcome;
      await reached(session.deadline, [...atWork.values(), session.canceled]);
    }
  } finally {
    isOver = true;
    signal?.removeEventListener("abort", cancel);
  }
}

/** Waits for the deadline or for one of these. May return early. */
async function reached(deadline: bigint | undefined, others: Promise<void>[]): Promise<void> {
  if (deadline === undefined) return Promise.race(others);
  const left = Number(deadline - clock()) / 1e6;
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((done) => (timer = setTimeout(done, Math.min(Math.max(left, 0) + 1, LONGEST_TIMER))));
  try {
    await Promise.race([...others, passed]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a step. The result validates the answer, which is only needed while the session runs. */
async function answerOf(step: delegation.Step, models: Models, tools: Tools): Promise<() => delegation.Reply> {
  try {
    const answer: unknown = await (step.tag === "ask-model" ? models(step.val) : tools(step.val));
    return () => (step.tag === "ask-model" ? { tag: "model", val: modelAnswer(answer) } : { tag: "tool", val: toolAnswer(answer) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return () => ({ tag: "failed", val: { tag: "other", val: reason } });
  }
}

function modelAnswer(given: unknown): conversation.ModelAnswer {
  const answer = fieldsOf(given, "models");
  expect(typeof answer.text === "string", "models", "`text` as a string", answer.text);
  expect(Array.isArray(answer.calls), "models", "`calls` as an array", answer.calls);
  for (const call of answer.calls as unknown[]) {
    for (const field of ["id", "name", "arguments"]) {
      const value = (call as Record<string, unknown> | null)?.[field];
      expect(typeof value === "string", "models", `\`${field}\` of each call as a string`, value);
    }
  }
  for (const field of ["inputTokens", "outputTokens"]) {
    expect(isCount(answer[field]), "models", `\`${field}\` as an integer from 0 to 2^32-1`, answer[field]);
  }
  const { cost } = answer;
  expect(cost === undefined || cost === null || isCost(cost), "models", "`cost` as an integer from 0 to 2^64-1, if any", cost);
  return given as conversation.ModelAnswer;
}

function toolAnswer(given: unknown): conversation.ToolAnswer {
  const answer = fieldsOf(given, "tools");
  expect(typeof answer.text === "string", "tools", "`text` as a string", answer.text);
  expect(typeof answer.isError === "boolean", "tools", "`isError` as a boolean", answer.isError);
  return given as conversation.ToolAnswer;
}

function fieldsOf(given: unknown, callback: string): Record<string, unknown> {
  expect(typeof given === "object" && given !== null, callback, "an answer", given);
  return given as Record<string, unknown>;
}

function expect(isRight: boolean, callback: string, wanted: string, given: unknown): void {
  if (!isRight) throw new TypeError(`\`${callback}\` must return ${wanted}, not ${inspect(given)}`);
}

// JavaScript would wrap numbers that are out of range.
function isCount(given: unknown): boolean {
  return typeof given === "number" && given >>> 0 === given;
}

function isCost(given: unknown): boolean {
  if (typeof given === "bigint") return BigInt.asUintN(64, given) === given;
  return Number.isSafeInteger(given) && (given as number) >= 0;
}

/** A longer one would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

function clock(): bigint {
  return process.hrtime.bigint();
}

function missing(): never {
  throw { tag: "not-found" };
}

/** A snapshot contains everything a session needs. */
const NO_FILES = { listDirectory: missing, read: missing };
