// Requests for tests.
import assert from "node:assert/strict";

/** Sends a request and parses the JSON response. Values other than strings are sent as JSON. */
export function client(url) {
  return async (method, path, body, headers = {}) => {
    const text = body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(new URL(path, url), { method, body: text, headers: { ...type, ...headers } });
    const said = await response.text();
    return { status: response.status, headers: response.headers, body: said === "" ? null : JSON.parse(said) };
  };
}

/** Checks that the response is a complete problem with this status and code. */
export function isProblem(answer, status, code) {
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  const { type, title, detail } = answer.body;
  assert.deepEqual([answer.status, answer.body.status, answer.body.code], [status, status, code]);
  assert.ok(type && title && detail, "the problem is complete");
  return answer.body;
}

export const agent = (name, rest = "") => `---\nname: ${name}\ndescription: Does something useful\n${rest}---\n\nDo it.\n`;
