"""Base classes for the modules of the contract."""

from __future__ import annotations

from typing import Any, TypeVar

from ._errors import Failure, Lost
from ._sandbox import Sandbox
from ._types import S64, U8, U32, U64, Function, Own, Word

__all__ = ["S64", "U8", "U32", "U64", "Failure", "Function", "Interface", "Own", "Resource", "Sandbox", "Word"]

Self = TypeVar("Self", bound="Resource")


class Interface:
    """Functions of the component."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def _call(self, function: Function, *arguments: Any) -> Any:
        return self._sandbox.call(function, *arguments)


class Resource:
    """An object in the component, which exists until it is closed or garbage-collected."""

    def __init__(self, sandbox: Sandbox, handle: Any) -> None:
        self._sandbox, self._handle, self._generation = sandbox, handle, sandbox.generation

    def close(self) -> None:
        """Releases the object."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._sandbox.abandon(self._generation, handle)

    def borrow(self) -> Any:
        """The handle, for a call. Fails with `Lost` if the component has failed since."""
        if self._handle is None:
            raise ValueError("closed")
        if self._generation != self._sandbox.generation:
            raise Lost
        return self._handle

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()

    def _call(self, function: Function, *arguments: Any) -> Any:
        return self._sandbox.call(function, self, *arguments)
