"""What is wrong with many files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Optional, Union

from ._errors import PathError
from .contract.projects import Report
from .contract.types import Diagnostic, Severity

PathLike = Union[str, "os.PathLike[str]"]
Target = Union[PathLike, Mapping[str, Union[str, bytes]]]


@dataclass
class Finding:
    """A diagnostic, and who reports it."""

    diagnostic: Diagnostic
    """What is wrong."""

    dialects: list[str] = field(default_factory=list)
    """The dialects that report it; none if it holds for any."""

    in_project: bool = True
    """Whether the file belongs to the project: the home directory does not."""

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


def findings_of(report: Report) -> list[Finding]:
    """The findings of a report."""
    return [Finding(it.diagnostic, it.dialects, it.in_project) for it in report.findings]


def check_target(target: Target = ".", *, home: Optional[PathLike] = "~") -> list[Finding]:
    """Checks a project directory, one of its files, or files in memory. The findings are sorted by place.

    Each file is judged by its owner: the tool whose directory it is in. Fails with `PathError` if there is nothing of this name.
    """
    from ._callsheet import Callsheet

    if isinstance(target, Mapping):
        return Callsheet(home=home, files=target).check()
    if os.path.isdir(target):
        return Callsheet(target, home=home).check()
    directory = os.path.dirname(os.fspath(target)) or "."
    if not os.path.isdir(directory):
        raise PathError(os.fspath(target), "there is nothing of this name")
    return Callsheet(directory, home=home).check(target)
