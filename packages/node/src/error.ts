// Errors that the component returns.
import { getSystemErrorMap } from "node:util";
import { textOf } from "./shared/refusals.js";

/** An error of the contract. */
export class CallsheetError extends Error {
  override readonly name = "CallsheetError";
  /** The case of the contract. */
  readonly tag: string;
  /** The value of the case. */
  readonly value: unknown;

  constructor(tag: string, value: unknown) {
    // Only a path from the caller has a value here.
    super(tag === "not-found" && value !== undefined ? `cannot read ${String(value)}: no such file or directory` : textOf({ tag, val: value }));
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
