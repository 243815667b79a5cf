// Routes requests, and returns errors as problems.
import { drain, read } from "./body";
import { paths, validator } from "./description";
import { type Env, operations } from "./operations";
import { Problem } from "./problem";

interface Method {
  fits: ((given: unknown) => void) | undefined;
  hasFrom: boolean;
  answer: (typeof operations)[string];
}

const routes = paths.map(([path, methods]) => {
  const known = Object.entries(methods).filter(([method]) => method !== "parameters");
  return {
    path: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/, "([^/]+)")}$`),
    methods: new Map(known.map(([method, operation]) => [method.toUpperCase(), made(operation)])),
  };
});

export async function serve(request: Request, env: Env): Promise<Response> {
  try {
    return await answer(request, env);
  } catch (thrown) {
    if (thrown instanceof Problem) return thrown.response();
    console.error(thrown);
    return new Problem(500, "failed", "internal error; the request is not the cause").response();
  } finally {
    await drain(request);
  }
}

async function answer(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url);
  const { method, id } = find(request.method, url.pathname);
  const from = method.hasFrom ? number(url.searchParams.getAll("from")) : 0;
  const body = method.fits && (await read(request));
  method.fits?.(body);
  return method.answer({ env, body, id, from });
}

/** workerd omits the body for HEAD. */
function find(name: string, path: string): { method: Method; id: string } {
  for (const route of routes) {
    const match = route.path.exec(path);
    if (!match) continue;
    const method = route.methods.get(name === "HEAD" ? "GET" : name);
    if (method) return { method, id: match[1] ?? "" };
    const allow = [...route.methods.keys()].flatMap((known) => (known === "GET" ? [known, "HEAD"] : [known])).join(", ");
    throw new Problem(405, "method-not-allowed", `${path} accepts ${allow}`, { headers: { allow } });
  }
  throw new Problem(404, "no-such-path", "not found; see `GET /openapi.json` for the paths");
}

function number(given: string[]): number {
  const [text = "0"] = given;
  const value = Number(text);
  if (given.length > 1 || !/^\d+$/.test(text) || value > 2 ** 32 - 1) {
    throw new Problem(400, "malformed", "the query parameter `from` must be one integer from 0 to 4294967295");
  }
  return value;
}

function made(operation: (typeof paths)[number][1][string]): Method {
  const answer = operations[operation.operationId];
  if (!answer) throw new Error(`no handler for ${operation.operationId}`);
  const hasFrom = operation.parameters?.some(({ name }) => name === "from") === true;
  return { fits: validator(operation), hasFrom, answer };
}
