"""Messages between agents, models and tools. Types only.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Optional

from .._contract import U32, U64, Failure, Word


class Role(Word):
    """The role of a message."""

    SYSTEM = "system"
    """The instructions."""

    USER = "user"
    """The caller."""

    ASSISTANT = "assistant"
    """The model."""

    TOOL = "tool"
    """A tool's result."""


@dataclass
class ToolCall:
    """A tool call that the model asked for."""

    id: str
    """The model's ID of this call, unique within an answer; an agent whose model repeats one fails."""

    name: str
    """The tool."""

    arguments: str
    """The arguments: a JSON object, as the model wrote it."""


@dataclass
class Message:
    """One message."""

    _order: ClassVar[tuple[str, ...]] = (
        "role",
        "text",
        "calls",
        "answers",
        "is_error",
    )

    role: Role
    """Its role."""

    text: str
    """The text."""

    calls: list[ToolCall]
    """The calls that an assistant requests."""

    is_error: bool
    """Whether a tool's message reports a failure."""

    answers: Optional[str] = None
    """The call that a tool's message answers."""


@dataclass
class ToolSpec:
    """A tool that a model may call."""

    name: str
    """Its name."""

    description: str
    """What it does."""

    schema: str
    """Its arguments: JSON Schema."""


@dataclass
class ModelRequest:
    """A request to a model."""

    _order: ClassVar[tuple[str, ...]] = (
        "agent",
        "provider",
        "model",
        "messages",
        "changed_from",
        "tools",
        "max_tokens",
        "effort",
        "thinking_budget",
        "base_url",
        "api_key_variable",
    )

    agent: list[str]
    """The agent that makes it, the outermost first."""

    model: str
    """The model; empty if none is named."""

    messages: list[Message]
    """The conversation so far."""

    tools: list[ToolSpec]
    """The offered tools."""

    provider: Optional[str] = None
    """The provider, if the definition or the host names one."""

    changed_from: Optional[U32] = None
    """The first message that changed since the agent's last request, counted from 0: results of earlier tool calls were left out. None
    if messages were only added. A host that keeps the conversation asks for the messages from this one on.
    """

    max_tokens: Optional[U32] = None
    """The longest answer, in tokens."""

    effort: Optional[str] = None
    """The effort, in the dialect's words."""

    thinking_budget: Optional[U32] = None
    """Tokens for thinking."""

    base_url: Optional[str] = None
    """The endpoint in the agent's file. Only set if the user trusts the file."""

    api_key_variable: Optional[str] = None
    """The environment variable with the key for it. Only set if the user trusts the file."""


@dataclass
class ModelAnswer:
    """A model's answer."""

    text: str
    """The text."""

    calls: list[ToolCall]
    """The calls it requests."""

    input_tokens: U32
    """Tokens read."""

    output_tokens: U32
    """Tokens written."""

    cost: Optional[U64] = None
    """Its cost, in millionths of the host's currency, if the host knows."""


@dataclass
class Workspace:
    """A copy of the project for an agent whose file asks for isolation, and for the agents that it calls."""

    id: U32
    """Its number: that of the agent, as in its events."""

    root: str
    """The project's directory in it, absolute: the base of relative paths."""

    agent: list[str]
    """The agent, the outermost first."""


@dataclass
class ToolRequest:
    """A tool call that the component allows."""

    agent: list[str]
    """The agent that makes it, the outermost first."""

    call: ToolCall
    """The call."""

    permitted: bool
    """Whether it needs no confirmation: the permission mode or a rule of the settings' `allow` covers it."""

    workspace: Optional[Workspace] = None
    """Where its agent works; none for the project."""


@dataclass
class ToolAnswer:
    """A tool's result."""

    text: str
    """The result."""

    is_error: bool
    """Whether it reports a failure."""


class CallError(Failure):
    """Why a host could not serve a call."""


class CallErrorUnavailable(CallError):
    """Temporarily; a retry may help."""

    tag: ClassVar[Literal["unavailable"]] = "unavailable"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class CallErrorDenied(CallError):
    """The user or the host denied it."""

    tag: ClassVar[Literal["denied"]] = "denied"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class CallErrorTimedOut(CallError):
    """It took too long."""

    tag: ClassVar[Literal["timed-out"]] = "timed-out"


class CallErrorTooLong(CallError):
    """A request to a model is longer than it takes. Results of earlier tool calls are left out, and it is asked again; if there are none,
    the request has failed.
    """

    tag: ClassVar[Literal["too-long"]] = "too-long"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class CallErrorOther(CallError):
    """Anything else. Callers must not depend on the text."""

    tag: ClassVar[Literal["other"]] = "other"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)
