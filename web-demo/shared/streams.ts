// What the command line, as a component, needs of WASI: its arguments, and two streams. It has no directories, since its files come from
// elsewhere.

/** Text that is written in parts, which may end within a character. */
export class Written {
  /** A byte order mark is part of what was written. */
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #text = "";

  add(contents: Uint8Array): void {
    this.#text += this.#decoder.decode(contents, { stream: true });
  }

  /** The whole text, after the last part. */
  end(): string {
    return this.#text + this.#decoder.decode();
  }
}

/** The imports. `words` are the arguments of the next run, with the program's name. */
export function wasi(words: () => string[], output: (contents: Uint8Array) => void, errors: (contents: Uint8Array) => void) {
  class Resource {}
  class OutputStream {
    constructor(readonly blockingWriteAndFlush: (contents: Uint8Array) => void) {}
  }
  return {
    "wasi:cli/environment": { getArguments: words },
    "wasi:cli/stdout": { getStdout: () => new OutputStream(output) },
    "wasi:cli/stderr": { getStderr: () => new OutputStream(errors) },
    "wasi:io/streams": { OutputStream },
    "wasi:io/error": { Error: Resource },
    "wasi:io/poll": { Pollable: Resource },
    "wasi:filesystem/preopens": { getDirectories: () => [] },
    "wasi:filesystem/types": { Descriptor: Resource },
  };
}
