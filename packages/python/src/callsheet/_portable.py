"""The command line of the component."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Optional

from ._callsheet import Callsheet
from ._component import COMMAND
from ._disk import by_project
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
# Options with a value.
_VALUED = ["agents", "agents-dir", "as", "focus", "format", "home", "plugin", "project", "target", "to"]
_FLAGS = [
    "--all",
    "--allow-loss",
    "--cycles",
    "--fail-closed",
    "--missing",
    "--no-home",
    "--no-ignore",
    "--orphans",
    "--quiet",
]


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
    line = _parsed(words)
    sheet = Callsheet(
        line.last("project", "."),
        home=line.last("home", "~"),
        plugins=dict(text.split("=", 1) for text in line.options.get("plugin", []) if "=" in text),
        directories=line.options.get("agents-dir", []),
        component=COMMAND,
    )
    command = words[line.values[0]] if line.values else None
    paths = line.values[1:] if command == "check" else []
    if command == "convert" or not line.is_known:
        # These may be names of agents, and the component reports missing files.
        for index in line.values[1:]:
            with contextlib.suppress(PathError):
                sheet._provider.grant_named(words[index])
    if not line.is_known:
        return _run_here(sheet, words)
    named = _named(sheet, words, paths)
    has_own = bool(named.here) or not (named.elsewhere or named.failures)
    if line.last("format", "") == "json" and len(named.elsewhere) + has_own > 1:
        _say("error: with `--format json`, all files must be in one project\nhelp: run `check` for each project")
        return _FAILED
    statuses = [_run_here(sheet, _only(line, paths, named.here))] if has_own else []
    for directory, same in named.elsewhere.items():
        statuses.append(_run(_only(line, paths, same, directory)))
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
    found: list[str] = []
    elsewhere: dict[str, list[int]] = {}
    # For the component, a directory is a project of its own.
    directories: dict[str, str] = {}
    for index in paths:
        path = words[index]
        try:
            it = sheet._provider.grant_named(path)
        except PathError as error:
            named.failures.append(error)
            continue
        if it.name is not None:
            named.here[index] = it.name
            found.append(it.path)
        elif os.path.isdir(path):
            named.here[index] = directories.setdefault(os.path.realpath(path), path)
        else:
            elsewhere.setdefault(path, []).append(index)
    for directory, same in by_project(list(elsewhere), found).items():
        named.elsewhere[directory] = {index: path for path in same for index in elsewhere[path]}
    return named


@dataclass
class _Line:
    """A command line, as far as files depend on it."""

    words: Sequence[str]
    values: list[int] = field(default_factory=list)
    """The numbers of the words that are neither options nor their values."""
    options: dict[str, list[str]] = field(default_factory=dict)
    """The values of options."""
    project: set[int] = field(default_factory=set)
    """The numbers of the words of `--project`."""
    is_known: bool = True
    """Whether there are only options that go with paths. Of others, such as `--help`, only the component knows the effect."""

    def last(self, option: str, default: str) -> str:
        return self.options.get(option, [default])[-1]


def _parsed(words: Sequence[str]) -> _Line:
    """The component reports errors."""
    line = _Line(words)
    numbers = iter(range(len(words)))
    for index in numbers:
        word = words[index]
        name, is_whole, value = word[2:].partition("=")
        if word == "--":
            line.values += numbers
        elif not word.startswith("-") or word == "-":
            line.values.append(index)
        elif word.startswith("--") and name in _VALUED:
            last = index if is_whole else next(numbers, None)
            if last is not None:
                line.options.setdefault(name, []).append(value if is_whole else words[last])
                line.project |= {index, last} if name == "project" else set()
        elif word not in _FLAGS and word.rstrip("q") != "-":
            line.is_known = False
    return line


def _only(line: _Line, paths: Sequence[int], names: dict[int, str], project: Optional[str] = None) -> list[str]:
    """The words of a command line with only these paths, by other names, and optionally in another project."""
    dropped = {*paths} if project is None else {*paths, *line.project}
    kept = [names.get(index, word) for index, word in enumerate(line.words) if index in names or index not in dropped]
    # As the first word, it cannot be the value of an option, nor follow `--`.
    return kept if project is None else [f"--project={project}", *kept]


def _say(text: str) -> None:
    print(text, file=sys.stderr)
