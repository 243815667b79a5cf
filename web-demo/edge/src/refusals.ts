// Maps errors of the contract to problems.
import { type Refusal, textOf } from "../../shared/refusals";
import { Problem } from "./problem";

/** How requests get an error. What is not stated is as in most: status 422, the tag as the code, and the usual text. */
interface Told {
  status?: number;
  code?: string;
  text?: (val: never) => string;
  /** Where to read more. */
  see?: string;
}

const TOLD: Record<string, Told> = {
  "unknown-dialect": { see: "see `GET /v1/dialects`" },
  "unknown-agent": { see: "see `POST /v1/resolve`" },
  unusable: { text: (reason: string) => `the source dialect does not load this file: ${reason}` },
  "not-outstanding": { status: 409, see: "see `steps` of the session" },
  "unfit-reply": { status: 409 },
  finished: { status: 409, see: "see its `outcome`" },
  "bad-snapshot": { status: 409, code: "outdated", text: () => "the session was saved by another version of Callsheet", see: "open a new one" },
};

export function refused(refusal: Refusal): Problem {
  const { tag, val } = refusal;
  const { status = 422, code = tag, text, see } = TOLD[tag] ?? {};
  const said = text?.(val as never) ?? textOf(refusal);
  return new Problem(status, code, see === undefined ? said : `${said}; ${see}`);
}
