// One session per Durable Object. The storage has all of its state, so that it survives the object and can move.
import { DurableObject } from "cloudflare:workers";
import type { Root, Session } from "../../../shared/contract";
import { Files } from "../../../shared/files";
import { pool } from "../component";
import { Problem } from "../problem";
import { ask, bound, dropped, filesOf, options } from "../project";
import type { Open, Reply } from "../requests";
import { reply, settings, task, tools } from "./settings";
import { forget, type Kept, load, save } from "./store";
import { event, state } from "./wire";

/** The result of a Durable Object. Errors lose their type on the way to the worker. */
export type Told = { answer: unknown } | { problem: { status: number; code: string; detail: string } };

export class Sessions extends DurableObject {
  open(request: Open): Promise<Told> {
    return this.#alone(async () => {
      const opened = Date.now();
      const begun = await pool.use(filesOf(request.files), (scope) => {
        bound(scope, { dialect: request.dialect });
        return ask(scope, options(request.dialect), (catalog) => {
          const { Session } = scope.root.delegation;
          const session = Session.open(catalog, task(request.task), tools(request.tools), settings(request.settings));
          return dropped(session, (session) => this.#state(session, opened));
        });
      });
      return this.#saved(begun);
    });
  }

  poll(from: number): Promise<Told> {
    return this.#alone(() => this.#use((session, { opened }) => state(this.#id, session, since(opened), from)));
  }

  reply(given: Reply): Promise<Told> {
    return this.#change((session, now) => session.reply(given.step, reply(given), now));
  }

  cancel(): Promise<Told> {
    return this.#change((session) => session.cancel());
  }

  /** The events in the snapshot. Repeated calls return the same. */
  events(from: number): Promise<Told> {
    return this.#alone(() => this.#use((session) => ({ events: session.events().filter(({ number }) => number >= from).map(event) })));
  }

  remove(): Promise<Told> {
    return this.#alone(async () => {
      await load(this.ctx.storage);
      await forget(this.ctx.storage);
      return null;
    });
  }

  override async alarm(): Promise<void> {
    await forget(this.ctx.storage);
  }

  get #id(): string {
    return this.ctx.id.toString();
  }

  #change(change: (session: Session, now: bigint) => void): Promise<Told> {
    return this.#alone(async () =>
      this.#saved(
        await this.#use((session, { opened }) => {
          change(session, since(opened));
          return this.#state(session, opened);
        }),
      ),
    );
  }

  /** Uses the session as it is now. An end at its deadline is saved first, so that it has one outcome and one time. */
  async #use<Answer>(use: (session: Session, kept: Kept) => Answer): Promise<Answer> {
    const kept = await load(this.ctx.storage);
    const restored = (root: Root) => root.delegation.Session.restore(kept.snapshot);
    let ended: Uint8Array | undefined;
    try {
      return await pool.use(new Files(), ({ root }) =>
        dropped(restored(root), (session) => {
          const hadEnded = session.outcome() !== undefined;
          session.poll(since(kept.opened), 0);
          if (!hadEnded && session.outcome()) ended = session.snapshot();
          return use(session, kept);
        }),
      );
    } finally {
      if (ended) await save(this.ctx.storage, { ...kept, snapshot: ended });
    }
  }

  #state(session: Session, opened: number): { answer: object; kept: Kept } {
    const answer = state(this.#id, session, since(opened), 0);
    return { answer, kept: { opened, snapshot: session.snapshot() } };
  }

  async #saved({ answer, kept }: { answer: object; kept: Kept }): Promise<object> {
    await save(this.ctx.storage, kept);
    return answer;
  }

  /** Runs requests one after another, from reading to writing. */
  #alone(work: () => Promise<unknown>): Promise<Told> {
    return this.ctx.blockConcurrencyWhile(async () => {
      try {
        return { answer: await work() };
      } catch (thrown) {
        if (!(thrown instanceof Problem)) throw thrown;
        return { problem: { status: thrown.status, code: thrown.code, detail: thrown.message } };
      }
    });
  }
}

/** The time since the session was opened. */
function since(opened: number): bigint {
  return BigInt(Math.max(0, Date.now() - opened)) * 1_000_000n;
}
