"""The imports of a component instance: files, a model and tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Protocol

from ._disk import Named
from ._types import Function
from .contract import conversation, files, model, tools
from .contract.projects import Location

IMPORTS = (files.LIST_DIRECTORY, files.READ, model.COMPLETE, tools.CALL)


class Provider(files.Files, Protocol):
    """Where files are read from, and which ones are visible."""

    def ancestors(self) -> Sequence[str]:
        """The names of the directories above the project in the same repository, nearest first."""

    def fresh(self) -> Provider:
        """The same files, with none visible."""

    def begin(self) -> None:
        """Called before each call of the component."""

    def grant(self, location: Location) -> None:
        """Lets the component see a folder that its dialect searches."""

    def grant_referred(self, path: str) -> None:
        """Lets the component see a path that agents refer to."""

    def grant_named(self, path: str, prefers_project: bool = False) -> Named:
        """Lets the component see a path from the user.

        With `prefers_project`, a relative one is in the project if it exists there, unless it is as in a report. Fails with
        `PathError` if it does not exist.
        """


class Imports:
    """Implements the imports of the component."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self._last: Optional[str] = None
        self._withheld: set[str] = set()

    def answer(self, function: Function, arguments: list[Any]) -> Any:
        if function is files.LIST_DIRECTORY:
            return self.provider.list_directory(*arguments)
        if function is files.READ:
            return self._read(*arguments)
        raise conversation.CallErrorDenied("this host uses sessions")

    def begin(self) -> None:
        self._last = None
        self.provider.begin()

    def withhold_last(self) -> Optional[str]:
        if self._last is not None:
            self._withheld.add(self._last)
        return self._last

    def _read(self, path: str) -> bytes:
        if path in self._withheld:
            raise files.FileErrorOther("the component failed on this file earlier")
        self._last = path
        return self.provider.read(path)
