"""A whole project: the tools in use, the findings in its agents, skills and commands, and their fixes.

Every file has one owner, by its place and form: the dialect whose directory it is in, the plugin whose manifest declares it,
or the only dialect with such file names. The owner's rules decide what is an error. Markdown without an owner is not checked.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Optional, Union

from .._contract import U32, Failure, Function, Own, Resource, Sandbox, Word
from .documents import Applied, Carried
from .types import Diagnostic, Kind, Level, ModelChoice, Place, Span


@dataclass
class Plugin:
    """A plugin that is installed."""

    name: str
    """Its name."""

    directory: str
    """The directory of its agents."""


@dataclass
class Sources:
    """The sources of a project. Paths are the host's own names."""

    _order: ClassVar[tuple[str, ...]] = (
        "directory",
        "ancestors",
        "home",
        "variables",
        "plugins",
        "directories",
        "inline",
        "fail_closed",
    )

    directory: str
    """The project directory, or a directory in it."""

    ancestors: list[str]
    """The directories above it in the same repository, the nearest first."""

    variables: list[str]
    """Environment variables that name a directory for which a tool leaves the home directory. The host's name of that directory is
    the variable's after a `$`.
    """

    plugins: list[Plugin]
    """Installed plugins, in order. Only agents come from them, `directories` and `inline`."""

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
class Location:
    """A directory that a catalog reads."""

    level: Level
    """The kind of source."""

    directory: str
    """The directory."""

    recursive: bool
    """Whether the directories below are searched too."""

    owned: bool
    """Whether the dialect owns this directory, rather than reading another product's."""


class Standing(Word):
    """The status of a definition."""

    ACTIVE = "active"
    """Active: its name resolves to it."""

    SHADOWED = "shadowed"
    """Another definition of its name is active."""

    WITHHELD = "withheld"
    """It is listed by the dialect, but cannot be called."""

    BROKEN = "broken"
    """The dialect does not load it."""

    NOT_AN_AGENT = "not-an-agent"
    """The file is not an agent, such as a README."""


class CatalogError(Failure):
    """Why a call failed."""


class CatalogErrorUnknownDialect(CatalogError):
    """The dialect is unknown; the closest known one, if one is close."""

    tag: ClassVar[Literal["unknown-dialect"]] = "unknown-dialect"
    value: Optional[str]

    def __init__(self, value: Optional[str]) -> None:
        super().__init__(value)


class CatalogErrorBadInline(CatalogError):
    """The text given on the command line is not a JSON object of agents; the reason."""

    tag: ClassVar[Literal["bad-inline"]] = "bad-inline"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class CatalogErrorRegistered(CatalogError):
    """An agent of this name is already registered."""

    tag: ClassVar[Literal["registered"]] = "registered"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class CatalogErrorUnusable(CatalogError):
    """The dialect does not load the text to register; the reason."""

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
    """The dialects that checked it; none for a file of `build`."""

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
    """The checked agents, skills and commands, sorted by path."""

    others: list[str]
    """Other files that were checked: settings, instructions and manifests of plugins, sorted."""

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


class NodeKind(Word):
    """What a node of a graph is."""

    AGENT = "agent"
    """An agent."""

    SKILL = "skill"
    """A skill."""

    COMMAND = "command"
    """A command."""

    SERVER = "server"
    """An MCP server."""

    PLUGIN = "plugin"
    """A plugin."""

    FILE = "file"
    """Another file."""


@dataclass
class Node:
    """Something that files define or name."""

    kind: NodeKind
    """What it is."""

    name: str
    """Its name; the path of a file."""

    dialect: Optional[str] = None
    """The dialect that owns it; none for servers and other files."""

    path: Optional[str] = None
    """Its file, if there is one; of a server, the file that configures it; of a plugin, its manifest, or that of the marketplace that
    lists it.
    """

    standing: Optional[Standing] = None
    """Its standing; none if it is not in the project."""


class Relation(Word):
    """How a file depends on what it names."""

    CALLS = "calls"
    """An agent may call an agent."""

    RUNS_IN = "runs-in"
    """A skill, a command or a conversation runs in an agent."""

    LOADS = "loads"
    """An agent loads a skill."""

    USES = "uses"
    """An agent uses an MCP server."""

    LINKS_TO = "links-to"
    """A file links to a file, imports it or lists it."""

    RUNS = "runs"
    """A hook or an MCP server runs a script."""

    NAMES = "names"
    """Settings or permissions have a rule for it, or a text has its name."""

    DEPENDS_ON = "depends-on"
    """A plugin depends on a plugin."""


class Verdict(Word):
    """Whether something that a file names is there."""

    THERE = "there"
    """It is."""

    MISSING = "missing"
    """It is not."""

    UNKNOWN = "unknown"
    """It cannot be known here: it may be installed elsewhere."""


@dataclass
class Edge:
    """Something that a file names. Each name counts once a file."""

    _order: ClassVar[tuple[str, ...]] = (
        "source",
        "target",
        "relation",
        "name",
        "place",
        "verdict",
    )

    source: U32
    """The number of the file's node."""

    relation: Relation
    """How the file depends on it."""

    name: str
    """The name as written."""

    place: Place
    """Where it is written."""

    verdict: Verdict
    """Whether it is there."""

    target: Optional[U32] = None
    """The number of the named node; none unless it is there."""


@dataclass
class Graph:
    """What the files of a project define, and what the active ones name."""

    nodes: list[Node]
    """The files, by dialect and kind, then the servers that they configure, then what they name besides."""

    edges: list[Edge]
    """What they name, in the order of the files."""

    cycles: list[list[U32]]
    """Cycles of agents that may call each other without end, as the numbers of their edges; at most one that begins with each agent."""

    named: list[U32]
    """The numbers of the nodes that have the name of the scope."""

    instead: Optional[list[str]] = None
    """The names that may be meant, if nothing has or mentions the name of the scope; none otherwise."""


@dataclass
class ScopeEverything:
    """None: all files."""

    tag: ClassVar[Literal["everything"]] = "everything"


@dataclass
class ScopeAround:
    """What has this name, all that it leads to, and what refers to it."""

    tag: ClassVar[Literal["around"]] = "around"
    value: str


@dataclass
class ScopeUsers:
    """What has this name, and the references to it, also if nothing has it."""

    tag: ClassVar[Literal["users"]] = "users"
    value: str


Scope = Union[
    ScopeEverything,
    ScopeAround,
    ScopeUsers,
]
"""The surroundings that a graph is limited to. A name may have its kind before it, as in `skill:NAME`, or be the path of a file."""


class Part(Word):
    """A part of a graph. Nodes are those of its edges."""

    WHOLE = "whole"
    """All of it, with nodes that have no edges."""

    MISSING = "missing"
    """Missing references."""

    ORPHANS = "orphans"
    """Only nodes: agents, skills and commands that refer to nothing and that nothing refers to."""

    CYCLES = "cycles"
    """The edges of cycles."""


@dataclass
class Permission:
    """A permission, by its canonical name such as `shell`. `mcp-servers` is the use of MCP servers, whose tools are unknown, and `any-tool`
    that of every tool, known or not; it implies all others.
    """

    name: str
    """Its name."""

    patterns: list[str]
    """The patterns that limit it, or the names of the servers; none for all of it."""


@dataclass
class Reached:
    """A permission that an agent, a skill or a command has only by calling agents."""

    _order: ClassVar[tuple[str, ...]] = (
        "permission",
        "limited",
        "next",
        "edge",
        "owner",
    )

    permission: str
    """Its name."""

    limited: bool
    """Whether patterns limit it."""

    next: U32
    """The number of the first node on a shortest way to it. That node has it, or reaches it in turn."""

    owner: U32
    """The number of the node that has the permission itself."""

    edge: Optional[U32] = None
    """The number of the edge to that node; none if every agent may be called."""


@dataclass
class Asset:
    """An agent, a skill or a command. Files that are not active have no permissions."""

    _order: ClassVar[tuple[str, ...]] = (
        "node",
        "sha256",
        "model",
        "mode",
        "any_agent",
        "permissions",
        "other_tools",
        "reached",
        "errors",
        "warnings",
    )

    node: U32
    """The number of its node."""

    model: ModelChoice
    """Its model."""

    any_agent: bool
    """Whether it may call every agent that it finds."""

    permissions: list[Permission]
    """Its own permissions, without those that others imply; of a skill or a command, what it may do without asking."""

    other_tools: list[str]
    """Tools in its list whose permissions are unknown; `*` if it may use all that it does not deny."""

    reached: list[Reached]
    """The permissions that it has only by calling agents."""

    errors: U32
    """The number of errors in its file."""

    warnings: U32
    """The number of warnings in its file."""

    sha256: Optional[str] = None
    """The SHA-256 of its file in hexadecimal digits; none if it has no file, or none that can be read."""

    mode: Optional[str] = None
    """Its permission mode, as written."""


@dataclass
class Server:
    """An MCP server, as a file configures it."""

    _order: ClassVar[tuple[str, ...]] = (
        "node",
        "transport",
        "target",
        "place",
    )

    node: U32
    """The number of its node."""

    target: str
    """Its command or address, without secrets; empty if it has neither."""

    place: Place
    """Where it is configured."""

    transport: Optional[str] = None
    """Its type as written, otherwise `stdio` for a command; none for an address without a type."""


@dataclass
class Hook:
    """A command that a hook of an active file runs, or an address that it calls."""

    event: str
    """The event, as written."""

    runs: str
    """The command or address, without secrets."""

    place: Place
    """Where it is written."""


@dataclass
class Inventory:
    """What a project has that acts."""

    graph: Graph
    """Its graph, with the built-in agents that agents may call."""

    assets: list[Asset]
    """The agents, skills and commands, in the order of their nodes."""

    servers: list[Server]
    """The MCP servers that the project's own file and its active files configure."""

    hooks: list[Hook]
    """What the hooks of its active files run."""

    unread: list[str]
    """Files of MCP servers or hooks that could not be read."""


@dataclass
class Rewritten:
    """A file whose contents a new name changes."""

    path: str
    """The file, where it was before."""

    before: bytes
    """Its current contents."""

    after: bytes
    """Its new contents."""


@dataclass
class Renaming:
    """What a new name changes."""

    name: str
    """The old name."""

    files: list[Rewritten]
    """The changed files, sorted by path."""

    moved: Optional[tuple[str, str]] = None
    """The file that moves, or the folder of a skill, and its new path."""


@dataclass
class ToolSet:
    """A named set of tools."""

    name: str
    """Its name, without `@`."""

    tools: list[str]
    """Its tools, as in a list of tools."""


@dataclass
class Build:
    """Files that extend and include others, and what to compile them to."""

    _order: ClassVar[tuple[str, ...]] = (
        "project",
        "directory",
        "dialect",
        "targets",
        "sets",
        "allow_loss",
    )

    directory: str
    """Their folder, below their project. Files and folders in it that begin with `_` are only extended."""

    targets: list[str]
    """The dialects to compile to."""

    sets: list[ToolSet]
    """The sets of tools that they may use."""

    allow_loss: bool
    """Whether tools and limits may be lost in another dialect; permissions are never widened."""

    project: Optional[str] = None
    """Their project: the directory of the project, or one of its ancestors; none for the directory."""

    dialect: Optional[str] = None
    """Their dialect; none for the owner of the folder."""


class BuildState(Word):
    """What is in the place of a compiled file."""

    CREATED = "created"
    """Nothing."""

    UNCHANGED = "unchanged"
    """What its source compiles to."""

    CHANGED = "changed"
    """What its source compiled to before."""

    EDITED = "edited"
    """What its source compiled to before, edited since."""

    FOREIGN = "foreign"
    """Something else."""


@dataclass
class Compiled:
    """What a source compiles to for one target."""

    _order: ClassVar[tuple[str, ...]] = (
        "dialect",
        "path",
        "contents",
        "state",
        "before",
        "report",
    )

    dialect: str
    """The target."""

    path: str
    """The file."""

    state: BuildState
    """What is in its place."""

    report: list[Carried]
    """The fate of each field."""

    contents: Optional[bytes] = None
    """Its contents; none if the target cannot express the source."""

    before: Optional[bytes] = None
    """The contents of the file in its place, if it can be read."""


@dataclass
class FieldSource:
    """Where a field of a compiled file is stated."""

    field: str
    """The field as its source spells it; `prompt` for the prompt."""

    places: list[Place]
    """The places: of a list the inherited one and its changes, of a prompt its parts."""


@dataclass
class Composed:
    """A source, and what it compiles to."""

    path: str
    """The source."""

    fields: list[FieldSource]
    """Where its fields are stated; none if it has errors."""

    outputs: list[Compiled]
    """A file for each target; none if it has errors."""


@dataclass
class Leftover:
    """A compiled file that no source compiles to."""

    path: str
    """The file."""

    source: str
    """The source that it names, below the project."""

    contents: bytes
    """Its contents."""

    intact: bool
    """Whether it is as it was compiled."""


@dataclass
class Composition:
    """What the sources of a project compile to."""

    sources: list[Composed]
    """The sources, sorted by path."""

    leftovers: list[Leftover]
    """Compiled files of this folder that no source compiles to, sorted by path. What a source with errors compiled to before is none."""

    findings: list[Diagnostic]
    """Findings in the sources and the files that they extend, sorted by place."""


class CompletionKind(Word):
    """What the word of a completion is."""

    KEY = "key"
    """A key."""

    VALUE = "value"
    """A value of a key."""

    TOOL = "tool"
    """A tool."""

    MODEL = "model"
    """A model, or an alias of one."""

    AGENT = "agent"
    """An agent of the project."""

    SKILL = "skill"
    """A skill of the project."""

    SERVER = "server"
    """An MCP server of the project."""


@dataclass
class Completion:
    """A word that fits a place."""

    word: str
    """The word."""

    text: str
    """What to write for it, such as a key with its colon."""

    kind: CompletionKind
    """What it is."""

    detail: str
    """A remark: the permissions of a tool, the default of a key or the description of an agent; may be empty."""

    required: bool
    """Whether the file does not load without it."""


@dataclass
class Completions:
    """The words that fit a place."""

    span: Span
    """The bytes that a word replaces."""

    words: list[Completion]
    """The words, the usual ones first; none outside of the frontmatter."""


@dataclass
class Spot:
    """A place in a file of a project."""

    path: str
    """The file, which need not be stored."""

    contents: bytes
    """Its contents, whose frontmatter need not be closed yet."""

    at: U32
    """The byte."""

    dialect: Optional[str] = None
    """Its dialect; none for the owner of the file."""

    level: Optional[Level] = None
    """The kind of its source; none for a project."""


class Project(Resource):
    """A project, kept until dropped. Every call reads the files again."""

    @classmethod
    def open(cls, sandbox: Sandbox, sources: Sources) -> Project:
        """A project with these sources. Accesses no file."""
        return cls(sandbox, sandbox.call(_PROJECT_OPEN, sources))

    def places(self) -> Places:
        """Every place that the other functions read, besides the project directory and its ancestors. Accesses no file."""
        answer: Places = self._call(_PROJECT_PLACES)
        return answer

    def root(self) -> str:
        """The directory that a check without paths begins in, where new files belong: the nearest one, from the project's own upwards, in which a
        dialect owns a folder, else the outermost.
        """
        answer: str = self._call(_PROJECT_ROOT)
        return answer

    def locations(self, dialect: str, kind: Kind) -> list[Location]:
        """Every directory that a catalog of this dialect reads, the lowest precedence first. Accesses no file.

        Fails with `unknown-dialect` if the dialect is unknown.
        """
        answer: list[Location] = self._call(_PROJECT_LOCATIONS, dialect, kind)
        return answer

    def own_directory(self, dialect: str, kind: Kind, level: Level) -> Optional[str]:
        """The directory for new files of this level: the dialect's own of highest precedence, else any of highest precedence. None if
        it has no files of this level. Accesses no file.

        Fails with `unknown-dialect` if the dialect is unknown.
        """
        answer: Optional[str] = self._call(_PROJECT_OWN_DIRECTORY, dialect, kind, level)
        return answer

    def referred(self, dialect: str, kind: Kind, check: bool = False) -> list[str]:
        """The other files and directories that a catalog of this dialect reads: the project, if it may have plugins, those of settings with agents or
        commands, of skills that agents load in a session, and if files are checked, all that agents refer to. Accesses no file.

        Fails with `unknown-dialect` if the dialect is unknown.
        """
        answer: list[str] = self._call(_PROJECT_REFERRED, dialect, kind, check)
        return answer

    def in_use(self, kind: Kind) -> list[str]:
        """The dialects with agents in the project, one of its plugins, a directory above it or the home directory, sorted by name. A directory
        with a common name, such as `agents`, counts if one of its files has a key that no other dialect has.
        """
        answer: list[str] = self._call(_PROJECT_IN_USE, kind)
        return answer

    def check(self, request: Request, build: Optional[Build] = None) -> Report:
        """Checks the project, or some of its files. With `build`, also reports what is wrong with how its files extend and include others.

        Fails with `unknown-dialect` if a dialect is unknown, with `bad-inline` if the inline agents cannot be read, and otherwise as
        `compose` does.
        """
        answer: Report = self._call(_PROJECT_CHECK, request, build)
        return answer

    def fix(self, request: Request, *, unsafe_too: bool = False, exceptions: list[Exception]) -> list[Fixed]:
        """The fixed files of the project; with `unsafe-too` also with fixes that may change intent. Unchanged files, and those outside of the
        project, are left out. Nothing is written.

        Fails like `check`.
        """
        answer: list[Fixed] = self._call(_PROJECT_FIX, request, unsafe_too, exceptions)
        return answer

    def graph(self, request: Request, scope: Scope, part: Part) -> Graph:
        """The graph of the project, or of some of its files: a part of what is in a scope.

        Fails like `check`.
        """
        answer: Graph = self._call(_PROJECT_GRAPH, request, scope, part)
        return answer

    def inventory(self, request: Request) -> Inventory:
        """The inventory of the project, or of some of its files with all that they name.

        Fails like `check`.
        """
        answer: Inventory = self._call(_PROJECT_INVENTORY, request)
        return answer

    def rename(self, path: str, to: str) -> Renaming:
        """What changes if the agent, skill or command in the file `path` is called `to`: the file or folder, the field with its name, and
        the references in the project's active files. Nothing is written.

        Fails like `check`, and with `other` and the reason if no tool reads the file here, if a file of some system cannot have the name, if the new path
        exists, or if some tool would read anything but the names of a changed file differently.
        """
        answer: Renaming = self._call(_PROJECT_RENAME, path, to)
        return answer

    def compose(self, build: Build) -> Composition:
        """Compiles files that extend and include others to plain files of the targets. Nothing is written.

        Fails with `unknown-dialect` if a dialect is unknown, and with `other` and the reason if the dialect of the sources has no Markdown
        files.
        """
        answer: Composition = self._call(_PROJECT_COMPOSE, build)
        return answer

    def complete(self, spot: Spot) -> Completions:
        """The keys, values and names that fit a place. Keys that the file has are left out, as are tools and names that the value has.

        Fails with `unknown-dialect` if the dialect is unknown and with `bad-inline` if the inline agents cannot be read.
        """
        answer: Completions = self._call(_PROJECT_COMPLETE, spot)
        return answer


_PROJECT_OPEN = Function(
    "callsheet:agents/projects@0.1.0", "[static]project.open", (Sources,), Own(Project), None
)

_PROJECT_PLACES = Function(
    "callsheet:agents/projects@0.1.0", "[method]project.places", (Project,), Places, None
)

_PROJECT_ROOT = Function(
    "callsheet:agents/projects@0.1.0", "[method]project.root", (Project,), str, None
)

_PROJECT_LOCATIONS = Function(
    "callsheet:agents/projects@0.1.0", "[method]project.locations", (Project, str, Kind), list[Location], CatalogError
)

_PROJECT_OWN_DIRECTORY = Function(
    "callsheet:agents/projects@0.1.0", "[method]project.own-directory", (Project, str, Kind, Level), Optional[str], CatalogError
)

_PROJECT_REFERRED = Function(
    "callsheet:agents/projects@0.1.0", "[method]project.referred", (Project, str, Kind, bool), list[str], CatalogError
)

_PROJECT_IN_USE = Function(
    "callsheet:agents/projects@0.1.0", "[method]project.in-use", (Project, Kind), list[str], None
)

_PROJECT_CHECK = Function(
    "callsheet:agents/projects@0.1.0", "[method]project.check", (Project, Request, Optional[Build]), Report, CatalogError
)

_PROJECT_FIX = Function(
    "callsheet:agents/projects@0.1.0", "[method]project.fix", (Project, Request, bool, list[Exception]), list[Fixed], CatalogError
)

_PROJECT_GRAPH = Function(
    "callsheet:agents/projects@0.1.0", "[method]project.graph", (Project, Request, Scope, Part), Graph, CatalogError
)

_PROJECT_INVENTORY = Function(
    "callsheet:agents/projects@0.1.0", "[method]project.inventory", (Project, Request), Inventory, CatalogError
)

_PROJECT_RENAME = Function(
    "callsheet:agents/projects@0.1.0", "[method]project.rename", (Project, str, str), Renaming, CatalogError
)

_PROJECT_COMPOSE = Function(
    "callsheet:agents/projects@0.1.0", "[method]project.compose", (Project, Build), Composition, CatalogError
)

_PROJECT_COMPLETE = Function(
    "callsheet:agents/projects@0.1.0", "[method]project.complete", (Project, Spot), Completions, CatalogError
)
