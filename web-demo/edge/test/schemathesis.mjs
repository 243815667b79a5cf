// Tests the worker against its OpenAPI description. The argument is the schemathesis command.
import { spawn } from "node:child_process";
import { start } from "./start.mjs";

const server = await start();
const config = new URL("schemathesis.toml", import.meta.url).pathname;
const command = ["--config-file", config, "run", "--generation-database", "none", "--no-color", `${server.url}openapi.json`];
const schemathesis = spawn(process.argv[2] ?? "schemathesis", command, { stdio: "inherit" });
process.exitCode = await new Promise((resolve) => schemathesis.on("close", resolve));
await server.stop();
