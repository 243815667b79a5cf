// What every test asks with.
import assert from "node:assert/strict";

/** Asks a server and takes its JSON. What is not text is sent as JSON. */
export function client(url) {
  return async (method, path, body, headers = {}) => {
    const text = body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(new URL(path, url), { method, body: text, headers: { ...type, ...headers } });
    const said = await response.text();
    return { status: response.status, headers: response.headers, body: said === "" ? null : JSON.parse(said) };
  };
}

/** The answer is a problem of this status and code, whole and typed. */
export function isProblem(answer, status, code) {
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  const { type, title, detail } = answer.body;
  assert.deepEqual([answer.status, answer.body.status, answer.body.code], [status, status, code]);
  assert.ok(type && title && detail, "a problem says what it is");
  return answer.body;
}

export const agent = (name, rest = "") => `---\nname: ${name}\ndescription: Does something useful\n${rest}---\n\nDo it.\n`;
