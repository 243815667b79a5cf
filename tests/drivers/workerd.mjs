#!/usr/bin/env node
// The driver for workerd. `npm run build:driver` in web-demo/edge makes the worker that it starts.
import { run } from "../../web-demo/edge/bench/workerd.mjs";
import { built } from "../../web-demo/edge/capnp.mjs";
import { answerLines } from "./lines.mjs";

const worker = built(new URL("../../web-demo/edge/dist/driver", import.meta.url).pathname);
const { url, server } = await run(worker, { path: "/" });
try {
  await answerLines(async (call) => {
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(call) });
    return answer.json();
  });
} finally {
  server.kill();
}
