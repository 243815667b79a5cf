// The component: its exports, over the given imports.
import { compiled } from "./modules.js";
import { instantiate } from "./shared/component/callsheet.js";
import type { ImportObject, Root } from "./shared/component/callsheet.js";

export type { ImportObject, Root };
/** The file functions that the component calls. They throw a `files.FileError`. */
export type FilesImport = ImportObject["callsheet:agents/files@0.1.0"];

/** The imports, by names without a version. */
export interface Imports {
  "callsheet:agents/files": { listDirectory: FilesImport["listDirectory"]; read: FilesImport["read"] };
  "callsheet:agents/model": Pick<ImportObject["callsheet:agents/model@0.1.0"], "complete">;
  "callsheet:agents/tools": Pick<ImportObject["callsheet:agents/tools@0.1.0"], "call">;
}

/** Creates an instance with these imports. A trap, which is an error without a `payload`, makes it unusable. */
export async function start(imports: Imports): Promise<Root> {
  // At run time, the keys have no version, unlike in the generated types.
  return instantiate(compiled, imports as unknown as ImportObject);
}

/** Creates an instance that can only read these files. */
export async function overFiles(files: Imports["callsheet:agents/files"]): Promise<Root> {
  const denied = () => {
    throw { tag: "denied", val: "this host uses sessions" };
  };
  return start({
    "callsheet:agents/files": files,
    "callsheet:agents/model": { complete: denied },
    "callsheet:agents/tools": { call: denied },
  });
}
