// The handlers of the operations in openapi.json.
import { check } from "./answers/check";
import { convert } from "./answers/convert";
import { description, dialects, health, rules } from "./answers/known";
import { resolve } from "./answers/resolve";
import { pool } from "./component";
import { json, Problem } from "./problem";
import type { Scope } from "./pool";
import { bound, filesOf } from "./project";
import type { Check } from "./requests";
import type { Sessions, Told } from "./sessions/object";

export interface Env {
  SESSIONS: DurableObjectNamespace<Sessions>;
}

/** A validated request. */
export interface Asked {
  env: Env;
  body: unknown;
  /** Parameters of the path. */
  id: string;
  /** Parameters of the query. */
  from: number;
}

type Stub = DurableObjectStub<Sessions>;

export const operations: Record<string, (asked: Asked) => Promise<Response>> = {
  check: over(check),
  resolve: over(resolve),
  convert: over(convert),
  rules: over(rules),
  dialects: over(dialects),
  description: over(description),
  health: over(health),
  openSession: async ({ env, body }) => {
    const id = env.SESSIONS.newUniqueId();
    const session = told(await env.SESSIONS.get(id).open(body as never));
    return json(session, { status: 201, headers: { location: `/v1/sessions/${id}` } });
  },
  pollSession: on((session, { from }) => session.poll(from)),
  replyToSession: on((session, { body }) => session.reply(body as never)),
  cancelSession: on((session) => session.cancel()),
  readEvents: on((session, { from }) => session.events(from)),
  deleteSession: async (asked) => {
    told(await find(asked).remove());
    return new Response(null, { status: 204 });
  },
};

/** Provides the files of the request, if any, to the component during the call. */
function over<Given>(answer: (scope: Scope, given: Given) => unknown): (asked: Asked) => Promise<Response> {
  return async ({ body }) => {
    const { files = {}, dialect, targets } = (body ?? {}) as Partial<Check>;
    const asked = (scope: Scope) => {
      bound(scope, { dialect, targets });
      return answer(scope, body as Given);
    };
    return json(await pool.use(filesOf(files), asked));
  };
}

function on(call: (session: Stub, asked: Asked) => Promise<Told>): (asked: Asked) => Promise<Response> {
  return async (asked) => json(told(await call(find(asked), asked)));
}

function find({ env, id }: Asked): Stub {
  try {
    return env.SESSIONS.get(env.SESSIONS.idFromString(id));
  } catch {
    throw new Problem(404, "no-such-session", "unknown session; use the id returned by `POST /v1/sessions`");
  }
}

function told(told: Told): unknown {
  if ("answer" in told) return told.answer;
  const { status, code, detail } = told.problem;
  throw new Problem(status, code, detail);
}
