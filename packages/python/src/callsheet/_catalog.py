"""The active agents of one dialect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional, Union

from ._imports import Provider
from ._sandbox import Sandbox
from .contract import catalogs
from .contract.conversation import ToolSpec
from .contract.delegation import Bounds, Delegation, ModelChoice, PermissionMode, Session, Settings, Surroundings, Task
from .contract.projects import Project, Sources


@dataclass(frozen=True)
class Roots:
    """Absolute paths of the project, for relative paths of agents, and of the home directory."""

    project: str
    home: Optional[str]


class Catalog(catalogs.Catalog):
    """The active agents of one dialect. Stays open until closed.

    A call fails with `Trap` if the component fails. The next call opens the catalog again, without the file that was being
    read.
    """

    _sources: Sources
    _options: catalogs.Options
    _roots: Roots
    _provider: Provider
    _registered: dict[str, str]
    _reserved: list[tuple[str, str]]

    @classmethod
    def over(
        cls, sandbox: Sandbox, sources: Sources, options: catalogs.Options, roots: Roots, provider: Provider
    ) -> Catalog:
        """Creates a catalog with its own sandbox. Use `Callsheet.catalog` instead."""
        catalog = cls(sandbox, _handle(sandbox, sources, options))
        catalog._sources, catalog._options = sources, options
        catalog._roots, catalog._provider = roots, provider
        catalog._registered, catalog._reserved = {}, []
        return catalog

    @property
    def dialect(self) -> str:
        """The dialect of the catalog."""
        return self._options.dialect

    def register(self, name: str, contents: str) -> None:
        super().register(name, contents)
        self._registered[name] = contents

    def search(self, query: str, limit: int = 10) -> list[catalogs.Entry]:
        return super().search(query, limit)

    def reserve(self, name: str, tool: str) -> None:
        super().reserve(name, tool)
        self._reserved.append((name, tool))

    def session(self, task: Task, tools: Sequence[ToolSpec] = (), settings: Optional[Settings] = None) -> Session:
        """Starts a session. `tools` are those of the host; `settings` default to the result of the method `settings`.

        Fails with `SessionErrorUnknownAgent` if there is no such active agent.
        """
        settings = settings or self.settings()
        if settings.surroundings is not None:
            # Instructions import files from anywhere in the project.
            self._provider.grant_referred(self._sources.directory)
        return Session.open(self._sandbox, self, task, list(tools), settings)

    def restore(self, snapshot: bytes) -> Session:
        """Resumes a saved session, also on another machine. It keeps the definitions from its start.

        Fails with `SessionErrorBadSnapshot` if the bytes are not a snapshot of this version.
        """
        return Session.restore(self._sandbox, snapshot)

    def settings(
        self,
        model: Union[str, ModelChoice] = "",
        *,
        mode: PermissionMode = PermissionMode.DEFAULT,
        allow: Sequence[str] = (),
        attenuate: bool = False,
        trusted: Sequence[str] = (),
        bounds: Optional[Bounds] = None,
        base_prompt: Optional[str] = None,
        surroundings: Optional[Surroundings] = None,
        aliases: Mapping[str, ModelChoice] = {},
    ) -> Settings:
        """Settings of a session, with the defaults of the command line."""
        usual = Delegation(self._sandbox).default_settings(self._roots.project, self._roots.home)
        return replace(
            usual,
            bounds=bounds or usual.bounds,
            attenuate=attenuate,
            mode=mode,
            allow=list(allow),
            trusted=list(trusted),
            base_prompt=usual.base_prompt if base_prompt is None else base_prompt,
            surroundings=surroundings,
            default_model=model if isinstance(model, ModelChoice) else ModelChoice(model),
            aliases=list(aliases.items()),
        )

    def borrow(self) -> Any:
        if self._handle is not None and self._generation != self._sandbox.generation:
            # The old handle was lost with its instance. It stays if this fails, so that the next call tries again.
            handle = _handle(self._sandbox, self._sources, self._options)
            self.close()
            self._handle = handle
            self._generation = self._sandbox.generation
            for name, contents in self._registered.items():
                super().register(name, contents)
            for name, tool in self._reserved:
                super().reserve(name, tool)
        return super().borrow()


def _handle(sandbox: Sandbox, sources: Sources, options: catalogs.Options) -> Any:
    with Project.open(sandbox, sources) as project:
        opened = catalogs.Catalog.open(sandbox, project, options)
    handle, opened._handle = opened._handle, None
    return handle
