"""The command line of the component."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from ._callsheet import Callsheet
from ._component import COMMAND
from ._errors import Error
from ._types import Function, Word


class Status(Word):
    """How a command ended."""

    CLEAN = "clean"
    PROBLEMS = "problems"
    FAILED = "failed"
    NATIVE_ONLY = "native-only"


RUN = Function("callsheet:command/main", "run", (), Status, None)
_EXIT = {Status.CLEAN: 0, Status.PROBLEMS: 1, Status.FAILED: 2, Status.NATIVE_ONLY: 2}


def run(words: Sequence[str]) -> int:
    """Runs a command and returns its exit status."""
    try:
        status = _run(words)
    except (Error, NotImplementedError) as error:
        _say(f"error: {error}")
        status = Status.FAILED
    if status is Status.NATIVE_ONLY:
        _say("help: there is no native program in this wheel; build it with cargo")
    return _EXIT[status]


def _run(words: Sequence[str]) -> Status:
    places = _places()
    try:
        options, rest = places.parse_known_args(words)
    except argparse.ArgumentError:
        # The component reports it.
        options, rest = places.parse_known_args([])
    sheet = Callsheet(
        options.project,
        home=options.home,
        plugins=dict(text.split("=", 1) for text in options.plugin if "=" in text),
        directories=options.agents_dir,
        component=COMMAND,
    )
    # Some of these words are not paths; then there is nothing to see.
    named = [word for word in rest if not word.startswith("-") and os.path.exists(word)]
    # The last `--home` counts. Some systems do not know the home directory.
    home = [] if os.path.expanduser("~") == "~" else ["--home", "~"]
    return Status(sheet._run(RUN, ["callsheet", *home, *words], named))


def _places() -> argparse.ArgumentParser:
    """The options that name directories; the component parses the others."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--project", default=".")
    parser.add_argument("--home", default="~")
    parser.add_argument("--plugin", action="append", default=[])
    parser.add_argument("--agents-dir", action="append", default=[])
    return parser


def _say(text: str) -> None:
    print(text, file=sys.stderr)
