// Reads the body of a request, within limits.
import { BODY_BYTES, DEPTH, DRAINED_BYTES } from "./limits";
import { Problem } from "./problem";

/** The body of a request as JSON. */
export async function read(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type.trim())) {
    const found = type === "" ? "is missing" : `is \`${type}\``;
    throw new Problem(415, "not-json", `Content-Type ${found}; send JSON with \`content-type: application/json\``);
  }
  const body = parse(await bytes(request));
  if (isDeeper(body, DEPTH)) throw new Problem(422, "too-deep", `the body has more than ${DEPTH} levels of nesting`);
  return body;
}

/** Discards the unread body of a request. The server would otherwise close the connection, and a client that is still
 * sending would lose the response. */
export async function drain(request: Request): Promise<void> {
  if (request.bodyUsed) return;
  let length = 0;
  try {
    for await (const part of request.body ?? []) {
      length += part.length;
      if (length > DRAINED_BYTES) return;
    }
  } catch {
    // The client has disconnected.
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
    throw new Problem(400, "not-utf-8", "the body is not valid UTF-8; send files with other bytes as `{\"base64\": …}`");
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(400, "malformed", `the body is not valid JSON: ${(error as Error).message}`);
  }
}

/** Content-Length limits the body; without it, bytes are counted while reading. */
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
  return new Problem(413, "body-too-large", `the body is larger than ${BODY_BYTES} bytes; send fewer files per request`);
}
