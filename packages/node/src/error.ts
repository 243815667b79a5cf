// Errors that the component returns.
import { getSystemErrorMap } from "node:util";

/** An error of the contract. */
export class CallsheetError extends Error {
  override readonly name = "CallsheetError";
  /** The case of the contract. */
  readonly tag: string;
  /** The value of the case. */
  readonly value: unknown;

  constructor(tag: string, value: unknown) {
    super(words(tag, value));
    this.tag = tag;
    this.value = value;
  }
}

/** Calls the component and throws its errors as `CallsheetError`. */
export function answered<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    const payload = (error as { payload?: { tag?: unknown; val?: unknown } }).payload;
    if (typeof payload?.tag === "string") throw new CallsheetError(payload.tag, payload.val);
    throw error;
  }
}

/** The system's description of an error. */
export function reasonOf(error: Error & { errno?: number | undefined }): string {
  return getSystemErrorMap().get(error.errno ?? 0)?.[1] ?? error.message;
}

function words(tag: string, value: unknown): string {
  if (tag === "unknown-dialect") return `unknown dialect${value === undefined ? "" : `; did you mean \`${String(value)}\`?`}`;
  if (tag === "not-found") return `cannot read ${String(value)}: no such file or directory`;
  if (tag === "other") return String(value);
  if (value === undefined) return tag;
  return typeof value === "string" ? `${tag}: ${value}` : `${tag}: ${JSON.stringify(value)}`;
}
