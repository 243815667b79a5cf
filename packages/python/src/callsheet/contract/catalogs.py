"""Many files: which agent is in force, and why.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Optional

from .._contract import U32, U64, Failure, Function, Interface, Own, Resource, Sandbox, Word
from .types import Agent, Diagnostic, Level, ModelChoice, Origin, ToolFilter


@dataclass
class Plugin:
    """A plugin that is installed."""

    name: str
    """Its name."""

    directory: str
    """The directory that holds its agents."""


@dataclass
class Options:
    """What a catalog is made from. Paths are the host's own names."""

    _order: ClassVar[tuple[str, ...]] = (
        "dialect",
        "project",
        "ancestors",
        "home",
        "plugins",
        "directories",
        "inline",
        "cache_capacity",
        "fail_closed",
        "check",
    )

    dialect: str
    """Whose rules hold."""

    project: str
    """The project directory."""

    ancestors: list[str]
    """The directories above the project that belong to the same repository, the nearest first."""

    plugins: list[Plugin]
    """Installed plugins, in order."""

    directories: list[str]
    """Directories of agents given on the command line, in order."""

    cache_capacity: U32
    """How many parsed definitions are kept, at least 1."""

    fail_closed: bool
    """Whether a broken file that would have won leaves its name without a winner."""

    check: bool
    """Whether files are held against every rule when they are read. Otherwise `diagnostics` tells only what decides
    how they load: it is what takes time.
    """

    home: Optional[str] = None
    """The home directory."""

    inline: Optional[str] = None
    """A JSON object of agents given on the command line: name to definition."""


@dataclass
class Location:
    """A directory that a catalog looks at."""

    level: Level
    """The kind of source."""

    directory: str
    """The directory."""

    recursive: bool
    """Whether the directories below are searched too."""

    owned: bool
    """Whether the dialect owns this directory, rather than reading another product's."""


class Presence(Word):
    """What was found at a location at the last refresh."""

    PRESENT = "present"
    """It was listed."""

    MISSING = "missing"
    """There is nothing there, which is normal."""

    UNREADABLE = "unreadable"
    """It could not be listed; a diagnostic says why."""


@dataclass
class Visited:
    """A location with what was found there."""

    location: Location
    """The location."""

    presence: Presence
    """What was there."""

    files: U32
    """Files that were taken for agents."""


class Standing(Word):
    """How a definition stands."""

    IN_FORCE = "in-force"
    """It is the one that its name calls."""

    SHADOWED = "shadowed"
    """Another definition of its name is in force."""

    WITHHELD = "withheld"
    """It is listed by the dialect, but cannot be called."""

    BROKEN = "broken"
    """The dialect does not load it."""

    NOT_AN_AGENT = "not-an-agent"
    """The file is no agent, such as a README."""


@dataclass
class Entry:
    """A definition in short."""

    _order: ClassVar[tuple[str, ...]] = (
        "name",
        "description",
        "tools",
        "model",
        "color",
        "origin",
        "standing",
        "reason",
    )

    name: str
    """What it is called by; for a file that is no agent, the file's stem."""

    description: str
    """When to use it."""

    tools: ToolFilter
    """The tools it may use."""

    model: ModelChoice
    """The model."""

    origin: Origin
    """Where it came from."""

    standing: Standing
    """How it stands."""

    reason: str
    """Why it stands so, as one sentence without a full stop."""

    color: Optional[str] = None
    """The colour it is shown in."""


class Nearness(Word):
    """Why a name that was not asked for may be meant all the same."""

    FOLDED = "folded"
    """Equal up to case and separators."""

    SIMILAR = "similar"
    """A few letters differ."""

    FILE_NAME = "file-name"
    """The file's stem is the name asked for, but the agent is called otherwise."""


@dataclass
class NearMiss:
    """A definition whose name is close to the one asked for."""

    entry: Entry
    """The definition."""

    nearness: Nearness
    """How close."""


@dataclass
class Explanation:
    """Who carries a name, and why."""

    name: str
    """The name asked for."""

    rule: str
    """The rule that decides, as one sentence."""

    candidates: list[Entry]
    """Every definition of the name, broken ones included, the strongest first."""

    near: list[NearMiss]
    """Names that may be meant, the closest first."""

    refusal: Optional[str] = None
    """What the product itself says to this name, if no agent in force carries it."""


class ChangeKind(Word):
    """What may happen to a name between two refreshes."""

    APPEARED = "appeared"
    """There was no agent of this name."""

    CHANGED = "changed"
    """The file of the definition in force was written again."""

    VANISHED = "vanished"
    """There is no agent of this name any more."""

    NOW_WINS = "now-wins"
    """Another definition is in force now."""

    BROKE = "broke"
    """The definition in force no longer loads, and none takes its place."""

    MENDED = "mended"
    """A definition that did not load is in force again."""


@dataclass
class Change:
    """What happened to a name."""

    name: str
    """The name."""

    kind: ChangeKind
    """What happened."""

    origin: Origin
    """The definition in force now; for `vanished` and `broke`, the one that was."""


@dataclass
class Grant:
    """What a tool filter makes of one tool."""

    tool: str
    """The tool, as the host offers it."""

    granted: bool
    """Whether the agent gets it."""

    reason: str
    """Why, as one sentence without a full stop."""

    specifiers: list[str]
    """The specifiers that narrow it; none if the whole tool is granted."""


@dataclass
class Grants:
    """The tools that an agent gets out of those that a host offers."""

    offered: list[Grant]
    """One for each tool offered, in the order of the offer."""

    unmatched: list[str]
    """Entries of the agent's list that name no tool offered."""


@dataclass
class Counters:
    """What the catalog did since it was opened."""

    files: U32
    """Files in the catalog now."""

    parsed: U64
    """Definitions parsed."""

    bytes: U64
    """Bytes read."""

    hits: U64
    """Definitions that were asked for and were in the cache."""

    misses: U64
    """Definitions that were asked for and had to be read again."""

    cached: U32
    """Definitions in the cache now."""


class CatalogError(Failure):
    """Why a call could not be answered."""


class CatalogErrorUnknownDialect(CatalogError):
    """There is no dialect of this name; the nearest one, if one is near."""

    tag: ClassVar[Literal["unknown-dialect"]] = "unknown-dialect"
    value: Optional[str]

    def __init__(self, value: Optional[str]) -> None:
        super().__init__(value)


class CatalogErrorBadInline(CatalogError):
    """The text given on the command line is not a JSON object of agents; what is wrong."""

    tag: ClassVar[Literal["bad-inline"]] = "bad-inline"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class CatalogErrorRegistered(CatalogError):
    """An agent of this name is registered already."""

    tag: ClassVar[Literal["registered"]] = "registered"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class CatalogErrorUnusable(CatalogError):
    """The text to be registered is not a definition that the dialect loads; what is wrong."""

    tag: ClassVar[Literal["unusable"]] = "unusable"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class CatalogErrorOther(CatalogError):
    """Anything else. Callers must not depend on the text."""

    tag: ClassVar[Literal["other"]] = "other"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class Catalog(Resource):
    """The agents that are in force for one dialect, kept until dropped."""

    @classmethod
    def open(cls, sandbox: Sandbox, options: Options) -> Catalog:
        """Opens a catalog and reads its sources.

        Fails with `unknown-dialect` if the dialect is not known and with `bad-inline` if the inline agents cannot be read.
        """
        return cls(sandbox, sandbox.call(_CATALOG_OPEN, options))

    def refresh(self) -> list[Change]:
        """Looks at the sources again, reads only the files whose size or modification time changed, and says what is different.
        Sorted by name.
        """
        answer: list[Change] = self._call(_CATALOG_REFRESH)
        return answer

    def visited(self) -> list[Visited]:
        """The locations with what was found there, the weakest first."""
        answer: list[Visited] = self._call(_CATALOG_VISITED)
        return answer

    def names(self) -> list[str]:
        """The definitions in force, sorted by name."""
        answer: list[str] = self._call(_CATALOG_NAMES)
        return answer

    def entries(self, all: bool = False) -> list[Entry]:
        """The definitions in force, sorted by name; with `all`, every other one too, after the one that is in force."""
        answer: list[Entry] = self._call(_CATALOG_ENTRIES, all)
        return answer

    def get(self, name: str) -> Optional[Agent]:
        """The definition in force of this name."""
        answer: Optional[Agent] = self._call(_CATALOG_GET, name)
        return answer

    def search(self, query: str, limit: U32) -> list[Entry]:
        """The definitions in force whose name or description fits the query, the best first. Forgives typing errors."""
        answer: list[Entry] = self._call(_CATALOG_SEARCH, query, limit)
        return answer

    def explain(self, name: str) -> Explanation:
        """Who carries this name, and why."""
        answer: Explanation = self._call(_CATALOG_EXPLAIN, name)
        return answer

    def grants(self, name: str, offered: list[str]) -> Optional[Grants]:
        """The tools that the agent of this name gets. None if no such agent is in force."""
        answer: Optional[Grants] = self._call(_CATALOG_GRANTS, name, offered)
        return answer

    def diagnostics(self) -> list[Diagnostic]:
        """Everything that is wrong with the files and between them, sorted by path and place."""
        answer: list[Diagnostic] = self._call(_CATALOG_DIAGNOSTICS)
        return answer

    def suppressed(self) -> list[Diagnostic]:
        """What is not among the `diagnostics` because comments in the files want it left, sorted likewise. There is some
        only where `check` holds.
        """
        answer: list[Diagnostic] = self._call(_CATALOG_SUPPRESSED)
        return answer

    def register(self, name: str, contents: str) -> None:
        """Adds a definition that no file holds, written as an agent file of the catalog's dialect. Takes effect at once.

        Fails with `registered` if the name is registered already and with `unusable` if the dialect would not load it.
        """
        self._call(_CATALOG_REGISTER, name, contents)

    def reserve(self, name: str, tool: str) -> None:
        """Makes a tool the agent's own, such as one of a server that its file brings along: in sessions that begin afterwards,
        nobody gets it but the agents whose own it was made, and they only if their lists allow it.
        """
        self._call(_CATALOG_RESERVE, name, tool)

    def counters(self) -> Counters:
        """What the catalog did so far."""
        answer: Counters = self._call(_CATALOG_COUNTERS)
        return answer


_CATALOG_OPEN = Function(
    "callsheet:agents/catalogs@0.1.0", "[static]catalog.open", (Options,), Own(Catalog), CatalogError
)

_CATALOG_REFRESH = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.refresh", (Catalog,), list[Change], None
)

_CATALOG_VISITED = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.visited", (Catalog,), list[Visited], None
)

_CATALOG_NAMES = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.names", (Catalog,), list[str], None
)

_CATALOG_ENTRIES = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.entries", (Catalog, bool), list[Entry], None
)

_CATALOG_GET = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.get", (Catalog, str), Optional[Agent], None
)

_CATALOG_SEARCH = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.search", (Catalog, str, U32), list[Entry], None
)

_CATALOG_EXPLAIN = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.explain", (Catalog, str), Explanation, None
)

_CATALOG_GRANTS = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.grants", (Catalog, str, list[str]), Optional[Grants], None
)

_CATALOG_DIAGNOSTICS = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.diagnostics", (Catalog,), list[Diagnostic], None
)

_CATALOG_SUPPRESSED = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.suppressed", (Catalog,), list[Diagnostic], None
)

_CATALOG_REGISTER = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.register", (Catalog, str, str), None, CatalogError
)

_CATALOG_RESERVE = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.reserve", (Catalog, str, str), None, None
)

_CATALOG_COUNTERS = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.counters", (Catalog,), Counters, None
)


class Catalogs(Interface):
    """Many files: which agent is in force, and why."""

    def locations(self, options: Options) -> list[Location]:
        """Every directory that a catalog with these options looks at, the weakest first. Touches no file.

        Fails with `unknown-dialect` if the dialect is not known.
        """
        answer: list[Location] = self._call(_LOCATIONS, options)
        return answer

    def own_directory(self, options: Options, level: Level) -> Optional[str]:
        """The directory for new agents of this level: the strongest that the dialect owns, else the strongest at all. None where it
        keeps no agents of this level. Touches no file.

        Fails with `unknown-dialect` if the dialect is not known.
        """
        answer: Optional[str] = self._call(_OWN_DIRECTORY, options, level)
        return answer

    def referred(self, options: Options) -> list[str]:
        """What agents refer to: the files and directories at which a catalog with these options looks besides, if files are
        checked. Touches no file.

        Fails with `unknown-dialect` if the dialect is not known.
        """
        answer: list[str] = self._call(_REFERRED, options)
        return answer


_LOCATIONS = Function(
    "callsheet:agents/catalogs@0.1.0", "locations", (Options,), list[Location], CatalogError
)

_OWN_DIRECTORY = Function(
    "callsheet:agents/catalogs@0.1.0", "own-directory", (Options, Level), Optional[str], CatalogError
)

_REFERRED = Function(
    "callsheet:agents/catalogs@0.1.0", "referred", (Options,), list[str], CatalogError
)
