// Converts byte offsets of the component to UTF-16 offsets of JavaScript.
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const encoder = new TextEncoder();

/** The text of a file. Invalid UTF-8 becomes U+FFFD; a byte order mark stays. */
export function decode(contents: Uint8Array): string {
  return decoder.decode(contents);
}

/** The bytes of a text. */
export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The UTF-16 offset of a byte. */
export function unitOf(contents: Uint8Array, byte: number): number {
  return decoder.decode(contents.subarray(0, byte)).length;
}

/** The byte of a UTF-16 offset. */
export function byteOf(text: string, unit: number): number {
  return encoder.encode(text.slice(0, unit)).length;
}
