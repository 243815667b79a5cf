// The component counts bytes, JavaScript counts UTF-16 units.
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const encoder = new TextEncoder();

/** The text of a file. Bytes that are not UTF-8 become U+FFFD, a byte order mark stays. */
export function decode(contents: Uint8Array): string {
  return decoder.decode(contents);
}

/** The bytes of a text. */
export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Where in the text a byte of the file stands. */
export function unitOf(contents: Uint8Array, byte: number): number {
  return decoder.decode(contents.subarray(0, byte)).length;
}

/** Which byte of the file a place in the text is. */
export function byteOf(text: string, unit: number): number {
  return encoder.encode(text.slice(0, unit)).length;
}
