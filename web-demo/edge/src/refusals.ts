// Maps errors of the contract to problems.
import { Problem } from "./problem";

/** A case of an error variant of the contract. */
export interface Refusal {
  tag: string;
  val?: unknown;
}

type Told = (val: never) => Problem;

const TOLD: Record<string, Told> = {
  "unknown-dialect": (nearest?: string) =>
    new Problem(422, "unknown-dialect", `unknown dialect${meant(nearest)}; see \`GET /v1/dialects\``),
  "unknown-agent": ({ name, nearest }: { name: string; nearest?: string }) =>
    new Problem(422, "unknown-agent", `no active agent \`${name}\`${meant(nearest)}; see \`POST /v1/resolve\``),
  unusable: (reason: string) => new Problem(422, "unusable", `the source dialect does not load this file: ${reason}`),
  "not-outstanding": (step: number) =>
    new Problem(409, "not-outstanding", `step ${step} is not outstanding; see \`steps\` of the session`),
  "unfit-reply": (step: number) => new Problem(409, "unfit-reply", `the reply to step ${step} is of the wrong kind`),
  finished: () => new Problem(409, "finished", "the session has ended; see its `outcome`"),
  "bad-snapshot": () => new Problem(409, "outdated", "the session was saved by another version of Callsheet; open a new one"),
};

export function refused({ tag, val }: Refusal): Problem {
  return TOLD[tag]?.(val as never) ?? new Problem(422, tag, typeof val === "string" ? val : "unknown error");
}

function meant(nearest: string | undefined): string {
  return nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
}
