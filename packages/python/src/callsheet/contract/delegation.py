"""One delegation and all that it spawns, as a state machine that does no I/O.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Optional, Union

from .._contract import U32, U64, Failure, Function, Interface, Own, Resource, Sandbox, Word
from .catalogs import Catalog
from .conversation import CallError, Message, ModelAnswer, ModelRequest, ToolAnswer, ToolCall, ToolRequest, ToolSpec


@dataclass
class Task:
    """What is to be done, and by whom."""

    agent: str
    """The agent."""

    prompt: str
    """What it is asked."""

    description: Optional[str] = None
    """The task in three to five words."""

    model: Optional[str] = None
    """A model that goes before the agent's own."""


@dataclass
class Reach:
    """What a command may change and reach, by the rights of its agent."""

    writes: list[str]
    """Files and directories that it may write, with all below: absolute paths."""

    keeps: list[str]
    """What stays read-only below those: paths from the project, `*` being part of a name. Of two that contain each other, the
    longer path counts.
    """

    network: bool
    """Whether it may use the network."""


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
"""Something that may happen now."""


@dataclass
class Outstanding:
    """A step with its name. Several may be outstanding; they may be answered in any order."""

    id: U32
    """Its name."""

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
    """There is none."""

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
    """A bound that stopped a session."""

    bound: str
    """The bound: a field of `bounds`."""

    partial: str
    """What there was of an answer."""


@dataclass
class OutcomeAnswer:
    """With an answer."""

    tag: ClassVar[Literal["answer"]] = "answer"
    value: str


@dataclass
class OutcomeBound:
    """At a bound."""

    tag: ClassVar[Literal["bound"]] = "bound"
    value: Exceeded


@dataclass
class OutcomeFailed:
    """Without an answer; what went wrong."""

    tag: ClassVar[Literal["failed"]] = "failed"
    value: str


@dataclass
class OutcomeCancelled:
    """By `cancel`."""

    tag: ClassVar[Literal["cancelled"]] = "cancelled"


Outcome = Union[
    OutcomeAnswer,
    OutcomeBound,
    OutcomeFailed,
    OutcomeCancelled,
]
"""How a session ended. One that stopped at a bound or failed can go on, and one with an answer takes further messages."""


@dataclass
class UnknownAgent:
    """A name that no agent in force has."""

    name: str
    """The name."""

    nearest: Optional[str] = None
    """The nearest one, if one is near."""


class SessionError(Failure):
    """Why a call was refused."""


class SessionErrorUnknownAgent(SessionError):
    """No agent of this name is in force."""

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
    """The bytes are no snapshot of this version."""

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
    """What a session may use up. An agent that reaches a bound answers its caller with the bound's name and with what there
    was of an answer; one on all of the session stops it.
    """

    _order: ClassVar[tuple[str, ...]] = (
        "depth",
        "turns",
        "total_turns",
        "children",
        "parallel",
        "tokens",
        "cost",
        "deadline",
        "result_bytes",
    )

    depth: U32
    """Agents below agents."""

    turns: U32
    """Turns of one agent. One that sets itself fewer has fewer."""

    total_turns: U32
    """Turns in all."""

    children: U32
    """Agents called in all."""

    parallel: U32
    """Called agents at work at once. More wait; one that only waits for others is not at work."""

    result_bytes: U32
    """Bytes of one tool result. What is longer is cut, with a notice."""

    tokens: Optional[U64] = None
    """Tokens in all."""

    cost: Optional[U64] = None
    """Cost in all, in millionths of the host's currency."""

    deadline: Optional[U64] = None
    """The end, in nanoseconds of the host's clock."""


@dataclass
class ModelChoice:
    """A model, and the provider if it is said."""

    _order: ClassVar[tuple[str, ...]] = (
        "provider",
        "model",
    )

    model: str
    """The model."""

    provider: Optional[str] = None
    """The provider."""


class PermissionMode(Word):
    """What is done without asking the user. What an agent may do at all is its definition's affair."""

    PLAN = "plan"
    """Nothing may be changed, asked or not."""

    DEFAULT = "default"
    """What changes nothing."""

    ACCEPT_EDITS = "accept-edits"
    """That, and to change files of the project."""

    BYPASS = "bypass"
    """Everything."""


@dataclass
class Settings:
    """What the host says of a session."""

    _order: ClassVar[tuple[str, ...]] = (
        "bounds",
        "attenuate",
        "mode",
        "allow",
        "trusted",
        "root",
        "home",
        "base_prompt",
        "default_model",
        "aliases",
    )

    bounds: Bounds
    """What it may use up."""

    attenuate: bool
    """Whether an agent never may what its caller may not."""

    mode: PermissionMode
    """What is done without asking the user."""

    allow: list[str]
    """What is done without asking besides: entries as lists of tools have them in the catalog's dialect, such as
    `Bash(git *)`.
    """

    trusted: list[str]
    """Agents whose files the user trusts: the endpoints and the variables for keys that they name are heeded, and the host
    starts the servers that they bring along.
    """

    root: str
    """The project directory, absolute: where relative paths begin."""

    base_prompt: str
    """The system prompt of agents that do not bring one of their own."""

    default_model: ModelChoice
    """The model of those for whom nobody names one."""

    aliases: list[tuple[str, ModelChoice]]
    """Words for models."""

    home: Optional[str] = None
    """The home directory, absolute."""


@dataclass
class Usage:
    """What a session used up."""

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
    """What a model said."""

    text: str
    """The text."""

    input_tokens: U32
    """Tokens read."""

    output_tokens: U32
    """Tokens written."""


@dataclass
class Refused:
    """A call that was refused. The host never sees it otherwise."""

    id: str
    """The model's name for it."""

    tool: str
    """The tool."""

    reason: str
    """Why."""


@dataclass
class Returned:
    """A call that was answered."""

    id: str
    """The model's name for it."""

    is_error: bool
    """Whether the answer tells of a failure."""


@dataclass
class HappeningCalled:
    """The agent was called with this task."""

    tag: ClassVar[Literal["called"]] = "called"
    value: str


@dataclass
class HappeningWaits:
    """It waits until fewer agents are at work."""

    tag: ClassVar[Literal["waits"]] = "waits"


@dataclass
class HappeningIgnored:
    """Something in its file is not heeded: a hook, a permission mode, and unless the file is trusted, a server, an endpoint
    and a key's variable.
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
    """A call was refused."""

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
]
"""What happened."""


@dataclass
class Event:
    """Something that happened."""

    number: U64
    """Its number. Where one is missing, the host asked too seldom."""

    at: U64
    """When, in nanoseconds of the host's clock."""

    run: U32
    """Whose part it is: 0 for the first agent, then as they are called."""

    agent: list[str]
    """The agent, the outermost first."""

    what: Happening
    """What."""


class Session(Resource):
    """A running delegation."""

    @classmethod
    def open(cls, sandbox: Sandbox, from_: Catalog, task: Task, tools: list[ToolSpec], settings: Settings) -> Session:
        """Starts one. Fails with `unknown-agent` if the agent is not in force.
        `tools` are what the host can do. The session keeps the definitions that are in force now.
        """
        return cls(sandbox, sandbox.call(_SESSION_OPEN, from_, task, tools, settings))

    def poll(self, now: U64, from_: U32) -> list[Outstanding]:
        """Everything outstanding at `now`, in nanoseconds of the host's clock, whose name is `from` or greater, the smallest
        name first. Names grow, so a host that knows the steps up to one asks from the next. Asking twice gives the same.
        """
        answer: list[Outstanding] = self._call(_SESSION_POLL, now, from_)
        return answer

    def poll_brief(self, now: U64, from_: U32) -> list[Outstanding]:
        """As `poll`, but requests to models have no messages: `messages` has them. A host that keeps an agent's conversation asks
        for the new messages only, so that a turn does not cost as much as all before it.
        """
        answer: list[Outstanding] = self._call(_SESSION_POLL_BRIEF, now, from_)
        return answer

    def messages(self, run: U32, from_: U32) -> list[Message]:
        """The messages of an agent from this one on, counted from 0, as its model gets them. `run` is the number that its events
        have. They only grow. None are left once the agent answered its caller, and after `cancel`; the first agent's are kept.
        """
        answer: list[Message] = self._call(_SESSION_MESSAGES, run, from_)
        return answer

    def reach(self, id: U32) -> Optional[Reach]:
        """What the command of an outstanding tool call may change and reach, for hosts that can confine it. None if the step runs
        no command.
        """
        answer: Optional[Reach] = self._call(_SESSION_REACH, id)
        return answer

    def reply(self, id: U32, reply: Reply, now: U64) -> None:
        """Answers one step. What that makes possible is in the next `poll`.
        Fails with `not-outstanding` if no such step waits, with `unfit-reply` if it is of the other kind, and with `finished`
        after the end, which may be the deadline. What fails changes nothing.
        """
        self._call(_SESSION_REPLY, id, reply, now)

    def go_on(self, bounds: Optional[Bounds] = None, model: Optional[ModelChoice] = None) -> None:
        """Lets a session go on that stopped at a bound or failed: its steps are outstanding again. Bounds replace those that it
        had, a model that of the first agent and of those who have it from there; without them all is as it was. One that runs
        takes them, too. Fails with `finished` after an answer and after `cancel`.
        """
        self._call(_SESSION_GO_ON, bounds, model)

    def send(self, message: str) -> None:
        """Sends the first agent another message of the user after its answer, and lets the session go on. The agent's own limit of
        turns counts anew, the session's bounds do not: `go-on` sets others. Fails with `finished` after `cancel`, and with
        `other` before there is an answer.
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
        """What it used up so far."""
        answer: Usage = self._call(_SESSION_USAGE)
        return answer

    def events(self) -> list[Event]:
        """What happened since this was last asked. Of those that nobody asks for, the newest are kept."""
        answer: list[Event] = self._call(_SESSION_EVENTS)
        return answer

    def snapshot(self) -> bytes:
        """The whole state, the definitions included, for `restore`. Only those who may decide what agents do may change it."""
        answer: bytes = self._call(_SESSION_SNAPSHOT)
        return answer

    @classmethod
    def restore(cls, sandbox: Sandbox, snapshot: bytes) -> Session:
        """Goes on from a snapshot, on whatever machine. Fails with `bad-snapshot` if the bytes are none of this version."""
        return cls(sandbox, sandbox.call(_SESSION_RESTORE, snapshot))


_SESSION_OPEN = Function(
    "callsheet:agents/delegation@0.1.0", "[static]session.open", (Catalog, Task, list[ToolSpec], Settings), Own(Session), SessionError
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
    """One delegation and all that it spawns, as a state machine that does no I/O."""

    def default_settings(self, root: str, home: Optional[str] = None) -> Settings:
        """The settings where a host says nothing else: those of the command line, without a model."""
        answer: Settings = self._call(_DEFAULT_SETTINGS, root, home)
        return answer

    def server_reach(self, root: str) -> Reach:
        """What an MCP server of a project may change and reach: it writes the project, and uses the network. `root` is absolute."""
        answer: Reach = self._call(_SERVER_REACH, root)
        return answer


_DEFAULT_SETTINGS = Function(
    "callsheet:agents/delegation@0.1.0", "default-settings", (str, Optional[str]), Settings, None
)

_SERVER_REACH = Function(
    "callsheet:agents/delegation@0.1.0", "server-reach", (str,), Reach, None
)
