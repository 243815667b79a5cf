// The typed errors of the contract, as problems.
import { Problem } from "./problem";

/** A case of an error variant of the contract. */
export interface Refusal {
  tag: string;
  val?: unknown;
}

type Told = (val: never) => Problem;

const TOLD: Record<string, Told> = {
  "unknown-dialect": (nearest?: string) =>
    new Problem(422, "unknown-dialect", `there is no such dialect${meant(nearest)}: \`GET /v1/dialects\` lists them`),
  "unknown-agent": ({ name, nearest }: { name: string; nearest?: string }) =>
    new Problem(422, "unknown-agent", `no agent \`${name}\` is in force${meant(nearest)}: \`POST /v1/resolve\` says which are`),
  unusable: (reason: string) => new Problem(422, "unusable", `its own dialect does not load the file: ${reason}`),
  "not-outstanding": (step: number) =>
    new Problem(409, "not-outstanding", `no step ${step} waits for an answer: the session's \`steps\` are those that do`),
  "unfit-reply": (step: number) => new Problem(409, "unfit-reply", `step ${step} wants an answer of the other kind`),
  finished: () => new Problem(409, "finished", "the session has ended: its `outcome` says how"),
  "bad-snapshot": () => new Problem(409, "outdated", "the session was kept by another version of Callsheet: open it anew"),
};

export function refused({ tag, val }: Refusal): Problem {
  return TOLD[tag]?.(val as never) ?? new Problem(422, tag, typeof val === "string" ? val : "the component gives no reason");
}

function meant(nearest: string | undefined): string {
  return nearest === undefined ? "" : `; \`${nearest}\` may be meant`;
}
