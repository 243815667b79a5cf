"""A host's model, for hosts that prefer to be called rather than to poll.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from typing import Protocol

from .._contract import Function
from .conversation import CallError, ModelAnswer, ModelRequest


class Model(Protocol):
    """A host's model, for hosts that prefer to be called rather than to poll."""

    def complete(self, request: ModelRequest) -> ModelAnswer:
        """Completes one request. Fails with a `call-error` if no answer could be had."""


COMPLETE = Function(
    "callsheet:agents/model@0.1.0", "complete", (ModelRequest,), ModelAnswer, CallError
)
