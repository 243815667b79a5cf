// Finds the operation that a request asks for, and tells every failure as a problem.
import { drain, read } from "./body";
import { paths, validator } from "./description";
import { type Env, operations } from "./operations";
import { Problem } from "./problem";

interface Method {
  fits: ((given: unknown) => void) | undefined;
  answer: (typeof operations)[string];
}

const routes = paths.map(([path, methods]) => {
  const known = Object.entries(methods).filter(([method]) => method !== "parameters");
  return {
    path: new RegExp(`^${path.replace(/\{\w+\}/, "([^/]+)")}$`),
    methods: new Map(known.map(([method, operation]) => [method.toUpperCase(), made(operation)])),
  };
});

export async function serve(request: Request, env: Env): Promise<Response> {
  try {
    return await answer(request, env);
  } catch (thrown) {
    if (thrown instanceof Problem) return thrown.response();
    console.error(thrown);
    return new Problem(500, "failed", "something here is broken, and your request is not to blame").response();
  } finally {
    await drain(request);
  }
}

async function answer(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url);
  const { method, id } = find(request.method, url.pathname);
  const from = number(url.searchParams.getAll("from"));
  const body = method.fits && (await read(request));
  method.fits?.(body);
  return method.answer({ env, body, id, from });
}

/** workerd leaves the body out where HEAD asks. */
function find(name: string, path: string): { method: Method; id: string } {
  for (const route of routes) {
    const match = route.path.exec(path);
    if (!match) continue;
    const method = route.methods.get(name === "HEAD" ? "GET" : name);
    if (method) return { method, id: match[1] ?? "" };
    const allow = [...route.methods.keys()].flatMap((known) => (known === "GET" ? [known, "HEAD"] : [known])).join(", ");
    throw new Problem(405, "method-not-allowed", `${path} takes ${allow}`, { headers: { allow } });
  }
  throw new Problem(404, "no-such-path", "there is nothing here: `GET /openapi.json` says what there is");
}

function number(given: string[]): number {
  const [text = "0"] = given;
  const value = Number(text);
  if (given.length > 1 || !/^\d+$/.test(text) || value > 2 ** 32 - 1) {
    throw new Problem(400, "malformed", "`from` in the query has to be one whole number from 0 to 4294967295");
  }
  return value;
}

function made(operation: (typeof paths)[number][1][string]): Method {
  const answer = operations[operation.operationId];
  if (!answer) throw new Error(`nothing answers ${operation.operationId}`);
  return { fits: validator(operation), answer };
}
