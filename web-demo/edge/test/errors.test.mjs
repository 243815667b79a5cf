// Every error is a problem (RFC 9457), and none stops the worker.
import assert from "node:assert/strict";
import { request as raw } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { agent, client, isProblem } from "./client.mjs";
import { other, start } from "./start.mjs";

const MOST = 1 << 20;
let server;
let ask;

before(async () => {
  server = await start({ built: "dist/test" });
  ask = client(server.url);
});
after(() => server?.stop());
beforeEach(async () => assert.equal((await ask("GET", "/healthz")).status, 200));

const check = (body, headers) => ask("POST", "/v1/check", body, headers);
const files = { ".claude/agents/a.md": agent("a") };

test("other paths do not exist", async () => {
  for (const path of ["/", "/v1", "/v1/check/", "/v1//check", "/openapi", "/openapi-json", "/v1/sessions/x/y", "/%00"]) {
    isProblem(await ask("GET", path), 404, "no-such-path");
  }
});

test("other methods are rejected with a list of the allowed ones", async () => {
  const answer = await ask("DELETE", "/v1/check");
  isProblem(answer, 405, "method-not-allowed");
  assert.equal(answer.headers.get("allow"), "POST");
  assert.equal((await ask("POST", "/healthz", {})).headers.get("allow"), "GET, HEAD");
  if (!other) assert.equal((await ask("PATCH", `/v1/sessions/${"0".repeat(64)}`)).headers.get("allow"), "GET, HEAD, DELETE");
  assert.equal((await ask("HEAD", "/healthz")).status, 200);
});

test("a body must be JSON with its content type", async () => {
  for (const type of ["text/plain", "application/jsonp", "application/x-www-form-urlencoded", ""]) {
    isProblem(await check(JSON.stringify({ files }), { "content-type": type }), 415, "not-json");
  }
  for (const text of ["", "{", "{\"files\":", "nul", "[1,]", "\u0000"]) isProblem(await check(text), 400, "malformed");
  isProblem(await check(Uint8Array.of(0x22, 0xff, 0x22)), 400, "not-utf-8");
});

test("a body must match the schema, and errors name positions", async () => {
  const unfit = [null, 1, "x", [], {}, { files: null }, { files: [] }, { files: { a: 1 } }, { files, dialect: 7 }, { files, targets: "kode" }, { files, paths: [".."] }];
  for (const body of unfit) isProblem(await check(JSON.stringify(body)), 422, "unfit");
  const { errors } = isProblem(await check({ fils: files }), 422, "unfit");
  assert.deepEqual(errors.map(({ pointer }) => pointer), ["", "/fils"]);
  const paths = ["", "/a", "a//b", "a/", "../a", "a/../b", "./a", "a/.", "a\u0000b", "a\nb", "x/".repeat(16) + "x", "x".repeat(513), "\ud800"];
  for (const path of paths) isProblem(await check(JSON.stringify({ files: { [path]: "" } })), 422, "unfit");
  for (const base64 of ["A", "AB=", "A===", "AA AA", "é"]) isProblem(await check({ files: { a: { base64 } } }), 422, "unfit");
});

test("unusual paths are accepted", async () => {
  for (const path of ["...", ".a", "..a/b", "a b", "~", "~/x", "é/ö", "\\", "__proto__", "constructor/prototype", "x/".repeat(15) + "x"]) {
    assert.equal((await check(`{"files":{${JSON.stringify(path)}:""}}`)).status, 200, path);
  }
});

test("bodies, paths and file counts are limited", async () => {
  const text = (length) => "x".repeat(length);
  isProblem(await check({ files: { a: text(MOST) } }), 413, "body-too-large");
  assert.equal((await check({ files: { a: text(MOST - 100) } })).status, 200);
  const many = (count) => Object.fromEntries(Array.from({ length: count }, (_, number) => [`${number}.md`, ""]));
  isProblem(await check({ files: many(501) }), 422, "unfit");
  assert.equal((await check({ files: many(500), dialect: "kode", paths: Object.keys(many(500)) })).body.files, 500);
  const base64 = Buffer.alloc(1 << 19, 0x41).toString("base64");
  assert.equal((await check({ files: { a: { base64 } } })).status, 200);
});

test("a body of unknown length has the same limit", async () => {
  const answer = await new Promise((resolve, reject) => {
    const options = { method: "POST", headers: { "content-type": "application/json", "transfer-encoding": "chunked" } };
    const request = raw(new URL("/v1/check", server.url), options, resolve).on("error", reject);
    for (let sent = 0; sent <= 8 * MOST; sent += 1 << 16) request.write(Buffer.alloc(1 << 16, 0x20));
    request.end();
  });
  assert.equal(answer.statusCode, 413);
  answer.resume();
});

test("a client that is still sending a refused body gets the response", async () => {
  const body = Buffer.alloc(8 * MOST, 0x20);
  isProblem(await check(body), 413, "body-too-large");
  isProblem(await check(body, { "content-type": "text/plain" }), 415, "not-json");
  isProblem(await ask("POST", "/v1/nothing", body), 404, "no-such-path");
  isProblem(await ask("POST", "/healthz", body), 405, "method-not-allowed");
});

test("the number of findings is limited", async () => {
  const broken = `---\nname: a\n${Array.from({ length: 4000 }, (_, number) => `k${number}: b: c\n`).join("")}---\n`;
  const many = Object.fromEntries(Array.from({ length: 15 }, (_, number) => [`.claude/agents/a${number}.md`, broken]));
  for (const more of [{}, { targets: ["kode"] }, { dialect: "kode" }]) isProblem(await check({ files: many, ...more }), 422, "too-many-findings");
  isProblem(await ask("POST", "/v1/resolve", { files: many }), 422, "too-many-findings");
  const task = { agent: "a", prompt: "" };
  isProblem(await ask("POST", "/v1/sessions", { files: many, dialect: "claude-code", task }), 422, "too-many-findings");
});

test("an unknown dialect is an error with a suggestion", async () => {
  const { detail } = isProblem(await check({ files, dialect: "claude-cod" }), 422, "unknown-dialect");
  assert.match(detail, /did you mean `claude-code`/);
  isProblem(await check({ files: {}, dialect: "none" }), 422, "unknown-dialect");
  isProblem(await ask("POST", "/v1/convert", { path: "a.md", contents: agent("a"), to: "cobol" }), 422, "unknown-dialect");
  isProblem(await ask("POST", "/v1/resolve", { files, dialect: "" }), 422, "unknown-dialect");
});

test("a file that does not load cannot be converted", async () => {
  isProblem(await ask("POST", "/v1/convert", { path: ".claude/agents/a.md", contents: "", to: "kode" }), 422, "unusable");
});

test("the component is replaced after a trap", { skip: other && "this server cannot break the component" }, async () => {
  for (let time = 0; time < 3; time += 1) {
    isProblem(await ask("GET", "/break"), 500, "trap");
    assert.equal((await check({ files })).body.files, 1);
  }
});

test("requests do not see each other", async () => {
  const own = (name) => ({ files: { [`.claude/agents/${name}.md`]: agent(name) } });
  const names = Array.from({ length: 40 }, (_, number) => `agent-${number}`);
  const broken = names.map((_, number) => (number % 7 === 0 ? ask("GET", "/break") : check("{")));
  const answers = await Promise.all([...names.map((name) => ask("POST", "/v1/resolve", own(name))), ...broken]);
  for (const [number, name] of names.entries()) {
    const [{ entries }] = answers[number].body.dialects;
    assert.deepEqual(entries.filter(({ origin }) => origin.level === "project").map((entry) => entry.name), [name]);
  }
  const { dialects } = (await ask("POST", "/v1/resolve", { files: {}, dialect: "claude-code", all: true })).body;
  assert.ok(dialects[0].entries.every(({ origin }) => origin.level === "built-in"));
});

test("random input is refused or answered", async () => {
  const bytes = (seed, length) => Uint8Array.from({ length }, (_, at) => (Math.imul(seed * 7919 + at, 2654435761) >>> 13) & 0xff);
  for (let seed = 0; seed < 60; seed += 1) {
    const contents = { base64: Buffer.from(bytes(seed, seed * 40)).toString("base64") };
    const yaml = `---\n${Buffer.from(bytes(seed, 200)).toString("latin1")}\n---\n`;
    assert.equal((await check({ files: { ".claude/agents/a.md": contents, ".kode/agents/b.md": yaml } })).status, 200);
    assert.ok([200, 422].includes((await ask("POST", "/v1/convert", { path: "a.md", contents, to: "codex" })).status));
    assert.ok([400, 422].includes((await check(bytes(seed, 50))).status));
  }
});
