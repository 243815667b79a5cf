// Parts of the page that need neither a browser nor the component.
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "vite";

const code = `
  export { positionsIn, linesOf } from "./src/editor/lines.ts";
  export { EditorState } from "@codemirror/state";
  export { pack, unpack } from "./src/project/share.ts";
  export { chosen, skippedText } from "./src/project/take.ts";
  export { Project } from "./src/project/project.ts";
  export { askModel } from "../shared/models.ts";
  export { callTool } from "./src/run/tools.ts";
  export { decode, encode } from "../shared/places.ts";
`;
const entry = new URL("../modules.ts", import.meta.url).pathname;
const modules = { name: "modules", resolveId: (id) => (id === entry ? id : undefined), load: (id) => (id === entry ? code : undefined) };
const [{ output }] = await build({ configFile: false, logLevel: "silent", plugins: [modules], build: { write: false, minify: false, lib: { entry, formats: ["es"] } } });
const { EditorState, Project, askModel, callTool, chosen, decode, encode, linesOf, pack, positionsIn, skippedText, unpack } = await import(
  `data:text/javascript,${encodeURIComponent(output[0].code)}`
);

test("every byte has the position that the text before it has", () => {
  for (const text of ["", "é\n😀\nb", "\uFEFFa\r\n\uFEFFb\r\n", "a\r\nb\nc\rd", "\n\n"]) {
    for (const contents of [encode(text), Uint8Array.of(...encode(text), 0xff, 10, 0xc3, 10, 65)]) {
      const { doc, lineEnds } = linesOf(decode(contents));
      const state = EditorState.create({ doc, extensions: lineEnds });
      const at = positionsIn(state, contents);
      const isCrlf = state.facet(EditorState.lineSeparator) === undefined;
      for (let byte = 0; byte <= contents.length; byte += 1) {
        const before = decode(contents.subarray(0, byte));
        assert.equal(at(byte), (isCrlf ? before.replaceAll("\r", "") : before).length, JSON.stringify([text, byte]));
      }
    }
  }
});

test("many positions in a large file take no more than a moment", () => {
  const contents = encode("tools: Read\n".repeat(50_000));
  const { doc, lineEnds } = linesOf(decode(contents));
  const at = positionsIn(EditorState.create({ doc, extensions: lineEnds }), contents);
  const start = performance.now();
  for (let byte = 0; byte < contents.length; byte += 12) at(byte);
  assert.ok(performance.now() - start < 2_000);
});

const file = (path) => ({ webkitRelativePath: path, size: 0, arrayBuffer: async () => new ArrayBuffer() });

test("many skipped files take no more than a moment, and each is named once", async () => {
  const start = performance.now();
  const taken = await chosen([...Array.from({ length: 30_000 }, (_, number) => file(`p/../${number}`)), file("p/../0"), file("p/a.md")]);
  assert.ok(performance.now() - start < 2_000);
  assert.deepEqual([...taken.files.keys()], ["a.md"]);
  assert.equal(skippedText(taken), "Skipped: p/../0, p/../1, p/../2 and 29997 more (outside of the project).");
});

test("a project that is encoded can be decoded, and one that is too large is not encoded", () => {
  const snapshot = (length) => ({ files: new Map([["a.md", new Uint8Array(length)]]), dialect: "claude-code", open: "a.md" });
  const head = JSON.stringify({ dialect: "claude-code", open: "a.md", files: [["a.md", 8_000_000]] }).length + 1;
  const most = (8 << 20) - head;
  assert.equal(unpack(pack(snapshot(most))).files.get("a.md").length, most);
  assert.equal(pack(snapshot(most + 1)), undefined);
});

test("tools find files by absolute and by relative paths", () => {
  const project = new Project();
  for (const path of ["docs/project/readme", "a.md", "~/b"]) project.put(path, encode(path));
  const dialect = { tools: ["read", "list"].map((right) => ({ name: right, rights: [right] })) };
  const call = (name, given) => callTool(project, dialect, { permitted: true, call: { id: "1", name, arguments: JSON.stringify(given) } }).text;
  const read = (file_path) => call("read", { file_path });
  for (const path of ["docs/project/readme", "./docs/project/readme", "/project/docs/project/readme"]) assert.equal(read(path), "docs/project/readme");
  assert.equal(read("/home/b"), "~/b");
  for (const path of [".", "/project", "/project/", "./"]) assert.equal(call("list", { path }), "a.md\ndocs/project/readme\n~/b", path);
});

test("a request to a model ends with its run", async () => {
  const { fetch } = globalThis;
  globalThis.fetch = (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  try {
    for (const kind of ["openai", "anthropic"]) {
      const run = new AbortController();
      const endpoint = { kind, url: "https://models.example", key: "", model: "m" };
      const asked = askModel(endpoint, { messages: [], tools: [] }, run.signal);
      run.abort();
      await assert.rejects(asked);
    }
  } finally {
    globalThis.fetch = fetch;
  }
});
