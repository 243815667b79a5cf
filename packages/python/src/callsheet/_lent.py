"""What an instance of the component is lent: files, a model and tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Protocol

from ._types import Function
from .contract import conversation, files, model, tools
from .contract.catalogs import Location

IMPORTS = (files.LIST_DIRECTORY, files.READ, model.COMPLETE, tools.CALL)


class Provider(files.Files, Protocol):
    """Where files come from, and which of them may be seen."""

    def ancestors(self) -> Sequence[str]:
        """The names of the directories above the project that belong to the same repository, the nearest first."""

    def fresh(self) -> Provider:
        """The same files, of which none may be seen yet."""

    def begin(self) -> None:
        """Is called before the component is."""

    def grant(self, location: Location) -> None:
        """Lets the component see a place where its dialect looks."""

    def grant_referred(self, path: str) -> None:
        """Lets the component see what agents refer to."""

    def grant_named(self, path: str) -> None:
        """Lets the component see what the user named. Fails with `PathError` if there is no such thing."""


class Lent:
    """Answers what the component asks."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self._last: Optional[str] = None
        self._withheld: set[str] = set()

    def answer(self, function: Function, arguments: list[Any]) -> Any:
        if function is files.LIST_DIRECTORY:
            return self.provider.list_directory(*arguments)
        if function is files.READ:
            return self._read(*arguments)
        raise conversation.CallErrorDenied("this host polls sessions")

    def begin(self) -> None:
        self._last = None
        self.provider.begin()

    def withhold_last(self) -> Optional[str]:
        if self._last is not None:
            self._withheld.add(self._last)
        return self._last

    def _read(self, path: str) -> bytes:
        if path in self._withheld:
            raise files.FileErrorOther("the component failed on this file before")
        self._last = path
        return self.provider.read(path)
