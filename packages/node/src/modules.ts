// The core modules of the components, each compiled once.
import { readFile } from "node:fs/promises";

const folder = new URL("./shared/component/", import.meta.url);
const known = new Map<string, Promise<WebAssembly.Module>>();

/** A core module, relative to the folder of the component. */
export function compiled(name: string): Promise<WebAssembly.Module> {
  const url = new URL(name, folder);
  const before = known.get(url.href);
  if (before) return before;
  const module = readFile(url).then((bytes) => WebAssembly.compile(bytes));
  known.set(url.href, module);
  return module;
}
