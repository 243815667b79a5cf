// The worker and its messages, with a stand-in for the component.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import { build } from "esbuild";

const path = (relative) => new URL(relative, import.meta.url).pathname;

/** Provides `instantiate` of the page instead of the component, which is not built for this test. */
const standIn = {
  name: "stand-in",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /callsheet-editor\.js$/ }, () => ({ path: "component", namespace: "stand-in" }));
    onLoad({ filter: /.*/, namespace: "stand-in" }, () => ({ contents: "export const { instantiate } = page;" }));
  },
};
const { outputFiles } = await build({ entryPoints: [path("../src/web/worker.ts")], bundle: true, platform: "browser", format: "iife", write: false, plugins: [standIn] });
const [{ text: code }] = outputFiles;

/** A worker whose command line is `main`. It gets what the component imports. */
async function started(main) {
  const sent = [];
  const page = { instantiate: async (_, imports) => ({ main: { run: () => main(imports) } }) };
  let heard = () => {};
  const postMessage = (message) => {
    sent.push(message);
    heard();
  };
  const take = new Function("page", "postMessage", "close", `let onmessage; ${code}; return (data) => onmessage({ data });`)(page, postMessage, () => {});
  /** The next message that was not taken yet. */
  const next = async () => {
    while (sent.length === 0) await new Promise((resolve) => (heard = resolve));
    return sent.shift();
  };
  const { port1, port2 } = new MessageChannel();
  take({ kind: "start", modules: {}, port: port1 });
  assert.deepEqual(await next(), { kind: "started" });
  after(() => port2.close());
  return { take, next };
}

test("characters survive where the output is split, and a byte order mark stays", async () => {
  const text = "\uFEFFé\uFEFFö\n";
  const { take, next } = await started((imports) => {
    const out = imports["wasi:cli/stdout"].getStdout();
    for (const byte of new TextEncoder().encode(text)) out.blockingWriteAndFlush(Uint8Array.of(byte));
    imports["wasi:cli/stderr"].getStderr().blockingWriteAndFlush(new TextEncoder().encode("ü"));
    return "clean";
  });
  take({ kind: "run", id: 1, folder: "/f", words: [] });
  assert.deepEqual(await next(), { kind: "ran", id: 1, status: 0, output: text, errors: "ü" });
});

/** Answers what the worker asks for, until it is done. `meanwhile` runs between the reading of each batch and the answer. */
async function finished({ take, next }, files, meanwhile = () => {}) {
  for (;;) {
    const message = await next();
    if (message.kind !== "fetch") return message;
    const found = ({ path, what }) => {
      if (what === "file") return { contents: new TextEncoder().encode(files.get(path)) };
      const names = [...files.keys()].filter((file) => file.startsWith(`${path}/`)).map((file) => file.slice(path.length + 1).split("/"));
      return { entries: names.map(([name, ...below]) => [name, below.length > 0 ? "directory" : "file"]) };
    };
    const answer = message.wanted.map((wanted) => ({ ...wanted, found: found(wanted) }));
    meanwhile(message.wanted);
    take({ kind: "fetched", id: message.id, files: answer });
  }
}

/** Prints a file. */
const shown = (path) => (imports) => {
  let contents = new Uint8Array();
  try {
    contents = imports["callsheet:agents/files"].read(path);
  } catch {}
  imports["wasi:cli/stdout"].getStdout().blockingWriteAndFlush(contents);
  return "clean";
};

test("a file that changes while it is fetched is read again", async () => {
  const files = new Map([["/f/a/b.md", "old"]]);
  const worker = await started(shown("a/b.md"));
  worker.take({ kind: "folders", paths: ["/f"] });
  worker.take({ kind: "run", id: 1, folder: "/f", words: [] });
  const { output } = await finished(worker, files, ([{ what }]) => {
    if (what !== "file" || files.get("/f/a/b.md") === "new") return;
    files.set("/f/a/b.md", "new");
    worker.take({ kind: "changed", path: "/f/a/b.md" });
  });
  assert.equal(output, "new");
});

test("files below a folder that is replaced are read again, also after another change there", async () => {
  const files = new Map([["/f/a/b.md", "old"]]);
  const worker = await started(shown("a/b.md"));
  worker.take({ kind: "folders", paths: ["/f"] });
  worker.take({ kind: "run", id: 1, folder: "/f", words: [] });
  assert.equal((await finished(worker, files)).output, "old");
  files.set("/f/a/b.md", "new");
  for (const path of ["/f/a/c.md", "/f/a"]) worker.take({ kind: "changed", path });
  worker.take({ kind: "run", id: 2, folder: "/f", words: [] });
  assert.equal((await finished(worker, files)).output, "new");
});
