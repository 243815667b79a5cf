"""What passes between agents, models and tools. Types only.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Optional

from .._contract import U32, U64, Failure, Word


class Role(Word):
    """Who says something."""

    SYSTEM = "system"
    """The instructions."""

    USER = "user"
    """The one who asks."""

    ASSISTANT = "assistant"
    """The model."""

    TOOL = "tool"
    """A tool's result."""


@dataclass
class ToolCall:
    """A tool call that the model asked for."""

    id: str
    """The model's name for this call. No other call of the same answer has it; an agent whose model does otherwise fails."""

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
    """Who says it."""

    text: str
    """What is said."""

    calls: list[ToolCall]
    """The calls that an assistant asks for."""

    is_error: bool
    """Whether a tool's message tells of a failure."""

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
        "tools",
        "max_tokens",
        "effort",
        "thinking_budget",
        "base_url",
        "api_key_variable",
    )

    agent: list[str]
    """The agent that asks, the outermost first."""

    model: str
    """The model. Empty where nobody names one."""

    messages: list[Message]
    """The conversation so far."""

    tools: list[ToolSpec]
    """The tools on offer."""

    provider: Optional[str] = None
    """The provider, if the definition or the host names one."""

    max_tokens: Optional[U32] = None
    """The longest answer, in tokens."""

    effort: Optional[str] = None
    """How much effort to spend, in the dialect's words."""

    thinking_budget: Optional[U32] = None
    """Tokens for thinking."""

    base_url: Optional[str] = None
    """Where the agent's file wants the model to be asked. Only what the user trusts says so."""

    api_key_variable: Optional[str] = None
    """The environment variable that holds the key for it. Only what the user trusts says so."""


@dataclass
class ModelAnswer:
    """A model's answer."""

    text: str
    """What it says."""

    calls: list[ToolCall]
    """The calls it asks for."""

    input_tokens: U32
    """Tokens read."""

    output_tokens: U32
    """Tokens written."""

    cost: Optional[U64] = None
    """What it cost, in millionths of the host's currency, if the host knows."""


@dataclass
class ToolRequest:
    """A tool call that the component lets through."""

    agent: list[str]
    """The agent that asks, the outermost first."""

    call: ToolCall
    """The call."""

    permitted: bool
    """Whether it may be done without asking the user: the permission mode or a rule of the settings' `allow` covers it."""


@dataclass
class ToolAnswer:
    """A tool's result."""

    text: str
    """The result."""

    is_error: bool
    """Whether it tells of a failure."""


class CallError(Failure):
    """Why a host could not serve a call."""


class CallErrorUnavailable(CallError):
    """Not now; trying again may help."""

    tag: ClassVar[Literal["unavailable"]] = "unavailable"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class CallErrorDenied(CallError):
    """The user or the host does not permit it."""

    tag: ClassVar[Literal["denied"]] = "denied"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class CallErrorTimedOut(CallError):
    """It took too long."""

    tag: ClassVar[Literal["timed-out"]] = "timed-out"


class CallErrorOther(CallError):
    """Anything else. Callers must not depend on the text."""

    tag: ClassVar[Literal["other"]] = "other"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)
