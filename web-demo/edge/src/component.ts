// The component, compiled before the first request.
import core from "../../shared/component/callsheet.core.wasm";
import core2 from "../../shared/component/callsheet.core2.wasm";
import core3 from "../../shared/component/callsheet.core3.wasm";
import { Pool } from "./pool";

const modules: Record<string, WebAssembly.Module> = {
  "callsheet.core.wasm": core,
  "callsheet.core2.wasm": core2,
  "callsheet.core3.wasm": core3,
};

async function compiled(name: string): Promise<WebAssembly.Module> {
  const module = modules[name];
  if (!module) throw new Error(`the component needs ${name}, which is not in the build`);
  return module;
}

export const pool = new Pool(compiled);
await pool.start();
