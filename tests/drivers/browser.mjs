// The driver for a page of Chromium: the component of the playground, served to a page that has nothing else.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { launch } from "../../web-demo/browser/test/browser.mjs";
import { answerLines } from "./lines.mjs";

const component = new URL("../../web-demo/shared/component/", import.meta.url);
const SERVED = {
  "/": ["text/html", () => "<!doctype html><title>Driver</title>"],
  "/driver.mjs": ["text/javascript", () => readFile(new URL("driver.mjs", import.meta.url))],
  "/callsheet.js": ["text/javascript", () => readFile(new URL("callsheet.js", component))],
};

const server = createServer(async ({ url }, response) => {
  const core = /^\/callsheet\.core\d*\.wasm$/.test(url);
  const [type, contents] = core ? ["application/wasm", () => readFile(new URL(`.${url}`, component))] : (SERVED[url] ?? []);
  response.writeHead(contents ? 200 : 404, { "content-type": type ?? "text/plain" });
  response.end(await contents?.());
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const browser = await launch();
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/`);
await page.evaluate(async () => {
  const [{ Driver }, { instantiate }] = await Promise.all([import("/driver.mjs"), import("/callsheet.js")]);
  const compiled = new Map();
  const core = (name) => {
    if (!compiled.has(name)) compiled.set(name, WebAssembly.compileStreaming(fetch(name)));
    return compiled.get(name);
  };
  globalThis.driver = new Driver((imports) => instantiate(core, imports));
});
// As text: other values are slow to pass between the two.
const answer = async (call) => JSON.parse(await page.evaluate(async (line) => JSON.stringify(await driver.answer(JSON.parse(line))), JSON.stringify(call)));
await answerLines(answer);
await browser.close();
server.close();
