// The order of names in a directory.

/** Compares by code points, which is the order of UTF-8 bytes but not of UTF-16 units. */
export function compareBytes(one: string, other: string): number {
  const [left, right] = [[...one], [...other]];
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
