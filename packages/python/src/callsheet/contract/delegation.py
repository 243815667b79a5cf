"""One delegation and all that it spawns, as a state machine without I/O.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Optional, Union

from .._contract import U32, U64, Failure, Function, Interface, Own, Resource, Sandbox, Word
from .catalogs import Catalog
from .conversation import CallError, Message, ModelAnswer, ModelRequest, ToolAnswer, ToolCall, ToolRequest, ToolSpec, Workspace


@dataclass
class Task:
    """The task and its agent."""

    agent: str
    """The agent."""

    prompt: str
    """The task."""

    description: Optional[str] = None
    """The task in three to five words."""

    model: Optional[str] = None
    """A model that overrides the agent's own."""


@dataclass
class Reach:
    """The files that a command may change and its network access, by its agent's permissions."""

    writes: list[str]
    """Files and directories that it may write, including everything below: absolute paths."""

    keeps: list[str]
    """Read-only paths below those, relative to the project, `*` matching any part of a name. Of two nested paths, the longer one
    counts.
    """

    network: bool
    """Whether it may use the network."""

    files: list[str]
    """Files that it was allowed because of: those that it redirects to or from, and those that it writes by name, once for each
    directory that it may run in. Absolute, or relative to the project. A host must not run the command if one of them leads through
    a link, since the component only knows names.
    """


@dataclass
class StepAskModel:
    """Ask a model."""

    tag: ClassVar[Literal["ask-model"]] = "ask-model"
    value: ModelRequest


@dataclass
class StepCallTool:
    """Call a tool."""

    tag: ClassVar[Literal["call-tool"]] = "call-tool"
    value: ToolRequest


Step = Union[
    StepAskModel,
    StepCallTool,
]
"""A step that may happen now."""


@dataclass
class Outstanding:
    """A step with its number. Several may be outstanding; they may be answered in any order."""

    id: U32
    """Its number."""

    run: U32
    """The agent's number, as in its events."""

    step: Step
    """The step."""


@dataclass
class ReplyModel:
    """A model's."""

    tag: ClassVar[Literal["model"]] = "model"
    value: ModelAnswer


@dataclass
class ReplyTool:
    """A tool's."""

    tag: ClassVar[Literal["tool"]] = "tool"
    value: ToolAnswer


@dataclass
class ReplyFailed:
    """Neither: it failed."""

    tag: ClassVar[Literal["failed"]] = "failed"
    value: CallError


Reply = Union[
    ReplyModel,
    ReplyTool,
    ReplyFailed,
]
"""The answer to a step."""


@dataclass
class Exceeded:
    """A limit that stopped a session."""

    bound: str
    """The limit: a field of `bounds`."""

    partial: str
    """The partial answer."""


@dataclass
class EndingAnswer:
    """With an answer."""

    tag: ClassVar[Literal["answer"]] = "answer"


@dataclass
class EndingBound:
    """At a limit."""

    tag: ClassVar[Literal["bound"]] = "bound"
    value: Exceeded


@dataclass
class EndingFailed:
    """Without an answer, because of an error."""

    tag: ClassVar[Literal["failed"]] = "failed"


@dataclass
class EndingCancelled:
    """By `cancel`."""

    tag: ClassVar[Literal["cancelled"]] = "cancelled"


Ending = Union[
    EndingAnswer,
    EndingBound,
    EndingFailed,
    EndingCancelled,
]
"""How a session ended. After a limit or a failure it can be resumed, and after an answer it takes further messages."""


@dataclass
class Outcome:
    """The outcome of a session."""

    ending: Ending
    """How it ended."""

    text: str
    """The answer; otherwise the reason why there is none."""


@dataclass
class UnknownAgent:
    """A name without an active agent."""

    name: str
    """The name."""

    nearest: Optional[str] = None
    """The closest known name, if one is close."""


class SessionError(Failure):
    """Why a call was refused."""


class SessionErrorUnknownAgent(SessionError):
    """No active agent has this name."""

    tag: ClassVar[Literal["unknown-agent"]] = "unknown-agent"
    value: UnknownAgent

    def __init__(self, value: UnknownAgent) -> None:
        super().__init__(value)


class SessionErrorNotOutstanding(SessionError):
    """The step is not outstanding."""

    tag: ClassVar[Literal["not-outstanding"]] = "not-outstanding"
    value: U32

    def __init__(self, value: U32) -> None:
        super().__init__(value)


class SessionErrorUnfitReply(SessionError):
    """A model's answer for a tool's step, or the other way round."""

    tag: ClassVar[Literal["unfit-reply"]] = "unfit-reply"
    value: U32

    def __init__(self, value: U32) -> None:
        super().__init__(value)


class SessionErrorBadSnapshot(SessionError):
    """The bytes are not a snapshot of this version."""

    tag: ClassVar[Literal["bad-snapshot"]] = "bad-snapshot"


class SessionErrorFinished(SessionError):
    """The session has ended."""

    tag: ClassVar[Literal["finished"]] = "finished"


class SessionErrorOther(SessionError):
    """Anything else. Callers must not depend on the text."""

    tag: ClassVar[Literal["other"]] = "other"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


@dataclass
class Bounds:
    """The limits of a session. An agent that reaches one replies to its caller with the limit's name and its partial answer; a limit
    of the whole session stops it.
    """

    _order: ClassVar[tuple[str, ...]] = (
        "depth",
        "turns",
        "total_turns",
        "children",
        "parallel",
        "tokens",
        "cost",
        "context",
        "deadline",
        "result_bytes",
    )

    depth: U32
    """Agents below agents."""

    turns: U32
    """Turns of one agent. An agent may set fewer for itself."""

    total_turns: U32
    """Turns in all."""

    children: U32
    """Agents called in all."""

    parallel: U32
    """Called agents that work at once. More wait; one that only waits for others does not count."""

    result_bytes: U32
    """Bytes of one tool result. Longer ones are cut, with a notice."""

    tokens: Optional[U64] = None
    """Tokens in all."""

    cost: Optional[U64] = None
    """Cost in all, in millionths of the host's currency."""

    context: Optional[U64] = None
    """Tokens of one request to a model. Before a request that may have more, results of earlier tool calls are left out of the
    conversation; the last three stay.
    """

    deadline: Optional[U64] = None
    """The end, in nanoseconds of the host's clock."""


@dataclass
class ModelChoice:
    """A model, and the provider if given."""

    _order: ClassVar[tuple[str, ...]] = (
        "provider",
        "model",
    )

    model: str
    """The model."""

    provider: Optional[str] = None
    """The provider."""


class PermissionMode(Word):
    """Calls that need no confirmation. Whether a call is allowed at all depends on the agent's definition."""

    PLAN = "plan"
    """No changes are allowed, confirmed or not."""

    DEFAULT = "default"
    """Calls that change nothing."""

    ACCEPT_EDITS = "accept-edits"
    """Those, and changes to files of the project."""

    BYPASS = "bypass"
    """Everything."""


@dataclass
class Workspaces:
    """The places of workspaces: copies of the project that agents change instead of it."""

    directory: str
    """The directory that contains them, absolute and without links. Each is a directory in it, named by its number."""

    project: str
    """The project's directory in each, such as `packages/a`; empty if that is the whole workspace."""


@dataclass
class IsolationUnavailable:
    """It has none, for this reason. Agents whose files ask for it fail with the reason."""

    tag: ClassVar[Literal["unavailable"]] = "unavailable"
    value: str


@dataclass
class IsolationWorktrees:
    """It makes a git worktree for each of them, at the latest for its first call."""

    tag: ClassVar[Literal["worktrees"]] = "worktrees"
    value: Workspaces


Isolation = Union[
    IsolationUnavailable,
    IsolationWorktrees,
]
"""The host's support of isolation."""


@dataclass
class Repository:
    """The state of a git repository."""

    _order: ClassVar[tuple[str, ...]] = (
        "branch",
        "changes",
        "commits",
    )

    changes: list[str]
    """Changed files, one each, as `git status --short` prints them. Agents are told of the first 2,000 bytes."""

    commits: list[str]
    """The last commits, the newest first, as `git log --oneline` prints them."""

    branch: Optional[str] = None
    """The current branch; none if there is none."""


@dataclass
class Surroundings:
    """What a host tells agents about where they work."""

    directory: str
    """The directory, as agents are told: absolute. Agents with a workspace of their own are told its directory."""

    platform: str
    """The operating system, such as `linux`."""

    date: str
    """The date, such as `2026-11-27`."""

    personal: bool
    """Whether agents also get the user's own instructions: those in the home directory, and files such as `CLAUDE.local.md`."""

    is_repository: bool
    """Whether the directory is in a git repository."""

    repository: Optional[Repository] = None
    """The state of the repository, if it is known."""


@dataclass
class Settings:
    """The host's settings of a session."""

    _order: ClassVar[tuple[str, ...]] = (
        "bounds",
        "attenuate",
        "mode",
        "allow",
        "trusted",
        "root",
        "isolation",
        "surroundings",
        "home",
        "base_prompt",
        "default_model",
        "aliases",
    )

    bounds: Bounds
    """Its limits."""

    attenuate: bool
    """Whether each agent is limited to its caller's permissions."""

    mode: PermissionMode
    """Calls that need no confirmation."""

    allow: list[str]
    """Further calls that need no confirmation: entries as in lists of tools of the catalog's dialect, such as `Bash(git *)`."""

    trusted: list[str]
    """Agents whose files the user trusts: their endpoints and variables for keys are used, and the host starts the servers that
    they configure.
    """

    root: str
    """The project directory, absolute: the base of relative paths."""

    isolation: Isolation
    """The workspaces of agents whose files ask for isolation."""

    base_prompt: str
    """The system prompt of agents without one of their own."""

    default_model: ModelChoice
    """The default model."""

    aliases: list[tuple[str, ModelChoice]]
    """Model aliases."""

    surroundings: Optional[Surroundings] = None
    """What agents are told about where they work. With it, they also get the instructions of the user and the project that their
    product gives them, such as `CLAUDE.md`; without it, only their prompts and tasks.
    """

    home: Optional[str] = None
    """The home directory, absolute."""


@dataclass
class Usage:
    """The usage of a session."""

    turns: U32
    """Requests to models."""

    children: U32
    """Agents that were called."""

    input_tokens: U64
    """Tokens read."""

    output_tokens: U64
    """Tokens written."""

    cost: U64
    """Cost, in millionths of the host's currency."""


@dataclass
class Said:
    """An answer of a model."""

    text: str
    """The text."""

    input_tokens: U32
    """Tokens read."""

    output_tokens: U32
    """Tokens written."""


@dataclass
class Refused:
    """A denied or invalid call. The host sees it only here."""

    id: str
    """The model's ID of it."""

    tool: str
    """The tool."""

    reason: str
    """Why."""


@dataclass
class Returned:
    """An answered call."""

    id: str
    """The model's ID of it."""

    is_error: bool
    """Whether the answer reports a failure."""


@dataclass
class HappeningCalled:
    """The agent was called with this task."""

    tag: ClassVar[Literal["called"]] = "called"
    value: str


@dataclass
class HappeningWaits:
    """It waits until fewer agents are working."""

    tag: ClassVar[Literal["waits"]] = "waits"


@dataclass
class HappeningIgnored:
    """A part of its file, or of a skill, is ignored: a hook, a permission mode, a skill that cannot be loaded, and unless the file is
    trusted, a server, an endpoint and a key's variable.
    """

    tag: ClassVar[Literal["ignored"]] = "ignored"
    value: str


@dataclass
class HappeningAsked:
    """This model was asked."""

    tag: ClassVar[Literal["asked"]] = "asked"
    value: str


@dataclass
class HappeningSaid:
    """It answered."""

    tag: ClassVar[Literal["said"]] = "said"
    value: Said


@dataclass
class HappeningCalls:
    """The agent calls a tool."""

    tag: ClassVar[Literal["calls"]] = "calls"
    value: ToolCall


@dataclass
class HappeningRefused:
    """A call was denied."""

    tag: ClassVar[Literal["refused"]] = "refused"
    value: Refused


@dataclass
class HappeningReturned:
    """A call was answered."""

    tag: ClassVar[Literal["returned"]] = "returned"
    value: Returned


@dataclass
class HappeningEnded:
    """The agent's part ended."""

    tag: ClassVar[Literal["ended"]] = "ended"
    value: Outcome


@dataclass
class HappeningCompacted:
    """Results of earlier tool calls were left out of the agent's conversation, so many, as it was too long for its model."""

    tag: ClassVar[Literal["compacted"]] = "compacted"
    value: U32


@dataclass
class HappeningInvalid:
    """A call was invalid: its arguments cannot be read, the tool or agent is unknown, or a limit of agents is reached."""

    tag: ClassVar[Literal["invalid"]] = "invalid"
    value: Refused


Happening = Union[
    HappeningCalled,
    HappeningWaits,
    HappeningIgnored,
    HappeningAsked,
    HappeningSaid,
    HappeningCalls,
    HappeningRefused,
    HappeningReturned,
    HappeningEnded,
    HappeningCompacted,
    HappeningInvalid,
]
"""What happened."""


@dataclass
class Event:
    """An event."""

    number: U64
    """Its number. A gap means that the host polled too rarely."""

    at: U64
    """When, in nanoseconds of the host's clock."""

    run: U32
    """The agent's number: 0 for the first agent, then in the order of their calls."""

    agent: list[str]
    """The agent, the outermost first."""

    what: Happening
    """What happened."""


class Session(Resource):
    """A running delegation."""

    @classmethod
    def open(cls, sandbox: Sandbox, from_: Catalog, task: Task, tools: list[ToolSpec], settings: Settings) -> Session:
        """Starts a session. Fails with `unknown-agent` if the agent is not active.
        `tools` are the host's tools; the session itself has the tools that call agents and that load skills. It keeps the definitions
        and skills that are active now.
        """
        return cls(sandbox, sandbox.call(_SESSION_OPEN, from_, task, tools, settings))

    @classmethod
    def open_baseline(cls, sandbox: Sandbox, from_: Catalog, task: Task, tools: list[ToolSpec], settings: Settings) -> Session:
        """Starts a session to compare with one of `open`: what the first agent does without instructions of its own. Its prompt, context and
        list of skills are left out, so that it has `base-prompt`; its model, tools, permissions and limits stay, and agents that it calls
        have their instructions. Fails like `open`.
        """
        return cls(sandbox, sandbox.call(_SESSION_OPEN_BASELINE, from_, task, tools, settings))

    def poll(self, now: U64, from_: U32) -> list[Outstanding]:
        """All outstanding steps at `now`, in nanoseconds of the host's clock, from number `from`, in order. Numbers grow, so a host can
        ask for steps after the last known one. Polling again returns the same.
        """
        answer: list[Outstanding] = self._call(_SESSION_POLL, now, from_)
        return answer

    def poll_brief(self, now: U64, from_: U32) -> list[Outstanding]:
        """Like `poll`, but requests to models have no messages: `messages` has them. A host that keeps an agent's conversation only asks
        for new messages, so that the cost of a turn does not grow with the conversation.
        """
        answer: list[Outstanding] = self._call(_SESSION_POLL_BRIEF, now, from_)
        return answer

    def messages(self, run: U32, from_: U32) -> list[Message]:
        """The messages of an agent from this one on, counted from 0, as its model gets them. `run` is the number in its events. They are
        only appended to, except where a request has `changed-from`. None remain once the agent replied to its caller, and after `cancel`;
        the first agent's are kept.
        """
        answer: list[Message] = self._call(_SESSION_MESSAGES, run, from_)
        return answer

    def reach(self, id: U32) -> Optional[Reach]:
        """The files that the command of an outstanding tool call may change, and its network access, for hosts that can confine it. None if
        the step runs no command.
        """
        answer: Optional[Reach] = self._call(_SESSION_REACH, id)
        return answer

    def workspaces(self) -> list[Workspace]:
        """The workspaces of agents that have not ended, and the first agent's."""
        answer: list[Workspace] = self._call(_SESSION_WORKSPACES)
        return answer

    def reply(self, id: U32, reply: Reply, now: U64) -> None:
        """Answers one step. The next `poll` returns the steps that this makes possible.
        Fails with `not-outstanding` if the step is not outstanding, with `unfit-reply` if it is of the other kind, and with `finished`
        after the end, which may be the deadline. A failed call changes nothing.
        """
        self._call(_SESSION_REPLY, id, reply, now)

    def go_on(self, bounds: Optional[Bounds] = None, model: Optional[ModelChoice] = None) -> None:
        """Resumes a session that stopped at a limit or failed: its steps are outstanding again. New limits replace the old ones, and a
        new model replaces that of the first agent and of agents that inherited it, also in a running session. Fails with `finished`
        after an answer and after `cancel`.
        """
        self._call(_SESSION_GO_ON, bounds, model)

    def send(self, message: str) -> None:
        """Sends the first agent another message of the user after its answer, and continues the session. The agent's own limit of turns
        starts again, the session's limits do not: `go-on` sets new ones. Fails with `finished` after `cancel`, and with `other` before
        there is an answer.
        """
        self._call(_SESSION_SEND, message)

    def cancel(self) -> None:
        """Ends the session."""
        self._call(_SESSION_CANCEL)

    def outcome(self) -> Optional[Outcome]:
        """How it ended; none while it runs."""
        answer: Optional[Outcome] = self._call(_SESSION_OUTCOME)
        return answer

    def usage(self) -> Usage:
        """Its usage so far."""
        answer: Usage = self._call(_SESSION_USAGE)
        return answer

    def events(self) -> list[Event]:
        """The events since the last call. Only the newest are kept."""
        answer: list[Event] = self._call(_SESSION_EVENTS)
        return answer

    def snapshot(self) -> bytes:
        """The whole state, including definitions, for `restore`. It decides what agents may do, so it must be protected."""
        answer: bytes = self._call(_SESSION_SNAPSHOT)
        return answer

    @classmethod
    def restore(cls, sandbox: Sandbox, snapshot: bytes) -> Session:
        """Restores a session from a snapshot, on any machine. Fails with `bad-snapshot` if the bytes are not of this version."""
        return cls(sandbox, sandbox.call(_SESSION_RESTORE, snapshot))


_SESSION_OPEN = Function(
    "callsheet:agents/delegation@0.1.0", "[static]session.open", (Catalog, Task, list[ToolSpec], Settings), Own(Session), SessionError
)

_SESSION_OPEN_BASELINE = Function(
    "callsheet:agents/delegation@0.1.0", "[static]session.open-baseline", (Catalog, Task, list[ToolSpec], Settings), Own(Session), SessionError
)

_SESSION_POLL = Function(
    "callsheet:agents/delegation@0.1.0", "[method]session.poll", (Session, U64, U32), list[Outstanding], None
)

_SESSION_POLL_BRIEF = Function(
    "callsheet:agents/delegation@0.1.0", "[method]session.poll-brief", (Session, U64, U32), list[Outstanding], None
)

_SESSION_MESSAGES = Function(
    "callsheet:agents/delegation@0.1.0", "[method]session.messages", (Session, U32, U32), list[Message], None
)

_SESSION_REACH = Function(
    "callsheet:agents/delegation@0.1.0", "[method]session.reach", (Session, U32), Optional[Reach], None
)

_SESSION_WORKSPACES = Function(
    "callsheet:agents/delegation@0.1.0", "[method]session.workspaces", (Session,), list[Workspace], None
)

_SESSION_REPLY = Function(
    "callsheet:agents/delegation@0.1.0", "[method]session.reply", (Session, U32, Reply, U64), None, SessionError
)

_SESSION_GO_ON = Function(
    "callsheet:agents/delegation@0.1.0", "[method]session.go-on", (Session, Optional[Bounds], Optional[ModelChoice]), None, SessionError
)

_SESSION_SEND = Function(
    "callsheet:agents/delegation@0.1.0", "[method]session.send", (Session, str), None, SessionError
)

_SESSION_CANCEL = Function(
    "callsheet:agents/delegation@0.1.0", "[method]session.cancel", (Session,), None, None
)

_SESSION_OUTCOME = Function(
    "callsheet:agents/delegation@0.1.0", "[method]session.outcome", (Session,), Optional[Outcome], None
)

_SESSION_USAGE = Function(
    "callsheet:agents/delegation@0.1.0", "[method]session.usage", (Session,), Usage, None
)

_SESSION_EVENTS = Function(
    "callsheet:agents/delegation@0.1.0", "[method]session.events", (Session,), list[Event], None
)

_SESSION_SNAPSHOT = Function(
    "callsheet:agents/delegation@0.1.0", "[method]session.snapshot", (Session,), bytes, None
)

_SESSION_RESTORE = Function(
    "callsheet:agents/delegation@0.1.0", "[static]session.restore", (bytes,), Own(Session), SessionError
)


class Delegation(Interface):
    """One delegation and all that it spawns, as a state machine without I/O."""

    def default_settings(self, root: str, home: Optional[str] = None) -> Settings:
        """The default settings: those of the command line, without a model, isolation and surroundings."""
        answer: Settings = self._call(_DEFAULT_SETTINGS, root, home)
        return answer

    def server_reach(self, root: str) -> Reach:
        """The reach of an MCP server of a project: it writes the project, and uses the network. `root` is absolute."""
        answer: Reach = self._call(_SERVER_REACH, root)
        return answer


_DEFAULT_SETTINGS = Function(
    "callsheet:agents/delegation@0.1.0", "default-settings", (str, Optional[str]), Settings, None
)

_SERVER_REACH = Function(
    "callsheet:agents/delegation@0.1.0", "server-reach", (str,), Reach, None
)
