"""The command `callsheet`: the native program if the wheel contains it, otherwise the component."""

from __future__ import annotations

import os
import sys

NATIVE = os.path.join(os.path.dirname(__file__), "bin", "callsheet")


def main() -> None:
    """Runs the command line of this process, and ends the process."""
    words = sys.argv[1:]
    if os.path.isdir(os.path.dirname(NATIVE)):
        try:
            os.execv(NATIVE, ["callsheet", *words])
        except OSError as error:
            note = f"note: {NATIVE} cannot be run ({error.strerror}); using the WebAssembly component"
            print(note, file=sys.stderr)
    # Loading wasmtime takes longer than starting the native program.
    from ._portable import run

    sys.exit(run(words))
