// Errors of requests as problems (RFC 9457).

const TITLES: Record<number, string> = {
  400: "Bad Request",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  500: "Internal Server Error",
};

/** A position in the body of a request, and the error there. */
export interface Misfit {
  pointer: string;
  detail: string;
}

/** Thrown if a request cannot be answered. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    /** Identifies the kind of problem. */
    readonly code: string,
    detail: string,
    readonly more: { errors?: Misfit[]; headers?: Record<string, string> } = {},
  ) {
    super(detail);
  }

  response(): Response {
    const { errors, headers } = this.more;
    const title = TITLES[this.status];
    const body = { type: "about:blank", title, status: this.status, detail: this.message, code: this.code, ...(errors && { errors }) };
    return json(body, { status: this.status, headers: { ...headers, "content-type": "application/problem+json" } });
  }
}

/** A JSON body with control characters escaped, as in the command line. */
export function json(body: unknown, init: { status?: number; headers?: Record<string, string> } = {}): Response {
  const text = JSON.stringify(body).replace(HARMFUL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return new Response(`${text}\n`, { ...init, headers: { "content-type": "application/json", ...SAFE, ...init.headers } });
}

const HARMFUL = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const SAFE = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
