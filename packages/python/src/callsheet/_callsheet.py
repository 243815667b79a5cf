"""The main class: the component with the files it can read."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Optional, Union

from . import _virtual
from ._catalog import Catalog, Roots
from ._check import Finding, PathLike, findings_of, joined
from ._component import COMMAND, load, packaged
from ._disk import Disk, Grounds, Place, by_project
from ._errors import PathError
from ._imports import IMPORTS, Imports, Provider
from ._sandbox import Process, Sandbox
from ._types import Function
from ._virtual import VirtualFiles
from .contract.catalogs import Options
from .contract.documents import Dialect, Documents, Found
from .contract.files import FileError
from .contract.projects import (
    Build,
    Composition,
    Fixed,
    Graph,
    Inventory,
    Location,
    Part,
    Plugin,
    Project,
    Renaming,
    Report,
    Request,
    Scope,
    ScopeEverything,
    Sources,
)
from .contract.types import Diagnostic, Kind

_MEMORY_LIMIT = 512 << 20
_MAX_FILE_SIZE = 8 << 20
_CACHE_CAPACITY = 1024


class Callsheet(Documents):
    """The component with a project on disk or files in memory.

    `project` is a directory; the directories above it, up to the root of its repository, are also searched where a dialect
    does so. `home` is the home directory, or None; with the user's own, directories that variables such as
    `CLAUDE_CONFIG_DIR` name instead of parts of it are read. `plugins` maps plugin names to agent directories, `directories` are
    additional ones, as on the command line, and `inline` is a JSON object of agents. With `files`, nothing is read from
    disk: their paths, and those of plugins and directories, are relative to the project or begin with `~/`.

    Symbolic links are followed inside the project, the home directory and other given directories; with `follow_links`,
    everywhere. With `fail_closed`, a broken file that would win leaves its name without an agent. A custom `component` has
    no time limit.
    """

    files: Optional[VirtualFiles]
    """The files in memory, if any: the given ones if they are `VirtualFiles`. Call `refresh` on catalogs after changing them."""

    def __init__(
        self,
        project: PathLike = ".",
        *,
        home: Optional[PathLike] = "~",
        files: Optional[Mapping[str, Union[str, bytes]]] = None,
        plugins: Mapping[str, PathLike] = {},
        directories: Sequence[PathLike] = (),
        inline: Optional[str] = None,
        cache_capacity: int = _CACHE_CAPACITY,
        fail_closed: bool = False,
        follow_links: bool = False,
        max_file_size: int = _MAX_FILE_SIZE,
        memory_limit: int = _MEMORY_LIMIT,
        component: Optional[PathLike] = None,
    ) -> None:
        if files is not None and os.fspath(project) != ".":
            raise ValueError("`project` and `files` cannot be combined")
        home = None if home is None or _is_unknown(home) else home
        self.files = files if files is None or isinstance(files, VirtualFiles) else VirtualFiles(files)
        if self.files is None:
            others = [place for place in (home, *plugins.values(), *directories) if place is not None]
            grounds = Grounds(
                project=_place(project),
                others=[_place(place) for place in others],
                follow_links=follow_links,
                own_component=component in (None, COMMAND),
                max_file_size=max_file_size,
            )
            self._provider: Provider = Disk(grounds)
            self._roots = Roots(_real(project), None if home is None else _real(home))
        else:
            self._provider = self.files
            self._roots = Roots(_virtual.ROOT, None if home is None else _virtual.HOME)
        self._sources = Sources(
            directory=os.fspath(project),
            ancestors=list(self._provider.ancestors()),
            home=None if home is None else os.fspath(home),
            variables=[],
            plugins=[Plugin(name, os.fspath(directory)) for name, directory in plugins.items()],
            directories=[os.fspath(directory) for directory in directories],
            inline=inline,
            fail_closed=fail_closed,
        )
        self._elsewhere = partial(
            Callsheet,
            home=home,
            cache_capacity=cache_capacity,
            fail_closed=fail_closed,
            follow_links=follow_links,
            max_file_size=max_file_size,
            memory_limit=memory_limit,
            component=component,
        )
        self._cache_capacity = cache_capacity
        self._loaded = load(packaged() if component is None else Path(component), IMPORTS)
        self._memory_limit = memory_limit
        super().__init__(Sandbox(self._loaded, Imports(self._provider), memory_limit))
        if home == "~" and component is None and isinstance(self._provider, Disk):
            self._relocate(self._provider)

    def catalog(self, dialect: str, *, kind: Kind = Kind.AGENT, check: bool = True) -> Catalog:
        """Opens the catalog of one dialect for agents, skills or commands, and reads its sources.

        Without `check`, files are not checked against all rules, and diagnostics only cover loading. Fails with
        `CatalogErrorUnknownDialect` for an unknown dialect, and with `CatalogErrorBadInline` if the inline agents cannot be
        read.
        """
        provider = self._provider.fresh()
        sandbox = Sandbox(self._loaded, Imports(provider), self._memory_limit)
        with Project.open(sandbox, self._sources) as project:
            for location in project.locations(dialect, kind):
                provider.grant(location)
            for path in project.referred(dialect, kind, check):
                provider.grant_referred(path)
        options = Options(dialect=dialect, kind=kind, cache_capacity=self._cache_capacity, check=check)
        return Catalog.over(sandbox, self._sources, options, self._roots, provider)

    def locations(self, dialect: str) -> list[Location]:
        """The folders that a catalog of this dialect searches, lowest precedence first. Reads no files.

        Fails with `CatalogErrorUnknownDialect` for an unknown dialect.
        """
        with self._sandbox.lock, Project.open(self._sandbox, self._sources) as project:
            return project.locations(dialect, Kind.AGENT)

    def dialects(self, kind: Kind = Kind.AGENT) -> list[Dialect]:
        """Every dialect with rules for such files, sorted by name."""
        with self._sandbox.lock:
            return super().dialects(kind)

    def dialects_in_use(self, kind: Kind = Kind.AGENT) -> list[str]:
        """The dialects with such files in the project, a directory above it or the home directory, sorted by name."""
        with self._sandbox.lock, self._open_project() as project:
            return project.in_use(kind)

    def check(
        self,
        *paths: PathLike,
        dialect: Optional[str] = None,
        targets: Sequence[str] = (),
        build: Optional[Build] = None,
    ) -> list[Finding]:
        """The findings of `report`, sorted by position."""
        return findings_of(self.report(*paths, dialect=dialect, targets=targets, build=build))

    def report(
        self,
        *paths: PathLike,
        dialect: Optional[str] = None,
        targets: Sequence[str] = (),
        build: Optional[Build] = None,
    ) -> Report:
        """Checks the project, or the given files and directories.

        A relative path that begins with the name of the project or of another directory, such as `~`, is as in a report. Others
        are relative to the project if they exist there, otherwise to the working directory. Those outside the project are
        checked as parts of their own projects.

        Each file is judged by its owner, or by `dialect`, and also by `targets`. With `build`, from `sources`, the report
        includes what is wrong with how its files are combined. Fails with `PathError` if a path does not exist, and with
        `CatalogErrorUnknownDialect` for an unknown dialect.
        """
        named, others = self._named(paths)
        reports = [
            self._elsewhere(directory).report(*rest, dialect=dialect, targets=targets)
            for directory, rest in others.items()
        ]
        if named or not others:
            with self._sandbox.lock, self._open_project() as project:
                reports.append(project.check(Request(targets=list(targets), paths=named, dialect=dialect), build))
        return joined(reports)

    def graph(self, scope: Optional[Scope] = None, part: Part = Part.WHOLE) -> Graph:
        """What the files of the project define, and what they refer to; by default, all of it."""
        with self._sandbox.lock, self._open_project() as project:
            everything = Request(targets=[], paths=[], dialect=None)
            return project.graph(everything, scope or ScopeEverything(), part)

    def inventory(self) -> Inventory:
        """What acts in the project: agents, skills, commands, MCP servers and hooks, and what agents reach."""
        with self._sandbox.lock, self._open_project() as project:
            return project.inventory(Request(targets=[], paths=[], dialect=None))

    def rename(self, path: PathLike, to: str) -> Renaming:
        """What changes if the agent, skill or command in this file gets another name. Writes nothing.

        That is its file or folder, its name, and every reference to it in the project. The path is as in a report, or relative to
        the project. Fails with `CatalogErrorOther` and the
        reason if it is impossible.
        """
        with self._sandbox.lock, self._open_project() as project:
            return project.rename(os.fspath(path), to)

    def compose(self, build: Build) -> Composition:
        """What agents that extend and include others, from `sources`, compile to. Writes nothing.

        Fails with `CatalogErrorUnknownDialect` for an unknown dialect, and with `CatalogErrorOther` if that of the sources has no
        Markdown files.
        """
        with self._sandbox.lock, self._open_project() as project:
            return project.compose(build)

    def fix_project(
        self,
        *paths: PathLike,
        dialect: Optional[str] = None,
        targets: Sequence[str] = (),
        unsafe: bool = False,
    ) -> list[Fixed]:
        """The files that `report` checks, as changed by fixes. Writes nothing.

        Omits unchanged files. Fails like `report`.
        """
        named, others = self._named(paths)
        fixed = [
            it
            for directory, rest in others.items()
            for it in self._elsewhere(directory).fix_project(*rest, dialect=dialect, targets=targets, unsafe=unsafe)
        ]
        if named or not others:
            with self._sandbox.lock, self._open_project() as project:
                request = Request(targets=list(targets), paths=named, dialect=dialect)
                fixed += project.fix(request, unsafe_too=unsafe, exceptions=[])
        return fixed

    def discover(self, path: str) -> tuple[list[Found], list[Diagnostic]]:
        with self._sandbox.lock:
            self._provider.grant_named(path)
            return super().discover(path)

    def read(self, path: str) -> bytes:
        """The contents of a file of the project, the home directory or another given directory.

        Fails with `PathError` if it cannot be read, or is outside.
        """
        with self._sandbox.lock:
            self._provider.grant_referred(path)
            self._provider.begin()
            try:
                return self._provider.read(path)
            except FileError as error:
                raise PathError(path, str(error)) from None

    def _run(self, command: Function, process: Process) -> Any:
        """Runs a command line of the component, which can read the project and named paths."""
        with self._sandbox.lock:
            self._sandbox.process = process
            self._open_project().close()
            return self._sandbox.call(command)

    def _named(self, paths: Sequence[PathLike]) -> tuple[list[str], dict[str, list[str]]]:
        """The project's names of paths, and the absolute paths elsewhere by the directories of their projects."""
        with self._sandbox.lock:
            found = [self._provider.grant_named(os.fspath(path), prefers_project=True) for path in paths]
        here = [it.path for it in found if it.name is not None]
        elsewhere = by_project([it.path for it in found if it.name is None], here)
        others = {directory: [os.path.abspath(path) for path in rest] for directory, rest in elsewhere.items()}
        return [it.name for it in found if it.name is not None], others

    def _open_project(self) -> Project:
        """The project, with its files visible to the component."""
        sources = self._sources
        project = Project.open(self._sandbox, sources)
        places = project.places()
        for location in places.locations:
            self._provider.grant(location)
        for path in (sources.directory, *sources.ancestors, *places.referred):
            self._provider.grant_referred(path)
        return project

    def _relocate(self, disk: Disk) -> None:
        """Adds the directories that environment variables name instead of parts of the user's home directory."""
        moved = []
        with self._sandbox.lock:
            known = self.variables()
        others = ("~", self._sources.directory, *disk.ancestors())
        for variable in known:
            path = os.environ.get(variable.name)
            # Its agents would be found twice.
            is_there = path and any(_real(path) == _real(os.path.join(other, variable.replaces)) for other in others)
            if path and not is_there:
                disk.add(Place(f"${variable.name}", Path(path)))
                moved.append(variable.name)
        self._sources = replace(self._sources, variables=moved)


def _place(name: PathLike) -> Place:
    return Place(os.fspath(name), Path(name).expanduser())


def _real(name: PathLike) -> str:
    return str(_place(name).path.resolve())


def _is_unknown(home: PathLike) -> bool:
    """Whether the user's home directory was requested, but the system does not know it."""
    return os.fspath(home) == "~" == os.path.expanduser("~")
