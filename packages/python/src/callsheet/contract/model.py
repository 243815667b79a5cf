"""A host's model, for hosts that prefer callbacks to polling.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from typing import Protocol

from .._contract import Function
from .conversation import CallError, ModelAnswer, ModelRequest


class Model(Protocol):
    """A host's model, for hosts that prefer callbacks to polling."""

    def complete(self, request: ModelRequest) -> ModelAnswer:
        """Completes one request. Fails with a `call-error` if there is no answer."""


COMPLETE = Function(
    "callsheet:agents/model@0.1.0", "complete", (ModelRequest,), ModelAnswer, CallError
)
