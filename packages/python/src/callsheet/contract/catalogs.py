"""Many files: which agent is active, and why.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Optional

from .._contract import U32, U64, Failure, Function, Interface, Own, Resource, Sandbox, Word
from .projects import CatalogError, Location, Project, Standing
from .types import Agent, Diagnostic, Kind, ModelChoice, Origin, ToolFilter


@dataclass
class Options:
    """The options of a catalog."""

    dialect: str
    """The dialect."""

    kind: Kind
    """What the files of the catalog define."""

    cache_capacity: U32
    """The most parsed definitions that are kept, at least 1."""

    check: bool
    """Whether files are checked by every rule when they are read, which takes time. Otherwise `diagnostics` contains
    only what decides how they load.
    """


class Presence(Word):
    """What was found at a location at the last refresh."""

    PRESENT = "present"
    """It was listed."""

    MISSING = "missing"
    """There is nothing there, which is normal."""

    UNREADABLE = "unreadable"
    """It could not be listed; a diagnostic has the reason."""


@dataclass
class Visited:
    """A location with what was found there."""

    location: Location
    """The location."""

    presence: Presence
    """What was there."""

    files: U32
    """Files that were read as agents."""


@dataclass
class Entry:
    """The summary of a definition."""

    _order: ClassVar[tuple[str, ...]] = (
        "name",
        "description",
        "tools",
        "model",
        "color",
        "for_users",
        "for_models",
        "origin",
        "standing",
        "reason",
    )

    name: str
    """Its name; for a file that is not an agent, the file's stem."""

    description: str
    """When to use it."""

    tools: ToolFilter
    """The tools it may use."""

    model: ModelChoice
    """The model."""

    for_users: bool
    """Whether users may choose it."""

    for_models: bool
    """Whether models may choose it, unless the caller's file names what it may call."""

    origin: Origin
    """Where it came from."""

    standing: Standing
    """Its status."""

    reason: str
    """The reason for its status, as one sentence without a full stop."""

    color: Optional[str] = None
    """Its display color."""


class Nearness(Word):
    """Why a name may be the one that was asked for."""

    FOLDED = "folded"
    """Equal up to case and separators."""

    SIMILAR = "similar"
    """A few letters differ."""

    FILE_NAME = "file-name"
    """The file's stem is the name asked for, but the agent has another name."""


@dataclass
class NearMiss:
    """A definition whose name is close to the one asked for."""

    entry: Entry
    """The definition."""

    nearness: Nearness
    """How close."""


@dataclass
class Explanation:
    """Why a name resolves to a definition."""

    name: str
    """The name asked for."""

    rule: str
    """The precedence rule, as one sentence."""

    candidates: list[Entry]
    """Every definition of the name, broken ones included, in order of precedence."""

    near: list[NearMiss]
    """Similar names if no definition has the name, the closest first."""

    refusal: Optional[str] = None
    """The product's own message for this name, if no active agent has it."""


class ChangeKind(Word):
    """What may happen to a name between two refreshes."""

    APPEARED = "appeared"
    """There was no agent of this name."""

    CHANGED = "changed"
    """The file of the active definition was written again."""

    VANISHED = "vanished"
    """The name has no agent any more."""

    NOW_WINS = "now-wins"
    """Another definition is active now."""

    BROKE = "broke"
    """The active definition no longer loads, and none replaces it."""

    FIXED = "fixed"
    """A definition that did not load is active again."""


@dataclass
class Change:
    """What happened to a name."""

    name: str
    """The name."""

    kind: ChangeKind
    """What happened."""

    origin: Origin
    """The definition that is active now; for `vanished` and `broke`, the one that was."""


@dataclass
class Grant:
    """Whether a tool filter grants one tool."""

    tool: str
    """The tool, as the host offers it."""

    granted: bool
    """Whether the agent gets it."""

    reason: str
    """Why, as one sentence without a full stop."""

    specifiers: list[str]
    """The specifiers that restrict it; none if the whole tool is granted."""


@dataclass
class Grants:
    """The offered tools that an agent gets."""

    offered: list[Grant]
    """One for each tool offered, in the order of the offer."""

    unmatched: list[str]
    """Entries of the agent's list that match no offered tool."""

    ignored: list[str]
    """Parts of its file that runs ignore or refuse, in words. Servers and endpoints depend on trust and are not among them."""


@dataclass
class Counters:
    """The counters of a catalog since it was opened."""

    files: U32
    """Files in the catalog now."""

    parsed: U64
    """Definitions parsed."""

    bytes: U64
    """Bytes read."""

    hits: U64
    """Definitions that were asked for and were in the cache."""

    misses: U64
    """Definitions that were asked for and were read again."""

    cached: U32
    """Definitions in the cache now."""


@dataclass
class Card:
    """What others may know of an agent: neither its prompt nor what it may do. Secrets and invisible characters are removed."""

    name: str
    """Its name."""

    description: str
    """When to use it, without examples; its name if it does not say."""

    examples: list[str]
    """The contents of the `<example>` elements in its description."""

    tags: list[str]
    """The words of its name, in lower case."""

    left_out: list[str]
    """The keys of its file that are left out, in order, and `prompt`."""


class SectionError(Failure):
    """Why a text cannot have a section."""


class SectionErrorBadMarks(SectionError):
    """The marks around the section are not one pair; the reason."""

    tag: ClassVar[Literal["bad-marks"]] = "bad-marks"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class SectionErrorOther(SectionError):
    """Anything else. Callers must not depend on the text."""

    tag: ClassVar[Literal["other"]] = "other"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class Catalog(Resource):
    """The active agents of one dialect, kept until dropped."""

    @classmethod
    def open(cls, sandbox: Sandbox, project: Project, options: Options) -> Catalog:
        """Opens a catalog of a project and reads its sources. The project may be dropped before it. Plugins that a manifest in the project's
        directory, or in one above it, declares count as installed.

        Fails with `unknown-dialect` if the dialect is unknown and with `bad-inline` if the inline agents cannot be read.
        """
        return cls(sandbox, sandbox.call(_CATALOG_OPEN, project, options))

    def refresh(self) -> list[Change]:
        """Reads the manifests of the project's plugins, and the files whose size or modification time changed. Returns the differences, sorted by
        name.
        """
        answer: list[Change] = self._call(_CATALOG_REFRESH)
        return answer

    def visited(self) -> list[Visited]:
        """The locations with what was found there, the lowest precedence first."""
        answer: list[Visited] = self._call(_CATALOG_VISITED)
        return answer

    def names(self) -> list[str]:
        """The active definitions, sorted by name."""
        answer: list[str] = self._call(_CATALOG_NAMES)
        return answer

    def entries(self, all: bool = False) -> list[Entry]:
        """The active definitions, sorted by name; with `all`, all others after the active one of their name."""
        answer: list[Entry] = self._call(_CATALOG_ENTRIES, all)
        return answer

    def get(self, name: str) -> Optional[Agent]:
        """The active definition of this name."""
        answer: Optional[Agent] = self._call(_CATALOG_GET, name)
        return answer

    def search(self, query: str, limit: U32) -> list[Entry]:
        """The active definitions whose name or description matches the query, the best first. Tolerates typos."""
        answer: list[Entry] = self._call(_CATALOG_SEARCH, query, limit)
        return answer

    def explain(self, name: str) -> Explanation:
        """Every definition of this name, and why one of them wins."""
        answer: Explanation = self._call(_CATALOG_EXPLAIN, name)
        return answer

    def grants(self, name: str, offered: list[str]) -> Optional[Grants]:
        """The tools that the agent of this name gets. None if it is not active."""
        answer: Optional[Grants] = self._call(_CATALOG_GRANTS, name, offered)
        return answer

    def cards(self, names: list[str]) -> list[Card]:
        """What others may know of the active agents with these names or, without names, of all in the project's own folders, whatever other
        folders contain. Sorted by name, each once.
        """
        answer: list[Card] = self._call(_CATALOG_CARDS, names)
        return answer

    def diagnostics(self) -> list[Diagnostic]:
        """All findings in the files and between them, sorted by path and place."""
        answer: list[Diagnostic] = self._call(_CATALOG_DIAGNOSTICS)
        return answer

    def suppressed(self) -> list[Diagnostic]:
        """Findings that comments in the files suppress, in the same order. There are some only if `check` is set."""
        answer: list[Diagnostic] = self._call(_CATALOG_SUPPRESSED)
        return answer

    def register(self, name: str, contents: str) -> None:
        """Adds a definition without a file, written as an agent file of the catalog's dialect. Takes effect at once.

        Fails with `registered` if the name is already registered and with `unusable` if the dialect would not load it.
        """
        self._call(_CATALOG_REGISTER, name, contents)

    def reserve(self, name: str, tool: str) -> None:
        """Reserves a tool for the agent, such as one of a server that its file configures: in later sessions, only agents for
        which it is reserved get it, and only if their lists allow it.
        """
        self._call(_CATALOG_RESERVE, name, tool)

    def counters(self) -> Counters:
        """The counters since it was opened."""
        answer: Counters = self._call(_CATALOG_COUNTERS)
        return answer


_CATALOG_OPEN = Function(
    "callsheet:agents/catalogs@0.1.0", "[static]catalog.open", (Project, Options), Own(Catalog), CatalogError
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

_CATALOG_CARDS = Function(
    "callsheet:agents/catalogs@0.1.0", "[method]catalog.cards", (Catalog, list[str]), list[Card], None
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
    """Many files: which agent is active, and why."""

    def with_section(self, text: str, agents: list[Card]) -> str:
        """The text of instructions such as `AGENTS.md` with a section that lists these agents, in place of the section that it has or at its
        end. Descriptions are escaped. Of several agents with one name, the first is listed.

        Fails with `bad-marks` if the marks around the section are not one pair.
        """
        answer: str = self._call(_WITH_SECTION, text, agents)
        return answer


_WITH_SECTION = Function(
    "callsheet:agents/catalogs@0.1.0", "with-section", (str, list[Card]), str, SectionError
)
