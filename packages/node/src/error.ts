// What the component refuses, as an error that can be told from others.

/** A call that the component could not answer, as its contract foresees. */
export class CallsheetError extends Error {
  override readonly name = "CallsheetError";
  /** Which of the cases that the contract names. */
  readonly tag: string;
  /** What the contract says besides. */
  readonly value: unknown;

  constructor(tag: string, value: unknown) {
    super(words(tag, value));
    this.tag = tag;
    this.value = value;
  }
}

/** Does something with the component, and throws what it refuses as a `CallsheetError`. */
export function answered<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    const payload = (error as { payload?: { tag?: unknown; val?: unknown } }).payload;
    if (typeof payload?.tag === "string") throw new CallsheetError(payload.tag, payload.val);
    throw error;
  }
}

function words(tag: string, value: unknown): string {
  if (tag === "unknown-dialect") return `there is no such dialect${value === undefined ? "" : `; did you mean \`${String(value)}\`?`}`;
  if (value === undefined) return tag;
  return typeof value === "string" ? `${tag}: ${value}` : `${tag}: ${JSON.stringify(value)}`;
}
