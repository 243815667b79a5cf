"""One file at a time, and data about dialects.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Optional, Union

from .._contract import S64, U8, U32, Failure, Function, Interface, Word
from .types import Agent, Diagnostic, Edit, Kind, Level, Reading, Severity, Span, ToolFilter


@dataclass
class Heading:
    """A heading of the body."""

    depth: U8
    """1 to 6."""

    text: str
    """Its text, without markup."""

    span: Span
    """Where it is."""


@dataclass
class CodeBlock:
    """A block of code in the body."""

    language: str
    """The info string of its fence; empty for an indented block."""

    span: Span
    """Where it is, fences included."""


@dataclass
class Link:
    """A link or an image in the body."""

    target: str
    """Its target."""

    span: Span
    """Where it is."""


@dataclass
class Example:
    """An `<example>` element outside of code."""

    text: str
    """The text between its tags, trimmed."""

    span: Span
    """Where it is, tags included."""


@dataclass
class Outline:
    """The structure of a Markdown body."""

    headings: list[Heading]
    """In order."""

    code_blocks: list[CodeBlock]
    """In order."""

    links: list[Link]
    """In order."""

    examples: list[Example]
    """In order."""


@dataclass
class Parsed:
    """The reading of one file."""

    _order: ClassVar[tuple[str, ...]] = (
        "dialect",
        "reading",
        "loads",
        "agent",
        "outline",
        "diagnostics",
        "suppressed",
    )

    dialect: str
    """The dialect that read it."""

    reading: Reading
    """How the frontmatter was read."""

    loads: bool
    """Whether the dialect would load it."""

    outline: Outline
    """The body's Markdown."""

    diagnostics: list[Diagnostic]
    """Findings, sorted by place."""

    suppressed: list[Diagnostic]
    """Findings that comments in the file suppress, in the same order."""

    agent: Optional[Agent] = None
    """The definition, as far as it could be read, even if the dialect would not load it.
    None for a file that is not an agent, such as a README.
    """


class DocumentError(Failure):
    """Why a call failed."""


class DocumentErrorUnknownDialect(DocumentError):
    """The dialect is unknown; the closest known one, if one is close."""

    tag: ClassVar[Literal["unknown-dialect"]] = "unknown-dialect"
    value: Optional[str]

    def __init__(self, value: Optional[str]) -> None:
        super().__init__(value)


class DocumentErrorOther(DocumentError):
    """Anything else. Callers must not depend on the text."""

    tag: ClassVar[Literal["other"]] = "other"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


@dataclass
class Applied:
    """A fix that was applied."""

    rule: str
    """The rule whose finding it fixes."""

    title: str
    """What it does, as an imperative sentence without a full stop."""

    safe: bool
    """Whether it keeps the author's intent."""


@dataclass
class FixResult:
    """The result of fixing a file."""

    after: bytes
    """The contents; the old ones if there is nothing to fix."""

    applied: list[Applied]
    """The applied fixes, in order."""


class TokenKind(Word):
    """What a word is."""

    KEY = "key"
    """A key."""

    UNREAD_KEY = "unread-key"
    """A key that the dialect does not read."""

    TOOL = "tool"
    """A tool."""

    MODEL = "model"
    """A model."""

    AGENT = "agent"
    """The name of an agent."""

    SKILL = "skill"
    """The name of a skill."""

    SERVER = "server"
    """The name of an MCP server."""


@dataclass
class Token:
    """A word with a meaning."""

    span: Span
    """Where it is."""

    kind: TokenKind
    """What it is."""

    rights: str
    """The rights of a tool, in words; else empty."""


@dataclass
class Hint:
    """A text to show between others."""

    at: U32
    """The byte that it is shown before."""

    text: str
    """The text."""


@dataclass
class Annotations:
    """What an editor shows in a file besides its text."""

    tokens: list[Token]
    """What its words are, sorted by place. They do not overlap."""

    hints: list[Hint]
    """What it leaves unsaid, sorted by place: the defaults of an agent without tools or a model, and the current names of tools that are
    listed by other ones.
    """


@dataclass
class Found:
    """A file that may be an agent, a skill or a command."""

    path: str
    """The file."""

    dialect: Optional[str] = None
    """The dialect that owns it, as `parse` takes it: `skill:codex` for a skill. None if no dialect does."""

    level: Optional[Level] = None
    """The kind of its source, if its surroundings tell, as for the agents of a plugin."""


@dataclass
class DialectSource:
    """A place that a dialect reads."""

    level: Level
    """The kind of place."""

    directory: str
    """The directory, or a file of settings with agents; `~` is the home directory. Empty for a place without one."""


@dataclass
class DialectKey:
    """A key that a dialect knows."""

    canonical: str
    """The canonical name."""

    spellings: list[str]
    """The spellings, the preferred one first."""

    required: bool
    """Whether a file without it is not loaded."""

    default: str
    """The default, in words; empty if there is none."""

    values: list[str]
    """The only accepted values; empty if others are accepted."""


@dataclass
class DialectTool:
    """A tool that a dialect knows."""

    name: str
    """Its name."""

    may: list[str]
    """Its rights, as verbs for display."""

    rights: list[str]
    """The same by canonical names: `read`, `write`, `edit`, `glob`, `grep`, `list`, `shell`, `web-fetch`, `delegate` and so on."""


class Identity(Word):
    """The name of an agent that does not set one."""

    FILE_NAME = "file-name"
    """Its file name without the extension."""

    PATH = "path"
    """The same, prefixed with the directories below the dialect's own."""

    COLONS = "colons"
    """The same with colons in place of slashes."""

    DASHES = "dashes"
    """The same with two dashes in place of slashes."""

    FOLDER = "folder"
    """The name of the folder that its file is in."""


@dataclass
class Dialect:
    """A set of rules for reading agent files."""

    _order: ClassVar[tuple[str, ...]] = (
        "id",
        "title",
        "evidence",
        "sources",
        "clash",
        "file_names",
        "endings",
        "identity",
        "keys",
        "prompt_key",
        "models",
        "tools",
    )

    id: str
    """Its name."""

    title: str
    """The product's display name."""

    evidence: str
    """The document or the release that the rules are from."""

    sources: list[DialectSource]
    """Its sources, in documented order."""

    clash: str
    """The precedence of equal names, in words."""

    file_names: str
    """The files that it reads, in words."""

    endings: list[str]
    """The extensions of these files with their dots, that of new ones first; an empty one if a file may have none. `/SKILL.md` for files
    in folders.
    """

    identity: Identity
    """The name of an agent without a key `name`. If the dialect has no such key, the name of every agent."""

    keys: list[DialectKey]
    """The keys that it knows."""

    models: list[str]
    """Its model aliases."""

    tools: list[DialectTool]
    """Its current tools, the usual ones first."""

    prompt_key: Optional[str] = None
    """The canonical name of the key with the prompt; none if the body is the prompt."""


class Transfer(Word):
    """The fate of a field in a conversion."""

    KEPT = "kept"
    """Same meaning, same text."""

    RENAMED = "renamed"
    """Same meaning, different text."""

    APPROXIMATED = "approximated"
    """Something close, never more."""

    DROPPED = "dropped"
    """It is lost."""

    REFUSED = "refused"
    """The reason that there is no result."""


@dataclass
class Carried:
    """A line of a conversion's report."""

    field: str
    """The field as the file or its dialect spells it, or what else it is about: `prompt`, `files`."""

    fate: Transfer
    """Its fate."""

    before: str
    """The value in the file, possibly cut."""

    after: str
    """The value in the result; empty for none."""

    reason: str
    """The reason, as one sentence without a full stop; empty if obvious."""


@dataclass
class Converted:
    """A file in another dialect."""

    dialect: str
    """The source dialect."""

    contents: bytes
    """The text of the result."""

    file: str
    """The file below that directory, in the folders of the original if the other dialect reads folders."""

    directory: str
    """The directory that the other dialect reads it from, below the project. Empty for a manifest, whose file is beside the original, and
    for a dialect that reads no directory of a project.
    """

    report: list[Carried]
    """The fate of each field."""


class ConvertError(Failure):
    """Why a file could not be converted."""


class ConvertErrorUnknownDialect(ConvertError):
    """A dialect is unknown; the closest known one, if one is close."""

    tag: ClassVar[Literal["unknown-dialect"]] = "unknown-dialect"
    value: Optional[str]

    def __init__(self, value: Optional[str]) -> None:
        super().__init__(value)


class ConvertErrorUnusable(ConvertError):
    """The source dialect does not load this file, for this reason."""

    tag: ClassVar[Literal["unusable"]] = "unusable"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class ConvertErrorRefused(ConvertError):
    """The other dialect cannot express something: the whole report, including refusals and their reasons."""

    tag: ClassVar[Literal["refused"]] = "refused"
    value: list[Carried]

    def __init__(self, value: list[Carried]) -> None:
        super().__init__(value)


class ConvertErrorOther(ConvertError):
    """Anything else. Callers must not depend on the text."""

    tag: ClassVar[Literal["other"]] = "other"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class FixAvailability(Word):
    """How findings can be fixed."""

    NONE = "none"
    """By hand only."""

    UNSAFE_FIX = "unsafe-fix"
    """By a fix that needs review."""

    SAFE_FIX = "safe-fix"
    """By a fix that keeps the author's intent."""


@dataclass
class Rule:
    """A kind of problem that files can have. Its page is a section of `docs/rules.md`, which hosts embed themselves."""

    name: str
    """A stable kebab-case name."""

    summary: str
    """What it finds, in one line."""

    severity: Severity
    """The default severity; a dialect may set another."""

    fix: FixAvailability
    """The best fix that its findings may have."""


@dataclass
class Variable:
    """An environment variable that names a directory for which a tool leaves the home directory."""

    name: str
    """Its name."""

    replaces: str
    """What the directory replaces, below the home directory; empty for the home directory itself."""


@dataclass
class FieldValueText:
    """Text, even if it looks like another type."""

    tag: ClassVar[Literal["text"]] = "text"
    value: str


@dataclass
class FieldValueInteger:
    """A whole number."""

    tag: ClassVar[Literal["integer"]] = "integer"
    value: S64


@dataclass
class FieldValueBoolean:
    """True or false."""

    tag: ClassVar[Literal["boolean"]] = "boolean"
    value: bool


@dataclass
class FieldValueTools:
    """Tools; spans have no meaning here, and `absent` writes nothing."""

    tag: ClassVar[Literal["tools"]] = "tools"
    value: ToolFilter


@dataclass
class FieldValueWords:
    """A list of words."""

    tag: ClassVar[Literal["words"]] = "words"
    value: list[str]


@dataclass
class FieldValueEntered:
    """As a person enters it: its type depends on the field. Lists are comma-separated, maps are YAML."""

    tag: ClassVar[Literal["entered"]] = "entered"
    value: str


FieldValue = Union[
    FieldValueText,
    FieldValueInteger,
    FieldValueBoolean,
    FieldValueTools,
    FieldValueWords,
    FieldValueEntered,
]
"""A value to write. The dialect decides which ones a field accepts."""


@dataclass
class DraftField:
    """A field of a draft."""

    canonical: str
    """Its canonical name, such as `denied-tools`."""

    value: FieldValue
    """Its value."""


@dataclass
class Draft:
    """The content of a new file, in any dialect."""

    fields: list[DraftField]
    """Each field at most once, in any order."""

    prompt: str
    """The prompt. Whitespace around it is dropped if the dialect trims, and kept otherwise."""


@dataclass
class KeyChange:
    """A change to a key of a file."""

    key: str
    """The key as spelled in the file or by the dialect, or its canonical name."""

    value: Optional[FieldValue] = None
    """The new value; none removes the key."""


@dataclass
class Refusal:
    """Why a value cannot be written."""

    field: str
    """The field or key; `prompt` for the prompt."""

    reason: str
    """The reason, as one sentence without a full stop."""


class WriteError(Failure):
    """Why nothing was written."""


class WriteErrorUnknownDialect(WriteError):
    """The dialect is unknown; the closest known one, if one is close."""

    tag: ClassVar[Literal["unknown-dialect"]] = "unknown-dialect"
    value: Optional[str]

    def __init__(self, value: Optional[str]) -> None:
        super().__init__(value)


class WriteErrorRefused(WriteError):
    """The dialect cannot express these things, or would not load them."""

    tag: ClassVar[Literal["refused"]] = "refused"
    value: list[Refusal]

    def __init__(self, value: list[Refusal]) -> None:
        super().__init__(value)


class WriteErrorUnreadable(WriteError):
    """The keys of the file cannot be read reliably; the reason, as one sentence without a full stop."""

    tag: ClassVar[Literal["unreadable"]] = "unreadable"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class WriteErrorOther(WriteError):
    """Anything else. Callers must not depend on the text."""

    tag: ClassVar[Literal["other"]] = "other"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


@dataclass
class Guessed:
    """What a text without a path looks like."""

    path: str
    """The file that it would be, below the project. It may exist."""

    kind: Kind
    """What it defines."""

    dialect: str
    """Its dialect."""


@dataclass
class InvalidName:
    """Why no file can have a name."""

    problem: str
    """The problem, as one sentence without a full stop."""

    similar: Optional[str] = None
    """A similar valid name, if there is one."""


class NameError(Failure):
    """Why no file was named."""


class NameErrorUnknownDialect(NameError):
    """The dialect is unknown; the closest known one, if one is close."""

    tag: ClassVar[Literal["unknown-dialect"]] = "unknown-dialect"
    value: Optional[str]

    def __init__(self, value: Optional[str]) -> None:
        super().__init__(value)


class NameErrorInvalid(NameError):
    """No file can have the name."""

    tag: ClassVar[Literal["invalid"]] = "invalid"
    value: InvalidName

    def __init__(self, value: InvalidName) -> None:
        super().__init__(value)


class NameErrorOther(NameError):
    """Anything else. Callers must not depend on the text."""

    tag: ClassVar[Literal["other"]] = "other"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


@dataclass
class Reader:
    """A release of a product, as it reads agent files, regardless of its documentation."""

    id: str
    """Its name: the dialect and the release, as in `kode@2.0.2`. It is accepted wherever a dialect is."""

    title: str
    """The release, for display."""

    dialect: str
    """The dialect that it is an edition of."""

    evidence: str
    """What was run or read to learn the rules."""

    measured: bool
    """Whether the rules were measured by running the release; otherwise they are from documents."""


class Fate(Word):
    """The outcome of a file in a reader."""

    LOADS = "loads"
    """It loads."""

    LOADS_DIFFERENTLY = "loads-differently"
    """It loads, but the reader's values differ from the file's own dialect."""

    DROPPED = "dropped"
    """It is dropped."""

    NOT_LOOKED_AT = "not-looked-at"
    """The reader does not search the file's place."""


@dataclass
class Held:
    """A value as a program holds it."""

    value: str
    """Its text; JSON if it is not text; a date is text."""

    kind: str
    """`text`, `null`, `boolean`, `number`, `date`, `list` or `map`."""


@dataclass
class HeldToolsNothing:
    """Nothing: the meaning is settled later."""

    tag: ClassVar[Literal["nothing"]] = "nothing"


@dataclass
class HeldToolsAll:
    """All tools."""

    tag: ClassVar[Literal["all"]] = "all"


@dataclass
class HeldToolsOnly:
    """These."""

    tag: ClassVar[Literal["only"]] = "only"
    value: list[str]


HeldTools = Union[
    HeldToolsNothing,
    HeldToolsAll,
    HeldToolsOnly,
]
"""Tools as a program holds them."""


@dataclass
class HeldAgent:
    """What a reader holds of a file that it loads."""

    _order: ClassVar[tuple[str, ...]] = (
        "name",
        "description",
        "tools",
        "denied_tools",
        "model",
        "color",
        "prompt",
    )

    name: Held
    """Its name."""

    description: Held
    """When to use it."""

    tools: HeldTools
    """The tools it may use."""

    denied_tools: HeldTools
    """The tools it may not use."""

    prompt: str
    """The prompt; bytes that are not UTF-8 are U+FFFD."""

    model: Optional[Held] = None
    """The model; none if none is held."""

    color: Optional[Held] = None
    """The color; none if none is held."""


@dataclass
class Seen:
    """How one reader reads a file."""

    reader: str
    """The reader."""

    fate: Fate
    """The outcome of the file."""

    reason: str
    """Why it is dropped, or listed without being callable; otherwise empty. Callers must not depend on the text."""

    differs: list[str]
    """The fields that differ: `name`, `description`, `tools`, `model`, `prompt`."""

    agent: Optional[HeldAgent] = None
    """What is held, if the file loads."""


class Documents(Interface):
    """One file at a time, and data about dialects."""

    def parse(self, path: str, contents: bytes, dialect: Optional[str] = None, level: Optional[Level] = None) -> Parsed:
        """Reads one file. Problems of the file are among the diagnostics, never errors.

        The default dialect is the owner of the directory in `path`, or else `claude-code`. The default level is the project:
        some keys have no effect in other places.
        Fails with `unknown-dialect` if the dialect is unknown.
        """
        answer: Parsed = self._call(_PARSE, path, contents, dialect, level)
        return answer

    def fix(self, path: str, contents: bytes, unsafe_too: bool = False, dialect: Optional[str] = None, level: Optional[Level] = None) -> FixResult:
        """The file with the fixes of its findings, applied in rounds until none is left; with `unsafe-too` also those that may change intent.
        `path` is only a name, and `dialect` and `level` are as for `parse`. A file whose fixes do not end is left unchanged. Nothing
        is written.

        Fails with `unknown-dialect` if the dialect is unknown.
        """
        answer: FixResult = self._call(_FIX, path, contents, unsafe_too, dialect, level)
        return answer

    def suppress(self, path: str, contents: bytes, rule: str, at: U32, dialect: Optional[str] = None) -> Optional[Edit]:
        """An edit that adds a comment which suppresses a finding of this rule that starts `at` this byte: for its item or field, or its line of
        the body, if that works, else for the file. None if no comment can suppress it or one does, and in files that are not valid UTF-8. `dialect` is
        as for `parse`.

        Fails with `unknown-dialect` if the dialect is unknown.
        """
        answer: Optional[Edit] = self._call(_SUPPRESS, path, contents, rule, at, dialect)
        return answer

    def annotate(self, path: str, contents: bytes, dialect: Optional[str] = None, level: Optional[Level] = None) -> Annotations:
        """The annotations of a file; none for one that is not an agent or not valid UTF-8, and no hints for one that does not load. `path` is only
        a name, and `dialect` and `level` are as for `parse`.

        Fails with `unknown-dialect` if the dialect is unknown.
        """
        answer: Annotations = self._call(_ANNOTATE, path, contents, dialect, level)
        return answer

    def discover(self, path: str) -> tuple[list[Found], list[Diagnostic]]:
        """The files of agents, skills and commands at or below `path`, sorted by path.

        A directory is searched to the bottom, without version control and dependency folders. Files that a dialect owns are returned with
        it, other Markdown files without one. Directories that cannot be listed and broken manifests are among the diagnostics.
        """
        answer: tuple[list[Found], list[Diagnostic]] = self._call(_DISCOVER, path)
        return answer

    def convert(self, path: str, contents: bytes, *, dialect: Optional[str] = None, to: str, allow_loss: bool = False) -> Converted:
        """Converts one file to another dialect. Converting to the file's own dialect returns the same bytes.

        The result never grants more than the file does: that is refused. Granting less is refused, too, unless `allow-loss` is set.
        Without `dialect`, the file is read like in `parse`, except that a source of rulesync (`.rulesync/subagents/NAME.md`) becomes what rulesync
        writes for the other tool.

        The result is of the same kind as the file, unless `to` has another one before the dialect: `skill:codex`. A command can become a
        skill. What is replaced in the text of a command or a skill is written as the other dialect spells it; a text that would run a
        command only there is refused. Other files of a skill's folder are not read.

        The manifest of a plugin is converted to that of another product, or of `agent-plugins`. Other files of the plugin are not read.
        What the plugin loads is only lost with `allow-loss`.

        Fails with `unknown-dialect` if one of the two is unknown, with `unusable` if the file does not load, and with `refused` if the
        other dialect cannot express something, or has no files of this kind.
        """
        answer: Converted = self._call(_CONVERT, path, contents, dialect, to, allow_loss)
        return answer

    def rules(self) -> list[Rule]:
        """Every rule, sorted by name."""
        answer: list[Rule] = self._call(_RULES)
        return answer

    def dialects(self, kind: Kind) -> list[Dialect]:
        """Every dialect, sorted by name."""
        answer: list[Dialect] = self._call(_DIALECTS, kind)
        return answer

    def variables(self) -> list[Variable]:
        """Every such variable, for hosts that have an environment."""
        answer: list[Variable] = self._call(_VARIABLES)
        return answer

    def guess(self, contents: bytes, in_use: list[str]) -> Optional[Guessed]:
        """What a text without a path looks like, by the keys of its frontmatter, which need not be closed yet; none if it does not look like a
        definition. Between dialects that fit alike, one of those in use counts.
        """
        answer: Optional[Guessed] = self._call(_GUESS, contents, in_use)
        return answer

    def name_file(self, name: str, dialect: str) -> str:
        """The file of a new definition with this name, below the directory of its dialect. Names consist of letters, digits, `-`, `_` and `.`,
        so that every system can store the file and every reader accepts it.

        `dialect` may have a kind before it, as in `convert`; otherwise the file is an agent.
        Fails with `unknown-dialect` if the dialect is unknown, and with `invalid` if no file can have the name.
        """
        answer: str = self._call(_NAME_FILE, name, dialect)
        return answer

    def render(self, draft: Draft, dialect: str) -> str:
        """The text of a new file for a draft, with values quoted if some reader could misread them.

        Keys are in the order of the dialect's table, lines end in LF. The file is like a converted one: tools as permissions where the
        dialect's list of tools is deprecated, and with the keys that decide the kind of agent.
        `dialect` may have a kind before it, as in `convert`; otherwise the file is an agent.
        Fails with `unknown-dialect` if the dialect is unknown and with `refused` if it cannot express something.
        """
        answer: str = self._call(_RENDER, draft, dialect)
        return answer

    def revise(self, contents: bytes, dialect: str, changes: list[KeyChange], prompt: Optional[str] = None) -> list[Edit]:
        """The edits that make these changes to the contents of a file, sorted and not overlapping; none if nothing changes. All else is kept:
        comments, the order of keys, quotes, line ends, every other value.

        A prompt replaces the old one. Its lines end as in the file; if the dialect trims, the whitespace around the old one is kept.
        `dialect` may have a kind before it, as in `convert`; otherwise the file is an agent.

        Fails with `unknown-dialect` if the dialect is unknown, and with `unreadable` if the frontmatter is not a YAML map with a key per
        line, or the file not valid TOML in a dialect of TOML files, or a key is spread over a table. Fails with `refused` if a key is
        unknown or does not accept the value, or if the dialect would not load the prompt.
        """
        answer: list[Edit] = self._call(_REVISE, contents, dialect, changes, prompt)
        return answer

    def readers(self) -> list[Reader]:
        """Every reader, sorted by name."""
        answer: list[Reader] = self._call(_READERS)
        return answer

    def readings(self, path: str, contents: bytes) -> list[Seen]:
        """How every reader reads a file, sorted by reader. `path` is only a name, relative to the project: no file is accessed.

        In a place that no tool searches, each reads it as if it did.
        """
        answer: list[Seen] = self._call(_READINGS, path, contents)
        return answer


_PARSE = Function(
    "callsheet:agents/documents@0.1.0", "parse", (str, bytes, Optional[str], Optional[Level]), Parsed, DocumentError
)

_FIX = Function(
    "callsheet:agents/documents@0.1.0", "fix", (str, bytes, bool, Optional[str], Optional[Level]), FixResult, DocumentError
)

_SUPPRESS = Function(
    "callsheet:agents/documents@0.1.0", "suppress", (str, bytes, str, U32, Optional[str]), Optional[Edit], DocumentError
)

_ANNOTATE = Function(
    "callsheet:agents/documents@0.1.0", "annotate", (str, bytes, Optional[str], Optional[Level]), Annotations, DocumentError
)

_DISCOVER = Function(
    "callsheet:agents/documents@0.1.0", "discover", (str,), tuple[list[Found], list[Diagnostic]], None
)

_CONVERT = Function(
    "callsheet:agents/documents@0.1.0", "convert", (str, bytes, Optional[str], str, bool), Converted, ConvertError
)

_RULES = Function(
    "callsheet:agents/documents@0.1.0", "rules", (), list[Rule], None
)

_DIALECTS = Function(
    "callsheet:agents/documents@0.1.0", "dialects", (Kind,), list[Dialect], None
)

_VARIABLES = Function(
    "callsheet:agents/documents@0.1.0", "variables", (), list[Variable], None
)

_GUESS = Function(
    "callsheet:agents/documents@0.1.0", "guess", (bytes, list[str]), Optional[Guessed], None
)

_NAME_FILE = Function(
    "callsheet:agents/documents@0.1.0", "name-file", (str, str), str, NameError
)

_RENDER = Function(
    "callsheet:agents/documents@0.1.0", "render", (Draft, str), str, WriteError
)

_REVISE = Function(
    "callsheet:agents/documents@0.1.0", "revise", (bytes, str, list[KeyChange], Optional[str]), list[Edit], WriteError
)

_READERS = Function(
    "callsheet:agents/documents@0.1.0", "readers", (), list[Reader], None
)

_READINGS = Function(
    "callsheet:agents/documents@0.1.0", "readings", (str, bytes), list[Seen], None
)
