// What the command line, as a component, needs of WASI: its arguments, and two streams. It has no directories, since its files come from
// elsewhere.

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
