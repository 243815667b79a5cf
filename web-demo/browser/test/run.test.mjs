// Runs that fail name the cause.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { choose } from "./browser.mjs";
import { focused, pages } from "./fixture.mjs";

const { on } = pages();

/** Runs an agent with a model at this address. */
async function run(page, address, key = "") {
  await choose(page, "Convert between tools");
  await page.getByRole("tab", { name: "Run" }).click();
  await page.selectOption("#run-source", "openai");
  await page.selectOption("#run-agent", "explainer");
  if (address) await page.getByLabel("Address").fill(address);
  await page.getByLabel("Key").fill(key);
  await page.getByRole("button", { name: "Run to the end" }).click();
}

/** Waits for the outcome; returns its lines, and its color with that of the mark beside the agent. */
async function outcome(page) {
  await page.locator(".outcome").waitFor();
  const lines = (await page.locator(".outcome").innerText()).split(/\n+/);
  const color = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).borderInlineStartColor);
  return { lines, colors: [await color(".outcome"), (await page.locator(".events > .run").count()) > 0 ? await color(".events > .run") : undefined] };
}

const colorOf = (page, name) =>
  page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.className = "probe";
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`.probe { color: var(${name}) }`);
    document.adoptedStyleSheets.push(sheet);
    return getComputedStyle(probe).color;
  }, name);

test("a run without a key names the missing key, and sends nothing", () =>
  on(async (page) => {
    await run(page);
    const { lines } = await outcome(page);
    assert.deepEqual(lines, ["Failed", "No API key: api.openai.com needs one."]);
    await page.getByLabel("Address").fill("http://models.example/v1");
    await page.getByRole("button", { name: "Run to the end" }).click();
    await page.getByText("does not begin with https://").first().waitFor();
  }));

test("a run that the endpoint refuses names the status", () =>
  on(async (page) => {
    await page.route("**/model/chat/completions", (route) => route.fulfill({ status: 401, json: { error: { message: "Invalid key" } } }));
    const { origin, host } = new URL(page.url());
    await run(page, `${origin}/model`, "wrong");
    const { lines, colors } = await outcome(page);
    assert.deepEqual(lines.slice(0, 2), ["Failed", `The model request failed: ${host} returned HTTP 401: Invalid key.`]);
    const red = await colorOf(page, "--error");
    assert.deepEqual(colors, [red, red]);
    await page.unroute("**/model/chat/completions");
    await page.route("**/model/chat/completions", (route) => route.fulfill({ json: { error: "no" } }));
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("has no choices").first().waitFor();
  }, { expected: /401/ }));

test("a run continues after a request that failed", () =>
  on(async (page) => {
    const call = { id: "1", type: "function", function: { name: "Read", arguments: '{"file_path":"README.md"}' } };
    const answer = (message) => ({ json: { choices: [{ message }] } });
    const answers = [answer({ content: "", tool_calls: [call] }), { status: 500, json: {} }, answer({ content: "Done." })];
    const asked = [];
    await page.route("**/model/chat/completions", (route) => {
      asked.push(route.request().postDataJSON().messages.map(({ role }) => role));
      return route.fulfill(answers[asked.length - 1]);
    });
    await run(page, `${new URL(page.url()).origin}/model`, "key");
    assert.equal((await outcome(page)).lines[0], "Failed");
    await page.getByRole("button", { name: "Run to the end" }).click();
    await page.getByRole("heading", { name: "Answer" }).waitFor();
    assert.deepEqual((await outcome(page)).lines.slice(0, 2), ["Answer", "Done."]);
    assert.deepEqual(asked[2], asked[1]);
    assert.equal(asked[2].at(-1), "tool");
  }, { expected: /500/ }));

test("a key is only for the address that it was entered for", () =>
  on(async (page) => {
    await choose(page, "Convert between tools");
    await page.getByRole("tab", { name: "Run" }).click();
    const key = page.getByLabel("Key");
    for (const change of [() => page.selectOption("#run-source", "anthropic"), () => page.selectOption("#dialect", "codex")]) {
      await key.fill("sesame");
      await change();
      await page.waitForFunction(() => document.getElementById("run-key").value === "");
    }
  }));

test("the buttons of a run keep the focus", () =>
  on(async (page) => {
    await choose(page, "A session, step by step");
    await page.locator("#run-source option[value=recording]").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Start", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("next: ask opus").waitFor();
    assert.equal(await focused(page), "Next step");
    await page.getByRole("button", { name: "Cancel" }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".outcome", { hasText: "canceled" }).waitFor();
    assert.equal(await focused(page), "Cancel");
    await page.getByRole("button", { name: "Run to the end" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Answer" }).waitFor();
    assert.equal(await focused(page), "Run to the end");
  }));

test("a run that CORS prevents says so", async () => {
  const server = createServer((_, response) => response.end("{}"));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `localhost:${server.address().port}`;
  try {
    await on(async (page) => {
      await run(page, `http://${host}`, "key");
      const { lines } = await outcome(page);
      const cause = `no answer from ${host}: it cannot be reached, or it does not allow requests from web pages (CORS)`;
      assert.deepEqual(lines.slice(0, 2), ["Failed", `The model request failed: ${cause}.`]);
    }, { expected: /localhost|ERR_FAILED/ });
  } finally {
    server.close();
  }
});

test("a run that reaches a limit names it", () =>
  on(async (page) => {
    const call = { id: "1", type: "function", function: { name: "Read", arguments: '{"file_path":"README.md"}' } };
    await page.route("**/model/chat/completions", (route) => route.fulfill({ json: { choices: [{ message: { content: "", tool_calls: [call] } }] } }));
    await run(page, `${new URL(page.url()).origin}/model`, "key");
    const { lines, colors } = await outcome(page);
    assert.deepEqual(lines.slice(0, 2), ["Stopped at a limit", "The limit turns was reached."]);
    const yellow = await colorOf(page, "--warning");
    assert.deepEqual(colors, [yellow, yellow]);
  }));
