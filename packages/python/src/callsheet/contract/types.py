"""Vocabulary shared by every interface: places in files, findings about them, and agent definitions.

Text is UTF-8. Spans count bytes of the file as it is stored, including a byte order mark.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Optional, Union

from .._contract import S64, U32, Word


@dataclass
class Span:
    """A half-open range of bytes in one file. `start <= end`, both on character boundaries."""

    start: U32
    """The first byte."""

    end: U32
    """One past the last byte."""


@dataclass
class Position:
    """A place as people count: both numbers start at 1, `column` counts characters (Unicode scalar values)."""

    line: U32
    """The line. LF, CRLF and CR each end one."""

    column: U32
    """The column."""


@dataclass
class Place:
    """A range of bytes in a named file, with the positions of its ends."""

    path: str
    """The file, by the host's name."""

    span: Span
    """The bytes."""

    start: Position
    """Where `span.start` is."""

    end: Position
    """Where `span.end` is."""


class Severity(Word):
    """The severity of a finding."""

    ERROR = "error"
    """The agent will not load, or not with the permissions or the prompt that the file states."""

    WARNING = "warning"
    """The agent loads, but not quite as written, or not everywhere."""

    NOTE = "note"
    """Worth knowing. Does not affect the exit status."""


class Kind(Word):
    """What a file defines."""

    AGENT = "agent"
    """An agent."""

    SKILL = "skill"
    """A skill: a folder with a file of instructions."""

    COMMAND = "command"
    """A command: a prompt that a user calls by name."""


@dataclass
class Label:
    """A label for one place."""

    place: Place
    """Where."""

    text: str
    """The label; may be empty."""


@dataclass
class Edit:
    """One replacement of bytes in the file of the finding's primary label."""

    span: Span
    """The replaced bytes. An empty span inserts."""

    text: str
    """The new text."""


@dataclass
class Fix:
    """A fix for a finding. Its edits do not overlap and are sorted by place."""

    title: str
    """What applying it does, as an imperative sentence without a full stop."""

    safe: bool
    """Whether it keeps the author's intent."""

    edits: list[Edit]
    """The replacements."""


@dataclass
class Diagnostic:
    """A finding as plain data. The host renders it."""

    _order: ClassVar[tuple[str, ...]] = (
        "rule",
        "severity",
        "message",
        "primary",
        "related",
        "note",
        "help",
        "fixes",
    )

    rule: str
    """A stable kebab-case name such as `unquoted-value`. A string, not an enum: releases add rules."""

    severity: Severity
    """The severity."""

    message: str
    """One line that makes sense without the labels."""

    primary: Label
    """The offending bytes."""

    related: list[Label]
    """Other places that matter, such as the definition that wins."""

    fixes: list[Fix]
    """Fixes."""

    note: Optional[str] = None
    """A fact that explains it, such as what a release does with the file; may be absent."""

    help: Optional[str] = None
    """What to do, beyond the fixes; may be absent."""


class Level(Word):
    """The kind of place that an agent comes from."""

    BUILT_IN = "built-in"
    """Shipped with the dialect."""

    PLUGIN = "plugin"
    """A plugin's agents directory."""

    USER = "user"
    """The user's own directories."""

    PROJECT = "project"
    """The project's directories, and those of its ancestors if the dialect reads them."""

    POLICY = "policy"
    """Directories that an administrator manages."""

    COMMAND_LINE = "command-line"
    """Given on the command line."""

    PROGRAMMATIC = "programmatic"
    """Registered by the host."""


@dataclass
class Origin:
    """Where a definition came from."""

    dialect: str
    """The dialect that read it."""

    level: Level
    """The kind of source."""

    source: str
    """The source for display: a directory, or words such as `built-in`."""

    path: Optional[str] = None
    """The file; absent for a definition without one."""


@dataclass
class ToolRule:
    """One entry of a tool list: `Bash(git *)` is the tool `Bash` with the specifier `git *`."""

    _order: ClassVar[tuple[str, ...]] = (
        "tool",
        "specifier",
        "span",
    )

    tool: str
    """The tool, as the file spells it."""

    span: Span
    """Where the entry is."""

    specifier: Optional[str] = None
    """The text between the parentheses, if there are any."""


@dataclass
class ToolFilterAbsent:
    """The key is absent: the dialect's default applies."""

    tag: ClassVar[Literal["absent"]] = "absent"


@dataclass
class ToolFilterNull:
    """The key has no value."""

    tag: ClassVar[Literal["null"]] = "null"


@dataclass
class ToolFilterNone:
    """An empty list."""

    tag: ClassVar[Literal["none"]] = "none"


@dataclass
class ToolFilterAll:
    """A word for all tools, such as `*`."""

    tag: ClassVar[Literal["all"]] = "all"


@dataclass
class ToolFilterOnly:
    """Only these."""

    tag: ClassVar[Literal["only"]] = "only"
    value: list[ToolRule]


ToolFilter = Union[
    ToolFilterAbsent,
    ToolFilterNull,
    ToolFilterNone,
    ToolFilterAll,
    ToolFilterOnly,
]
"""The tools of a definition. Absent, null, none and a list are four different statements."""


@dataclass
class ModelChoiceAbsent:
    """None: the dialect's default applies."""

    tag: ClassVar[Literal["absent"]] = "absent"


@dataclass
class ModelChoiceInherit:
    """The parent's model."""

    tag: ClassVar[Literal["inherit"]] = "inherit"


@dataclass
class ModelChoiceAlias:
    """An alias that the dialect or the user maps to a model, such as `sonnet`."""

    tag: ClassVar[Literal["alias"]] = "alias"
    value: str


@dataclass
class ModelChoiceId:
    """A model by its own name."""

    tag: ClassVar[Literal["id"]] = "id"
    value: str


ModelChoice = Union[
    ModelChoiceAbsent,
    ModelChoiceInherit,
    ModelChoiceAlias,
    ModelChoiceId,
]
"""The model of a definition."""


@dataclass
class Endpoint:
    """An endpoint that a definition names. Inert: nothing is sent there unless the user allows it."""

    base_url: Optional[str] = None
    """The base URL."""

    api_key_variable: Optional[str] = None
    """The environment variable with the key."""


@dataclass
class Limits:
    """Limits that a definition sets for itself."""

    turns: Optional[U32] = None
    """Turns of the conversation with the model."""


@dataclass
class Field:
    """A key of the frontmatter, verbatim."""

    _order: ClassVar[tuple[str, ...]] = (
        "canonical",
        "key",
        "value",
        "key_span",
        "value_span",
    )

    key: str
    """The key as spelled."""

    value: str
    """The value's source text, indentation and comments included."""

    key_span: Span
    """Where the key is; empty if it is in another file, from which this definition takes what it lacks."""

    value_span: Span
    """Where the value is; empty and at the end of the key if there is none."""

    canonical: Optional[str] = None
    """The canonical name (`tools`, `model`, …), or none for a key that the dialect does not know."""


@dataclass
class Agent:
    """A definition as its dialect reads it."""

    _order: ClassVar[tuple[str, ...]] = (
        "name",
        "description",
        "examples",
        "tools",
        "denied_tools",
        "model",
        "model_name",
        "provider",
        "effort",
        "max_tokens",
        "thinking_budget",
        "allowed_commands",
        "endpoint",
        "context",
        "fork_context",
        "color",
        "permission_mode",
        "limits",
        "skills",
        "hooks",
        "mcp_servers",
        "servers",
        "system_prompt",
        "body",
        "origin",
        "fields",
    )

    name: str
    """Its name."""

    description: str
    """When to use it."""

    examples: list[str]
    """The contents of the `<example>` elements in the description, in order."""

    tools: ToolFilter
    """The tools it may use."""

    denied_tools: list[ToolRule]
    """The tools it may not use, regardless of `tools`."""

    model: ModelChoice
    """The model."""

    limits: Limits
    """Limits it sets for itself."""

    skills: list[str]
    """Skills to load."""

    hooks: list[str]
    """The events it hooks. Inert; the hooks themselves are among the fields."""

    mcp_servers: list[str]
    """The MCP servers it names. Inert."""

    servers: str
    """Their configuration as JSON: a map has servers that it configures, by name, each as in `.mcp.json`; a list has names and such
    maps. Inert. Empty if there is none.
    """

    system_prompt: str
    """The prompt as the dialect reads it: trimmed where the dialect trims."""

    body: Span
    """Where the body is in the file, untrimmed."""

    origin: Origin
    """Where the definition came from."""

    fields: list[Field]
    """Every key of the frontmatter in file order, duplicates and unknown keys included."""

    model_name: Optional[str] = None
    """A second model key of some dialects, which names a model pointer."""

    provider: Optional[str] = None
    """The provider of the model."""

    effort: Optional[str] = None
    """The effort of the model, in the dialect's words."""

    max_tokens: Optional[S64] = None
    """The longest answer, in tokens, as stated: it may be zero or negative."""

    thinking_budget: Optional[S64] = None
    """Tokens for thinking, as stated."""

    allowed_commands: Optional[list[str]] = None
    """Patterns of shell commands. None if not stated; an empty list allows none."""

    endpoint: Optional[Endpoint] = None
    """An endpoint of its own."""

    context: Optional[str] = None
    """Text to be added to the conversation's context."""

    fork_context: Optional[bool] = None
    """Whether it starts from a copy of the parent's conversation."""

    color: Optional[str] = None
    """Its display color."""

    permission_mode: Optional[str] = None
    """The permission mode, in the dialect's words."""


class Reading(Word):
    """How a frontmatter was read."""

    NO_FRONTMATTER = "no-frontmatter"
    """There is no frontmatter."""

    STRICT = "strict"
    """As YAML."""

    QUOTED = "quoted"
    """As YAML, with the offending values quoted."""

    LINE_BY_LINE = "line-by-line"
    """Line by line, knowing only the keys."""
