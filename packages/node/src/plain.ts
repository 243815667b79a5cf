// 64-bit integers of the contract as numbers, which JSON has. They are exact up to 2^53: 104 days in nanoseconds.

/** The same type with numbers in place of bigints. */
export type Plain<T> = T extends bigint
  ? number
  : T extends Uint8Array
    ? T
    : T extends object
      ? { [Key in keyof T]: Plain<T[Key]> }
      : T;

/** The same type that takes numbers, too. */
export type Loose<T> = T extends bigint ? number | bigint : T extends Uint8Array ? T : T extends object ? { [Key in keyof T]: Loose<T[Key]> } : T;

/** The same value with numbers in place of bigints. */
export function plain<T>(value: T): Plain<T> {
  const copy = (value: unknown): unknown => {
    if (typeof value === "bigint") return Number(value);
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
    return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, copy(below)]));
  };
  return copy(value) as Plain<T>;
}
