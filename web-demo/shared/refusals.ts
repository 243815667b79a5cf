// What the errors of the contract say, in the words of the Python package.

/** A case of an error variant. */
export interface Refusal {
  tag: string;
  val?: unknown;
}

const TEXTS: Record<string, (val: never) => string> = {
  "unknown-dialect": (nearest?: string) => `unknown dialect${meant(nearest)}`,
  "unknown-agent": ({ name, nearest }: { name: string; nearest?: string }) => `no active agent \`${name}\`${meant(nearest)}`,
  // The report also contains fields that were kept.
  refused: (report: Array<{ fate?: string; reason: string }>) =>
    `cannot be converted: ${report.filter(({ fate = "refused" }) => fate === "refused").map(({ reason }) => reason).join("; ")}`,
  registered: (name: string) => `agent \`${name}\` is already registered`,
  "bad-inline": (reason: string) => `cannot read inline agents: ${reason}`,
  unusable: (reason: string) => `the definition does not load: ${reason}`,
  unreadable: (reason: string) => `cannot edit the file: ${reason}`,
  invalid: ({ problem, similar }: { problem: string; similar?: string }) => `${problem}${meant(similar)}`,
  "not-outstanding": (step: number) => `step ${step} is not outstanding`,
  "unfit-reply": (step: number) => `the reply to step ${step} is of the wrong kind`,
  "bad-snapshot": () => "not a snapshot of this version",
  finished: () => "the session has ended",
  "not-found": () => "not found",
  denied: (reason?: string) => `permission denied${reason === undefined ? "" : `: ${reason}`}`,
  "not-a-directory": () => "not a directory",
  "too-large": (size: bigint) => `file is too large: ${size} bytes`,
  "timed-out": () => "timed out",
};

/** The text of an error. The value of other cases is one. */
export function textOf({ tag, val }: Refusal): string {
  return TEXTS[tag]?.(val as never) ?? (typeof val === "string" ? val : tag);
}

function meant(nearest: string | undefined): string {
  return nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
}
