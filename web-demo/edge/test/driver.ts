// A worker that forwards calls to the component, for the conformance tests. Never deployed.
import core from "../../shared/component/callsheet.core.wasm";
import core2 from "../../shared/component/callsheet.core2.wasm";
import core3 from "../../shared/component/callsheet.core3.wasm";
import { instantiate } from "../../shared/component/callsheet.js";
import { Driver } from "../../../tests/drivers/driver.mjs";

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

const driver = new Driver((imports: never) => instantiate(compiled, imports));

export default {
  async fetch(request) {
    if (request.method === "GET") return new Response();
    return Response.json(await driver.answer(await request.json()));
  },
} satisfies ExportedHandler;
