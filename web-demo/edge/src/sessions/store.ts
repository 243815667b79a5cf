// Stores a session's snapshot in its Durable Object, split by the size limit.
import { KEPT, PART_BYTES, SNAPSHOT_BYTES } from "../limits";
import { Problem } from "../problem";

/** A saved session. */
export interface Kept {
  /** The start of its clock, in milliseconds since 1970. */
  opened: number;
  snapshot: Uint8Array;
}

interface Head {
  opened: number;
  parts: number;
}

const part = (number: number) => `part:${number}`;

export async function load(storage: DurableObjectStorage): Promise<Kept> {
  const head = await storage.get<Head>("head");
  if (!head) throw new Problem(404, "no-such-session", "unknown session; it may have been deleted or expired");
  const names = Array.from({ length: head.parts }, (_, number) => part(number));
  const parts = await storage.get<Uint8Array>(names);
  const blob = new Blob(names.flatMap((name) => parts.get(name) ?? []));
  return { opened: head.opened, snapshot: new Uint8Array(await blob.arrayBuffer()) };
}

/** Writes atomically, because writes without an `await` in between are combined. */
export async function save(storage: DurableObjectStorage, { opened, snapshot }: Kept): Promise<void> {
  if (snapshot.length > SNAPSHOT_BYTES) {
    throw new Problem(413, "session-too-large", `the session would be larger than ${SNAPSHOT_BYTES} bytes; end it and open a smaller one`);
  }
  const parts = Math.ceil(snapshot.length / PART_BYTES);
  const entries: Record<string, unknown> = { head: { opened, parts } satisfies Head };
  for (let number = 0; number < parts; number += 1) {
    entries[part(number)] = snapshot.slice(number * PART_BYTES, (number + 1) * PART_BYTES);
  }
  await Promise.all([storage.put(entries), storage.setAlarm(Date.now() + KEPT)]);
}

export async function forget(storage: DurableObjectStorage): Promise<void> {
  await Promise.all([storage.deleteAlarm(), storage.deleteAll()]);
}
