// The worker with additional paths that break it. Never deployed.
import { Files } from "../../shared/files";
import { pool } from "../src/component";
import type { Env } from "../src/operations";
import { Problem } from "../src/problem";
import { serve } from "../src/serve";
import { Sessions as Deployed } from "../src/sessions/object";

export class Sessions extends Deployed {
  abort(): void {
    this.ctx.abort("evicted");
  }

  /** Returns the milliseconds until deletion, and deletes the session. */
  async expire(): Promise<number> {
    const left = ((await this.ctx.storage.getAlarm()) ?? 0) - Date.now();
    await this.alarm();
    return left;
  }
}

/** An error outside of the contract, which ends the instance during a call. */
class Breaking extends Files {
  override readonly import = {
    listDirectory: () => {
      throw new WebAssembly.RuntimeError("unreachable");
    },
    read: () => new Uint8Array(),
  };
}

async function breakComponent(): Promise<Response> {
  try {
    await pool.use(new Breaking(), ({ root }) => root.documents.discover("."));
    return new Response("it did not break");
  } catch (thrown) {
    if (thrown instanceof Problem) return thrown.response();
    throw thrown;
  }
}

export default {
  async fetch(request, env) {
    const [, way, id = ""] = new URL(request.url).pathname.split("/");
    if (way === "break") return breakComponent();
    if (way !== "abort" && way !== "expire") return serve(request, env);
    const session = env.SESSIONS.get(env.SESSIONS.idFromString(id)) as unknown as { abort(): Promise<void>; expire(): Promise<number> };
    if (way === "expire") return Response.json(await session.expire());
    await session.abort().catch(() => undefined);
    return new Response("aborted");
  },
} satisfies ExportedHandler<Env>;
