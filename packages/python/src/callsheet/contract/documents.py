"""One file at a time, and what is known of the dialects.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Optional, Union

from .._contract import S64, U8, Failure, Function, Interface, Word
from .types import Agent, Diagnostic, Edit, Level, Reading, Severity, Span, ToolFilter


@dataclass
class Heading:
    """A heading of the body."""

    depth: U8
    """1 to 6."""

    text: str
    """Its text, without markup."""

    span: Span
    """Where it stands."""


@dataclass
class CodeBlock:
    """A block of code in the body."""

    language: str
    """The info string of its fence; empty for an indented block."""

    span: Span
    """Where it stands, fences included."""


@dataclass
class Link:
    """A link or an image in the body."""

    target: str
    """Where it leads."""

    span: Span
    """Where it stands."""


@dataclass
class Example:
    """An `<example>` element outside of code."""

    text: str
    """What stands between its tags, trimmed."""

    span: Span
    """Where it stands, tags included."""


@dataclass
class Outline:
    """What the Markdown of a body means."""

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
    """What one file says."""

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
    """How the frontmatter had to be read."""

    loads: bool
    """Whether the dialect would load it."""

    outline: Outline
    """The body's Markdown."""

    diagnostics: list[Diagnostic]
    """What is wrong, sorted by place."""

    suppressed: list[Diagnostic]
    """What is not among them because comments in the file want it left, sorted likewise."""

    agent: Optional[Agent] = None
    """The definition, as far as it could be made out, also where the dialect would not load it.
    None for a file that is no agent, such as a README.
    """


class DocumentError(Failure):
    """Why a call could not be answered."""


class DocumentErrorUnknownDialect(DocumentError):
    """There is no dialect of this name; the nearest one, if one is near."""

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
    """Whether it only does what the author plainly meant."""


@dataclass
class Mended:
    """What the fixes make of a file."""

    after: bytes
    """The contents; the old ones if there is nothing to fix."""

    applied: list[Applied]
    """The fixes, in the order in which they were applied."""


@dataclass
class Found:
    """A file that may hold an agent."""

    path: str
    """The file."""

    dialect: Optional[str] = None
    """The dialect that owns it; none if no dialect does."""

    level: Optional[Level] = None
    """The kind of source that its directory is, if what lies around it tells, as around the agents of a plugin."""


@dataclass
class DialectSource:
    """A place where a dialect looks."""

    level: Level
    """The kind of place."""

    directory: str
    """The directory, with `~` for the home directory; empty where no directory is meant."""


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
    """What holds where the key is absent, in words; empty if nothing does."""

    values: list[str]
    """The only values that it takes; empty if it takes others."""


@dataclass
class DialectTool:
    """A tool that a dialect knows."""

    name: str
    """Its name."""

    may: list[str]
    """What it may do, as verbs for people."""

    rights: list[str]
    """The same by canonical names: `read`, `write`, `edit`, `glob`, `grep`, `list`, `shell`, `web-fetch`, `delegate` and so on."""


class Identity(Word):
    """What an agent is called by that does not say its name."""

    FILE_NAME = "file-name"
    """Its file's name, without the ending."""

    PATH = "path"
    """The same with the directories below the dialect's own in front."""


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
    """The product for people."""

    evidence: str
    """The document or the release that the rules come from."""

    sources: list[DialectSource]
    """Where it looks, in the order that its document gives."""

    clash: str
    """Who wins among equal names, in words."""

    file_names: str
    """The files that it reads, in words."""

    endings: list[str]
    """The endings of these files with their dots, that of new ones first; an empty one where a file may have none."""

    identity: Identity
    """What an agent is called by without a key `name`. Where the dialect has no such key, all agents are called by it."""

    keys: list[DialectKey]
    """The keys that it knows."""

    models: list[str]
    """Its words for models."""

    tools: list[DialectTool]
    """The tools that it has now, the usual ones first."""

    prompt_key: Optional[str] = None
    """The canonical name of the key that holds the prompt; none where it stands in the body."""


class Transfer(Word):
    """What became of a field in a conversion."""

    KEPT = "kept"
    """It says the same."""

    RENAMED = "renamed"
    """It says the same in other words."""

    APPROXIMATED = "approximated"
    """It says something near, never more."""

    DROPPED = "dropped"
    """It is lost."""

    REFUSED = "refused"
    """It is why there is no result."""


@dataclass
class Carried:
    """A line of a conversion's report."""

    field: str
    """The canonical field, or the key of a field that only its dialect knows."""

    fate: Transfer
    """What became of it."""

    before: str
    """What the file says, possibly cut."""

    after: str
    """What the result says; empty for nothing."""

    reason: str
    """Why, as one sentence without a full stop; empty where it goes without saying."""


@dataclass
class Converted:
    """A file in another dialect."""

    dialect: str
    """The dialect that read it."""

    contents: bytes
    """The text of the result."""

    file: str
    """The file below that directory, in the folders of the original where the other dialect looks into folders."""

    directory: str
    """Where the other dialect looks for it, below the project."""

    report: list[Carried]
    """What became of each field."""


class ConvertError(Failure):
    """Why a file could not be converted."""


class ConvertErrorUnknownDialect(ConvertError):
    """There is no dialect of this name; the nearest one, if one is near."""

    tag: ClassVar[Literal["unknown-dialect"]] = "unknown-dialect"
    value: Optional[str]

    def __init__(self, value: Optional[str]) -> None:
        super().__init__(value)


class ConvertErrorUnusable(ConvertError):
    """Its own dialect does not load the file, for this reason."""

    tag: ClassVar[Literal["unusable"]] = "unusable"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class ConvertErrorRefused(ConvertError):
    """Something cannot be said in the other dialect: the whole report, with what is refused and why."""

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


class Mending(Word):
    """What findings can be mended by."""

    NONE = "none"
    """By hand."""

    UNSAFE_FIX = "unsafe-fix"
    """By a fix that may need a look."""

    SAFE_FIX = "safe-fix"
    """By a fix that does what the author plainly meant."""


@dataclass
class Rule:
    """What can be wrong with a file. Its page is a section of `docs/rules.md`, which hosts carry themselves."""

    name: str
    """A stable kebab-case name."""

    summary: str
    """What it finds, in a line."""

    severity: Severity
    """How bad it is, unless what the dialect makes of it says otherwise."""

    mending: Mending
    """The best fix that its findings may have."""


@dataclass
class FieldValueText:
    """Text, whatever it looks like."""

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
    """As a person enters it: what it means depends on the field. Lists have commas between their items, maps are YAML."""

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
"""A value to be written. Which ones a field takes is the dialect's affair."""


@dataclass
class DraftField:
    """A field of a draft."""

    canonical: str
    """Its canonical name, such as `denied-tools`."""

    value: FieldValue
    """What it says."""


@dataclass
class Draft:
    """What a new file is to say, whatever dialect it is written in."""

    fields: list[DraftField]
    """Each field at most once, in any order."""

    prompt: str
    """The prompt. Blanks around it are dropped where the dialect trims, and kept where it does not."""


@dataclass
class KeyChange:
    """A change to a key of a file."""

    key: str
    """The key as spelled in the file or by the dialect, or its canonical name."""

    value: Optional[FieldValue] = None
    """What it is to say; none takes it out."""


@dataclass
class Refusal:
    """Why a value cannot be written."""

    field: str
    """The field or key; `prompt` for the prompt."""

    reason: str
    """Why, as one sentence without a full stop."""


class WriteError(Failure):
    """Why nothing was written."""


class WriteErrorUnknownDialect(WriteError):
    """There is no dialect of this name; the nearest one, if one is near."""

    tag: ClassVar[Literal["unknown-dialect"]] = "unknown-dialect"
    value: Optional[str]

    def __init__(self, value: Optional[str]) -> None:
        super().__init__(value)


class WriteErrorRefused(WriteError):
    """The dialect has no way of saying these things, or would not load what says them."""

    tag: ClassVar[Literal["refused"]] = "refused"
    value: list[Refusal]

    def __init__(self, value: list[Refusal]) -> None:
        super().__init__(value)


class WriteErrorUnreadable(WriteError):
    """The keys of the file cannot be made out reliably; why, as one sentence without a full stop."""

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
class Reader:
    """A release of a product, as it really reads agent files, whatever its documents say."""

    id: str
    """Its name: the dialect and the release, as in `kode@2.0.2`. It may stand wherever a dialect may."""

    title: str
    """The release for people."""

    dialect: str
    """The dialect that it is an edition of."""

    evidence: str
    """What was run or read to learn the rules."""

    measured: bool
    """Whether the rules were measured by running the release; else they are from documents."""


class Fate(Word):
    """What becomes of a file with a reader."""

    LOADS = "loads"
    """It loads."""

    LOADS_DIFFERENTLY = "loads-differently"
    """It loads, and the reader holds something else than the file's own dialect reads."""

    DROPPED = "dropped"
    """It is dropped."""

    NOT_LOOKED_AT = "not-looked-at"
    """The reader does not look where the file is."""


@dataclass
class Held:
    """A value as a program holds it."""

    value: str
    """Its text; as JSON if it is no text, a date being a text."""

    kind: str
    """`text`, `null`, `boolean`, `number`, `date`, `list` or `map`."""


@dataclass
class HeldToolsNothing:
    """Nothing: what it means is settled later."""

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
    """What it is called by."""

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
    """The colour; none if none is held."""


@dataclass
class Seen:
    """What one reader makes of a file."""

    reader: str
    """The reader."""

    fate: Fate
    """What becomes of the file."""

    reason: str
    """Why it is dropped, or listed without being callable; else empty. Callers must not depend on the text."""

    differs: list[str]
    """What is held differently: `name`, `description`, `tools`, `model`, `prompt`."""

    agent: Optional[HeldAgent] = None
    """What is held, if the file loads."""


class Documents(Interface):
    """One file at a time, and what is known of the dialects."""

    def parse(self, path: str, contents: bytes, dialect: Optional[str] = None, level: Optional[Level] = None) -> Parsed:
        """Reads one file. What is wrong with the file is among the diagnostics, never an error.

        Without a dialect, the one that owns the directory in `path` reads it, else `claude-code`. Without a level, it is
        the project's: some keys have no effect elsewhere.
        Fails with `unknown-dialect` if the dialect given is not known.
        """
        answer: Parsed = self._call(_PARSE, path, contents, dialect, level)
        return answer

    def fix(self, path: str, contents: bytes, unsafe_too: bool = False, dialect: Optional[str] = None, level: Optional[Level] = None) -> Mended:
        """What the fixes of a file's findings make of it, round after round until none is left; with `unsafe-too` also those that may
        change intent. `path` is only a name, and `dialect` and `level` are as for `parse`. A file whose fixes come to no end stays as it
        is. Nothing is written.

        Fails with `unknown-dialect` if the dialect is not known.
        """
        answer: Mended = self._call(_FIX, path, contents, unsafe_too, dialect, level)
        return answer

    def discover(self, path: str) -> tuple[list[Found], list[Diagnostic]]:
        """The agent files at or below `path`, sorted by path.

        A directory is searched to the bottom, without version control and dependency folders. Files that a dialect owns are given
        with it, other Markdown files without. Directories that cannot be listed and broken manifests are among the
        diagnostics.
        """
        answer: tuple[list[Found], list[Diagnostic]] = self._call(_DISCOVER, path)
        return answer

    def convert(self, path: str, contents: bytes, *, dialect: Optional[str] = None, to: str, allow_loss: bool = False) -> Converted:
        """Says in another dialect what one file says. Converting to the file's own dialect gives the same bytes.

        The result never grants more than the file does: what would is refused. What grants less is refused, too, unless
        `allow-loss` is set. Without `dialect`, the file is read as `parse` reads it.

        Fails with `unknown-dialect` if one of the two is not known, with `unusable` if the file is no agent that loads, and
        with `refused` if there is anything that the other dialect cannot say.
        """
        answer: Converted = self._call(_CONVERT, path, contents, dialect, to, allow_loss)
        return answer

    def rules(self) -> list[Rule]:
        """Every rule, sorted by name."""
        answer: list[Rule] = self._call(_RULES)
        return answer

    def dialects(self) -> list[Dialect]:
        """Every dialect, sorted by name."""
        answer: list[Dialect] = self._call(_DIALECTS)
        return answer

    def render(self, draft: Draft, dialect: str) -> str:
        """The text of a new file that says what the draft says, in quotes wherever some reader could take it for something else.

        Keys are in the order of the dialect's table, lines end in LF. It says what `convert` would: tools as permissions where
        the dialect's list of tools is deprecated, and the keys without which it would be another kind of agent.
        Fails with `unknown-dialect` if the dialect is not known and with `refused` if anything cannot be said in it.
        """
        answer: str = self._call(_RENDER, draft, dialect)
        return answer

    def revise(self, contents: bytes, dialect: str, changes: list[KeyChange], prompt: Optional[str] = None) -> list[Edit]:
        """The edits that make these changes to the contents of a file, sorted and apart from each other; none if it says so
        already. All that is not meant stays: comments, the order of keys, quotes, line ends, every other value.

        A prompt takes the place of the old one. Its lines end as the file's do; where the dialect trims, the blanks around the
        old one stay.

        Fails with `unknown-dialect` if the dialect is not known, with `unreadable` if the frontmatter is no YAML map with
        a key a line, or the file no TOML where the dialect wants that, or a key spread over a table. Fails with `refused` if
        a key is not known or is not to be set so, or if the dialect would not load the prompt.
        """
        answer: list[Edit] = self._call(_REVISE, contents, dialect, changes, prompt)
        return answer

    def readers(self) -> list[Reader]:
        """Every reader, sorted by name."""
        answer: list[Reader] = self._call(_READERS)
        return answer

    def readings(self, path: str, contents: bytes) -> list[Seen]:
        """What every reader makes of a file, sorted by reader. `path` is only a name, seen from the project: no file is touched.

        In a place where no tool looks, each is asked as if it did.
        """
        answer: list[Seen] = self._call(_READINGS, path, contents)
        return answer


_PARSE = Function(
    "callsheet:agents/documents@0.1.0", "parse", (str, bytes, Optional[str], Optional[Level]), Parsed, DocumentError
)

_FIX = Function(
    "callsheet:agents/documents@0.1.0", "fix", (str, bytes, bool, Optional[str], Optional[Level]), Mended, DocumentError
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
    "callsheet:agents/documents@0.1.0", "dialects", (), list[Dialect], None
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
