"""A host's tools, for hosts that prefer callbacks to polling.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from typing import Protocol

from .._contract import Function
from .conversation import CallError, ToolAnswer, ToolRequest


class Tools(Protocol):
    """A host's tools, for hosts that prefer callbacks to polling."""

    def call(self, request: ToolRequest) -> ToolAnswer:
        """Calls one tool. Fails with a `call-error` if the tool could not be run; a tool's own failure is an answer."""


CALL = Function(
    "callsheet:agents/tools@0.1.0", "call", (ToolRequest,), ToolAnswer, CallError
)
