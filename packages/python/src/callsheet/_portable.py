"""The command line of the component."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ._callsheet import Callsheet
from ._check import project_of
from ._component import COMMAND
from ._errors import Error, PathError
from ._sandbox import Process
from ._types import Function, Word


class Status(Word):
    """How a command ended."""

    CLEAN = "clean"
    PROBLEMS = "problems"
    FAILED = "failed"
    NATIVE_ONLY = "native-only"


RUN = Function("callsheet:command/main", "run", (), Status, None)
_EXIT = {Status.CLEAN: 0, Status.PROBLEMS: 1, Status.FAILED: 2, Status.NATIVE_ONLY: 2}
_FAILED = _EXIT[Status.FAILED]
_VALUED = ["agents", "agents-dir", "as", "focus", "format", "home", "plugin", "project", "target", "to"]


def run(words: Sequence[str]) -> int:
    """Runs a command and returns its exit status."""
    for word in words:
        text = os.fsencode(word).decode(errors="replace")
        if text != word:
            _say(f"error: the argument {text} is not UTF-8")
            return _FAILED
    try:
        return _run(words)
    except (Error, NotImplementedError) as error:
        _say(f"error: {error}")
        return _FAILED


def _run(words: Sequence[str]) -> int:
    options = _options(words)
    sheet = Callsheet(
        options.project,
        home=options.home,
        plugins=dict(text.split("=", 1) for text in options.plugin if "=" in text),
        directories=options.agents_dir,
        component=COMMAND,
    )
    values = list(_values(words))
    command = words[values[0]] if values else None
    paths = values[1:] if command == "check" else []
    if command == "convert":
        # It may be the name of an agent, and the component reports a missing file.
        with contextlib.suppress(PathError):
            sheet._provider.grant_named(words[values[-1]])
    named = _named(sheet, words, paths)
    has_own = bool(named.here) or not (named.elsewhere or named.failures)
    if options.format == "json" and len(named.elsewhere) + has_own > 1:
        _say("error: with `--format json`, all files must be in one project\nhelp: run `check` for each project")
        return _FAILED
    statuses = [_run_here(sheet, _only(words, paths, named.here))] if has_own else []
    for directory, same in named.elsewhere.items():
        statuses.append(_run(_only(words, paths, same, "--project", directory)))
    for failure in named.failures:
        _say(f"error: {failure}")
        statuses.append(_FAILED)
    return max(statuses)


def _run_here(sheet: Callsheet, words: Sequence[str]) -> int:
    """Runs a command line whose paths are all in its project."""
    # The last `--home` counts. Some systems do not know the home directory.
    home = [] if os.path.expanduser("~") == "~" else ["--home", "~"]
    process = Process(["callsheet", *home, *words])
    status = Status(sheet._run(RUN, process))
    if status is Status.NATIVE_ONLY:
        _say("help: there is no native program in this wheel; build it with cargo")
    # The reader of a closed pipe needs no more output.
    if process.failure is not None and not isinstance(process.failure, BrokenPipeError):
        _say(f"error: cannot print: {process.failure.strerror}")
        return _FAILED
    return _EXIT[status]


@dataclass
class _Named:
    """The paths to check, by their numbers."""

    here: dict[int, str] = field(default_factory=dict)
    """The names of those that one run can check: in the project, and directories."""
    elsewhere: dict[str, dict[int, str]] = field(default_factory=dict)
    """Files of other projects, by the directories of these."""
    failures: list[PathError] = field(default_factory=list)


def _named(sheet: Callsheet, words: Sequence[str], paths: Sequence[int]) -> _Named:
    named = _Named()
    for index in paths:
        path = words[index]
        try:
            name = sheet._provider.grant_named(path)
        except PathError as error:
            named.failures.append(error)
            continue
        # For the component, a directory is a project of its own.
        if name is None and not os.path.isdir(path):
            named.elsewhere.setdefault(project_of(path), {})[index] = path
        else:
            named.here[index] = name or path
    return named


def _only(words: Sequence[str], paths: Sequence[int], names: dict[int, str], *more: str) -> list[str]:
    """The words of a command line with only these paths, by other names, and with more options."""
    end = words.index("--") if "--" in words else len(words)

    def kept(numbers: range) -> list[str]:
        return [names.get(index, words[index]) for index in numbers if index in names or index not in paths]

    return [*kept(range(end)), *more, *kept(range(end, len(words)))]


def _options(words: Sequence[str]) -> argparse.Namespace:
    """The options that name directories, and the format; the component parses the others."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--project", default=".")
    parser.add_argument("--home", default="~")
    parser.add_argument("--plugin", action="append", default=[])
    parser.add_argument("--agents-dir", action="append", default=[])
    parser.add_argument("--format")
    try:
        return parser.parse_known_args(words)[0]
    except argparse.ArgumentError:
        # The component reports it.
        return parser.parse_known_args([])[0]


def _values(words: Sequence[str]) -> Iterator[int]:
    """The numbers of the words that are neither options nor their values."""
    is_value = False
    for index, word in enumerate(words):
        if word == "--" and not is_value:
            yield from range(index + 1, len(words))
            return
        if not is_value and not word.startswith("-"):
            yield index
        is_value = not is_value and word.startswith("--") and word[2:] in _VALUED


def _say(text: str) -> None:
    print(text, file=sys.stderr)
