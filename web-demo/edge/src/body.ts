// Reads the body of a request, within bounds.
import { BODY_BYTES, DEPTH, DRAINED_BYTES } from "./limits";
import { Problem } from "./problem";

/** The JSON of a body. */
export async function read(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type.trim())) {
    const found = type === "" ? "says nothing of its type" : `is \`${type}\``;
    throw new Problem(415, "not-json", `the body ${found}: send JSON, with \`content-type: application/json\``);
  }
  const body = parse(await bytes(request));
  if (isDeeper(body, DEPTH)) throw new Problem(422, "too-deep", `the body is nested more than ${DEPTH} deep`);
  return body;
}

/** Throws away the body of a request that was answered without it. A server closes where a body is left, and a client that
 * still sends it loses the answer. */
export async function drain(request: Request): Promise<void> {
  if (request.bodyUsed) return;
  let length = 0;
  try {
    for await (const part of request.body ?? []) {
      length += part.length;
      if (length > DRAINED_BYTES) return;
    }
  } catch {
    // A client that went away has nobody left to tell.
  }
}

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1));
}

function parse(body: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body);
  } catch {
    throw new Problem(400, "not-utf-8", "the body is not UTF-8: send the bytes of such files as `{\"base64\": …}`");
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(400, "malformed", `the body is no JSON: ${(error as Error).message}`);
  }
}

/** A body ends where its header says: only one without a stated length has to be counted while it comes. */
async function bytes(request: Request): Promise<Uint8Array> {
  const stated = request.headers.get("content-length");
  if (stated !== null && Number(stated) > BODY_BYTES) throw tooLarge();
  if (stated !== null) return new Uint8Array(await request.arrayBuffer());
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.length;
    if (length > BODY_BYTES + DRAINED_BYTES) break;
    if (length <= BODY_BYTES) parts.push(part);
  }
  if (length > BODY_BYTES) throw tooLarge();
  const all = new Uint8Array(length);
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

function tooLarge(): Problem {
  return new Problem(413, "body-too-large", `the body is larger than ${BODY_BYTES} bytes: send fewer files at a time`);
}
