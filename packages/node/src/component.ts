// The component itself: what it exports, over the imports that it is given.
import { readFile } from "node:fs/promises";
import { instantiate } from "./shared/component/callsheet.js";
import type { ImportObject, Root } from "./shared/component/callsheet.js";

export type { ImportObject, Root };
/** What the component may ask of files. It throws a `files.FileError`. */
export type FilesImport = ImportObject["callsheet:agents/files@0.1.0"];

/** The imports, by names without a version. */
export interface Imports {
  "callsheet:agents/files": { listDirectory: FilesImport["listDirectory"]; read: FilesImport["read"] };
  "callsheet:agents/model": Pick<ImportObject["callsheet:agents/model@0.1.0"], "complete">;
  "callsheet:agents/tools": Pick<ImportObject["callsheet:agents/tools@0.1.0"], "call">;
}

const folder = new URL("./shared/component/", import.meta.url);
const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** An instance over these imports. After a trap, an error without a `payload`, it is of no more use. */
export async function start(imports: Imports): Promise<Root> {
  // At run time the keys carry no version, whatever the generated types say.
  return instantiate(core, imports as unknown as ImportObject);
}

/** An instance that may ask for these files, and for nothing else. */
export async function overFiles(files: Imports["callsheet:agents/files"]): Promise<Root> {
  const denied = () => {
    throw { tag: "denied", val: "sessions are polled here" };
  };
  return start({
    "callsheet:agents/files": files,
    "callsheet:agents/model": { complete: denied },
    "callsheet:agents/tools": { call: denied },
  });
}

function core(name: string): Promise<WebAssembly.Module> {
  const known = compiled.get(name);
  if (known) return known;
  const module = readFile(new URL(name, folder)).then((bytes) => WebAssembly.compile(bytes));
  compiled.set(name, module);
  return module;
}
