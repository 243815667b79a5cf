"""Findings in projects."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Optional, Union

from ._errors import PathError
from .contract import projects
from .contract.projects import Build, Report, ToolSet
from .contract.types import Diagnostic, Severity

PathLike = Union[str, "os.PathLike[str]"]
Target = Union[PathLike, Mapping[str, Union[str, bytes]]]


@dataclass
class Finding:
    """A diagnostic with the dialects that report it."""

    diagnostic: Diagnostic
    """The diagnostic."""

    dialects: list[str] = field(default_factory=list)
    """The dialects that report it; empty if it applies to all."""

    in_project: bool = True
    """Whether the file is in the project; files in the home directory are not."""

    @property
    def rule(self) -> str:
        """The name of the rule."""
        return self.diagnostic.rule

    @property
    def severity(self) -> Severity:
        """The severity."""
        return self.diagnostic.severity

    @property
    def message(self) -> str:
        """The problem, in one line."""
        return self.diagnostic.message

    @property
    def path(self) -> str:
        """The path of the file."""
        return self.diagnostic.primary.place.path

    @property
    def line(self) -> int:
        """The first line, counted from 1."""
        return self.diagnostic.primary.place.start.line

    def __str__(self) -> str:
        start = self.diagnostic.primary.place.start
        return f"{self.path}:{start.line}:{start.column}: {self.severity}: {self.message} [{self.rule}]"


def sources(
    directory: str,
    targets: Sequence[str],
    *,
    dialect: Optional[str] = None,
    sets: Mapping[str, Sequence[str]] = {},
    allow_loss: bool = False,
) -> Build:
    """The agents in a folder of the project that extend and include others, and the dialects to compile them to.

    `dialect` is theirs, by default that of the owner of the folder; `sets` has tools by the name of a set.
    """
    named = [ToolSet(name=name, tools=list(tools)) for name, tools in sets.items()]
    return Build(
        project=None,
        directory=directory,
        dialect=dialect,
        targets=list(targets),
        sets=named,
        allow_loss=allow_loss,
    )


def findings_of(report: Report) -> list[Finding]:
    """The findings of a report."""
    return [Finding(it.diagnostic, it.dialects, it.in_project) for it in report.findings]


def project_of(path: str) -> str:
    """The directory of a path's own project.

    That is the parent of its hidden folder, such as `.claude`, otherwise the directory itself or the file's.
    """
    path = os.path.normpath(path)
    above = path
    while os.path.dirname(above) != above:
        above, name = os.path.split(above)
        if name.startswith(".") and name != "..":
            return above or "."
    return path if os.path.isdir(path) else os.path.dirname(path) or "."


def joined(reports: Sequence[Report]) -> Report:
    """Reports on several projects as one, sorted by place."""
    if len(reports) == 1:
        return reports[0]

    def place(finding: projects.Finding) -> tuple[bytes, int]:
        place = finding.diagnostic.primary.place
        return place.path.encode(), place.span.start

    return Report(
        files=sorted((file for it in reports for file in it.files), key=lambda file: file.path.encode()),
        others=sorted((path for it in reports for path in it.others), key=str.encode),
        findings=sorted((finding for it in reports for finding in it.findings), key=place),
        suppressed=sorted((finding for it in reports for finding in it.suppressed), key=place),
        counts=projects.Counts(
            errors=sum(it.counts.errors for it in reports),
            warnings=sum(it.counts.warnings for it in reports),
            notes=sum(it.counts.notes for it in reports),
        ),
        unowned=[path for it in reports for path in it.unowned],
    )


def check_target(target: Target = ".", *, home: Optional[PathLike] = "~") -> list[Finding]:
    """Checks a project directory, a single file, or files in memory. Returns findings sorted by position.

    Each file is judged by its owner: the tool whose folder contains it. Fails with `PathError` if the path does not exist.
    """
    from ._callsheet import Callsheet

    if isinstance(target, Mapping):
        return Callsheet(home=home, files=target).check()
    if os.path.isdir(target):
        return Callsheet(target, home=home).check()
    directory = os.path.dirname(os.fspath(target)) or "."
    if not os.path.isdir(directory):
        raise PathError(os.fspath(target), "not found")
    return Callsheet(directory, home=home).check(target)
