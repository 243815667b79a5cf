// `POST /v1/convert`: the document of `callsheet convert`.
import type { Carried, Converted } from "../../../shared/contract";
import { decode } from "../../../shared/places";
import type { Refusal } from "../../../shared/refusals";
import type { Scope } from "../pool";
import { bytesOf } from "../project";
import type { Convert } from "../requests";

export function convert({ root }: Scope, { path, contents, dialect, to, allow_loss = false }: Convert): unknown {
  const result = attempt(() => root.documents.convert(path, bytesOf(contents), dialect, to, allow_loss));
  const done = "contents" in result ? result : undefined;
  return {
    version: 1,
    command: "convert",
    path,
    dialect: done?.dialect ?? null,
    to,
    file: done?.file ?? null,
    directory: done?.directory ?? null,
    contents: done ? decode(done.contents) : null,
    written: null,
    report: result.report.map(({ field, fate, before, after, reason }) => ({ field, fate, before, after, reason })),
  };
}

/** A refused conversion is also a result. */
function attempt(convert: () => Converted): Converted | { report: Carried[] } {
  try {
    return convert();
  } catch (thrown) {
    const payload = (thrown as { payload?: Refusal }).payload;
    if (payload?.tag === "refused") return { report: payload.val as Carried[] };
    throw thrown;
  }
}
