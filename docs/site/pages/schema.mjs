// Defaults of the schema of dialects, from its source.
import { readFileSync } from "node:fs";
import { ROOT } from "./paths.mjs";

/** What a mistake means if the data of a dialect does not say it. */
export function defaultVerdict(file, field) {
  const source = readFileSync(new URL(`core/schema/src/${file}.rs`, ROOT), "utf8");
  const [, verdict] = new RegExp(`default = "(\\w+)"\\)\\]\\n +pub ${field}: Verdict,`).exec(source) ?? [];
  if (!verdict) throw new Error(`core/schema/src/${file}.rs has no default for ${field}: update docs/site/pages`);
  return verdict;
}
