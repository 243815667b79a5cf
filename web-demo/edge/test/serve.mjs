// Serves the worker until it is ended: `node test/serve.mjs [PORT]`.
import { start } from "./start.mjs";

const { url } = await start({ port: Number(process.argv[2] ?? 8787) });
console.log(url);
