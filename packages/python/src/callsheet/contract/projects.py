"""A whole project: which tools are used in it, what is wrong with its files, and what fixes make of them.

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
from .types import Diagnostic, Level


@dataclass
class Project:
    """A project, and where agents are looked for besides. Paths are the host's own names."""

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
    """The directories above it that belong to the same repository, the nearest first."""

    plugins: list[Plugin]
    """Installed plugins, in order."""

    directories: list[str]
    """Directories of agents given on the command line, in order."""

    fail_closed: bool
    """Whether a broken file that would have won leaves its name without a winner."""

    home: Optional[str] = None
    """The home directory."""

    inline: Optional[str] = None
    """A JSON object of agents given on the command line: name to definition."""


@dataclass
class Request:
    """What to check, and by whose rules."""

    _order: ClassVar[tuple[str, ...]] = (
        "dialect",
        "targets",
        "paths",
    )

    targets: list[str]
    """Dialects that the files have to work in besides: their findings count, too."""

    paths: list[str]
    """Files and directories to report on. If empty, the whole project: the nearest directory from `directory` upwards in which a
    dialect looks for agents, else the outermost of the `ancestors`.
    """

    dialect: Optional[str] = None
    """The dialect that reads everything; if none, each file is judged by its owner."""


@dataclass
class Places:
    """What a project's calls may look at."""

    locations: list[Location]
    """Where its dialects look."""

    referred: list[str]
    """Files and directories that agents refer to."""


@dataclass
class Checked:
    """A file that was checked."""

    path: str
    """The file."""

    dialects: list[str]
    """The dialects that judged it."""

    level: Level
    """The kind of source."""

    in_project: bool
    """Whether it belongs to the project. The home directory and directories that an administrator manages do not."""


@dataclass
class Finding:
    """A diagnostic, and who reports it."""

    diagnostic: Diagnostic
    """What is wrong."""

    dialects: list[str]
    """The dialects that report it; none if it holds for any."""

    in_project: bool
    """Whether the file belongs to the project. Only then it counts."""


@dataclass
class Counts:
    """How many findings of the project there are, without those that are suppressed."""

    errors: U32
    """Errors."""

    warnings: U32
    """Warnings."""

    notes: U32
    """Notes."""


@dataclass
class Report:
    """What was found. No text in it repeats a secret that was found."""

    files: list[Checked]
    """The files that were checked, sorted by path."""

    findings: list[Finding]
    """What is wrong, sorted by place. What several dialects report in the same words is one finding."""

    suppressed: list[Finding]
    """What comments in the files suppress, sorted likewise."""

    counts: Counts
    """How many findings there are."""

    unowned: list[str]
    """Markdown files among the `paths` that no dialect owns. They were not checked."""


@dataclass
class Exception:
    """A rule whose findings in one file are left alone."""

    path: str
    """The file."""

    rule: str
    """The rule."""


@dataclass
class Fixed:
    """A file, and what its fixes make of it."""

    path: str
    """The file."""

    before: bytes
    """Its contents as they are."""

    after: bytes
    """What the fixes make of them."""

    applied: list[Applied]
    """The fixes, in the order in which they were applied."""


class Projects(Interface):
    """A whole project: which tools are used in it, what is wrong with its files, and what fixes make of them.

    Every file has one owner, by its place and form: the dialect whose directory it is in, the plugin whose manifest declares it,
    or the only dialect with such file names. The owner's rules decide what is an error. Markdown without an owner is not checked.
    """

    def places_of(self, project: Project) -> Places:
        """Every place that the other functions may look at, besides the project directory and its ancestors. Touches no file."""
        answer: Places = self._call(_PLACES_OF, project)
        return answer

    def in_use(self, project: Project) -> list[str]:
        """The dialects of which the project, a directory above it or the home directory has agents, sorted by name. A directory with a
        common name, such as `agents`, counts if one of its files has a key that no other dialect has.
        """
        answer: list[str] = self._call(_IN_USE, project)
        return answer

    def check(self, project: Project, request: Request) -> Report:
        """Checks the project, or some of its files.

        Fails with `unknown-dialect` if a dialect is unknown and with `bad-inline` if the inline agents cannot be read.
        """
        answer: Report = self._call(_CHECK, project, request)
        return answer

    def fix(self, project: Project, request: Request, *, unsafe_too: bool = False, exceptions: list[Exception]) -> list[Fixed]:
        """What the fixes of findings make of the project's files; with `unsafe-too` also those that may change intent. Files that stay
        as they are, and those that do not belong to the project, are left out. Nothing is written.

        Fails as `check` does.
        """
        answer: list[Fixed] = self._call(_FIX, project, request, unsafe_too, exceptions)
        return answer


_PLACES_OF = Function(
    "callsheet:agents/projects@0.1.0", "places-of", (Project,), Places, None
)

_IN_USE = Function(
    "callsheet:agents/projects@0.1.0", "in-use", (Project,), list[str], None
)

_CHECK = Function(
    "callsheet:agents/projects@0.1.0", "check", (Project, Request), Report, CatalogError
)

_FIX = Function(
    "callsheet:agents/projects@0.1.0", "fix", (Project, Request, bool, list[Exception]), list[Fixed], CatalogError
)
