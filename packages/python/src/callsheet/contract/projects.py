"""A whole project: the tools in use, the findings in its agents, skills and commands, and their fixes.

Every file has one owner, by its place and form: the dialect whose directory it is in, the plugin whose manifest declares it,
or the only dialect with such file names. The owner's rules decide what is an error. Markdown without an owner is not checked.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from .._contract import U32, Function, Interface
from .catalogs import CatalogError, Location, Plugin
from .documents import Applied
from .types import Diagnostic, Kind, Level


@dataclass
class Project:
    """A project and its other sources of agents. Paths are the host's own names."""

    _order: ClassVar[tuple[str, ...]] = (
        "directory",
        "ancestors",
        "home",
        "plugins",
        "directories",
        "inline",
        "fail_closed",
    )

    directory: str
    """The project directory, or a directory in it."""

    ancestors: list[str]
    """The directories above it in the same repository, the nearest first."""

    plugins: list[Plugin]
    """Installed plugins, in order."""

    directories: list[str]
    """Directories of agents given on the command line, in order."""

    fail_closed: bool
    """Whether a broken file that would have won leaves its name without an agent."""

    home: Optional[str] = None
    """The home directory."""

    inline: Optional[str] = None
    """A JSON object of agents given on the command line: name to definition."""


@dataclass
class Request:
    """What to check, and by which dialects."""

    _order: ClassVar[tuple[str, ...]] = (
        "dialect",
        "targets",
        "paths",
    )

    targets: list[str]
    """Further dialects that the files must work in: their findings count, too."""

    paths: list[str]
    """Files and directories to report on. If empty, the whole project: the nearest directory from `directory` upwards in which a
    dialect looks for agents, else the outermost of the `ancestors`.
    """

    dialect: Optional[str] = None
    """The dialect for all files; none for the owner of each file."""


@dataclass
class Places:
    """The places that calls for a project read."""

    locations: list[Location]
    """The places of its dialects."""

    referred: list[str]
    """Files and directories that agents refer to."""


@dataclass
class Checked:
    """A file that was checked."""

    path: str
    """The file."""

    kind: Kind
    """What it defines."""

    dialects: list[str]
    """The dialects that checked it."""

    level: Level
    """The kind of source."""

    in_project: bool
    """Whether it belongs to the project, not to the home directory or an administrator."""


@dataclass
class Finding:
    """A diagnostic, and the dialects that report it."""

    diagnostic: Diagnostic
    """The finding."""

    dialects: list[str]
    """The dialects that report it; none if it does not depend on one."""

    in_project: bool
    """Whether the file belongs to the project. Other findings do not count."""


@dataclass
class Counts:
    """The number of findings of the project, without suppressed ones."""

    errors: U32
    """Errors."""

    warnings: U32
    """Warnings."""

    notes: U32
    """Notes."""


@dataclass
class Report:
    """The result of a check. Its texts do not repeat secrets that were found."""

    files: list[Checked]
    """The checked files, sorted by path."""

    findings: list[Finding]
    """Findings, sorted by place. Identical findings of several dialects are merged."""

    suppressed: list[Finding]
    """Findings that comments in the files suppress, in the same order."""

    counts: Counts
    """The number of findings."""

    unowned: list[str]
    """Markdown files among the `paths` that no dialect owns. They were not checked."""


@dataclass
class Exception:
    """A rule that is suppressed in one file."""

    path: str
    """The file."""

    rule: str
    """The rule."""


@dataclass
class Fixed:
    """A file and its fixes."""

    path: str
    """The file."""

    before: bytes
    """Its current contents."""

    after: bytes
    """Its fixed contents."""

    applied: list[Applied]
    """The applied fixes, in order."""


class Projects(Interface):
    """A whole project: the tools in use, the findings in its agents, skills and commands, and their fixes.

    Every file has one owner, by its place and form: the dialect whose directory it is in, the plugin whose manifest declares it,
    or the only dialect with such file names. The owner's rules decide what is an error. Markdown without an owner is not checked.
    """

    def places_of(self, project: Project) -> Places:
        """Every place that the other functions read, besides the project directory and its ancestors. Accesses no file."""
        answer: Places = self._call(_PLACES_OF, project)
        return answer

    def in_use(self, project: Project, kind: Kind) -> list[str]:
        """The dialects with agents in the project, a directory above it or the home directory, sorted by name. A directory with a common
        name, such as `agents`, counts if one of its files has a key that no other dialect has.
        """
        answer: list[str] = self._call(_IN_USE, project, kind)
        return answer

    def check(self, project: Project, request: Request) -> Report:
        """Checks the project, or some of its files.

        Fails with `unknown-dialect` if a dialect is unknown and with `bad-inline` if the inline agents cannot be read.
        """
        answer: Report = self._call(_CHECK, project, request)
        return answer

    def fix(self, project: Project, request: Request, *, unsafe_too: bool = False, exceptions: list[Exception]) -> list[Fixed]:
        """The fixed files of the project; with `unsafe-too` also with fixes that may change intent. Unchanged files, and those outside of the
        project, are left out. Nothing is written.

        Fails like `check`.
        """
        answer: list[Fixed] = self._call(_FIX, project, request, unsafe_too, exceptions)
        return answer


_PLACES_OF = Function(
    "callsheet:agents/projects@0.1.0", "places-of", (Project,), Places, None
)

_IN_USE = Function(
    "callsheet:agents/projects@0.1.0", "in-use", (Project, Kind), list[str], None
)

_CHECK = Function(
    "callsheet:agents/projects@0.1.0", "check", (Project, Request), Report, CatalogError
)

_FIX = Function(
    "callsheet:agents/projects@0.1.0", "fix", (Project, Request, bool, list[Exception]), list[Fixed], CatalogError
)
