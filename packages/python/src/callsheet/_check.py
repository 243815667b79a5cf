"""What is wrong with many files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Union

from .contract.types import Diagnostic, Severity

if TYPE_CHECKING:
    from ._callsheet import Callsheet

PathLike = Union[str, "os.PathLike[str]"]
Target = Union[PathLike, Mapping[str, Union[str, bytes]]]


@dataclass
class Finding:
    """A diagnostic, and who reports it."""

    diagnostic: Diagnostic
    """What is wrong."""

    dialects: list[str] = field(default_factory=list)
    """The dialects that say so; none if it holds for any."""

    @property
    def rule(self) -> str:
        """The name of the rule."""
        return self.diagnostic.rule

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return self.diagnostic.severity

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return self.diagnostic.message

    @property
    def path(self) -> str:
        """The file."""
        return self.diagnostic.primary.place.path

    @property
    def line(self) -> int:
        """The line where it begins, from 1."""
        return self.diagnostic.primary.place.start.line

    def __str__(self) -> str:
        start = self.diagnostic.primary.place.start
        return f"{self.path}:{start.line}:{start.column}: {self.severity}: {self.message} [{self.rule}]"


def check(callsheet: Callsheet, paths: list[str]) -> list[Finding]:
    """What is wrong with the files at or below these paths, or with all that is in use."""
    findings = _named(callsheet, paths) if paths else _in_use(callsheet)
    joined: dict[Any, Finding] = {}
    for finding in sorted(findings, key=_order):
        # Several dialects may say the same.
        first = joined.setdefault(_order(finding), finding)
        first.dialects += [] if first is finding else finding.dialects
    return list(joined.values())


def _in_use(callsheet: Callsheet) -> list[Finding]:
    findings: list[Finding] = []
    for dialect in callsheet.dialects_in_use():
        with callsheet.catalog(dialect) as catalog:
            findings += [Finding(diagnostic, [dialect]) for diagnostic in catalog.diagnostics()]
    return findings


def _named(callsheet: Callsheet, paths: list[str]) -> list[Finding]:
    findings, files = [], {}
    for path in paths:
        found, diagnostics = callsheet.discover(path)
        findings += [Finding(diagnostic) for diagnostic in diagnostics]
        files.update({it.path: it for it in found})
    for path, it in files.items():
        parsed = callsheet.parse(path, callsheet.read(path), it.dialect, it.level)
        findings += [Finding(diagnostic, [parsed.dialect]) for diagnostic in parsed.diagnostics]
    return findings


_SEVERITIES = list(Severity)


def _order(finding: Finding) -> tuple[Any, ...]:
    place = finding.diagnostic.primary.place
    severity = _SEVERITIES.index(finding.severity)
    return (place.path.encode(), place.span.start, place.span.end, severity, finding.rule, finding.message)


def check_target(target: Target = ".", *, home: Optional[PathLike] = "~") -> list[Finding]:
    """What is wrong with the agents of a project directory, with one file, or with files in memory, sorted by place.

    Where agents lie in the directories of known tools, these are looked at as the tools do, with what is wrong between them.
    Else each file that may hold an agent is looked at on its own.
    Fails with `PathError` if there is nothing of this name.
    """
    from ._callsheet import Callsheet

    if isinstance(target, Mapping):
        callsheet, inside = Callsheet(home=home, files=target), "."
    elif os.path.isdir(target):
        callsheet, inside = Callsheet(target, home=home), os.fspath(target)
    else:
        return Callsheet(home=home).check(target)
    return callsheet.check() if callsheet.dialects_in_use() else callsheet.check(inside)
