"""The entrance: the component, and the files that it may see."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Optional, Union

from . import _check, _virtual
from ._catalog import Catalog, Roots
from ._check import Finding, PathLike
from ._component import load, packaged
from ._disk import Disk, Grounds, Place
from ._errors import PathError
from ._lent import IMPORTS, Lent, Provider
from ._mend import Mended, mend
from ._sandbox import Sandbox
from ._virtual import VirtualFiles
from .contract.catalogs import Catalogs, Location, Options, Plugin
from .contract.documents import Documents, Found
from .contract.files import FileError
from .contract.types import Diagnostic

_MEMORY_LIMIT = 512 << 20
_MAX_FILE_SIZE = 8 << 20
_CACHE_CAPACITY = 1024


class Callsheet(Documents):
    """The component, over a project on the disk or over files in memory.

    `project` is a directory; those above it up to the root of its repository are looked at, too, where a dialect does so.
    `home` is the home directory, None for none. `plugins` are directories of agents by the plugins' names, `directories` are
    some that count as given on the command line, and `inline` is a JSON object of agents. With `files`, nothing on the disk
    is touched: their paths, and those of plugins and directories, are relative to the project or begin with `~/`.

    Symbolic links are followed as far as they stay in the project, the home directory or another place that is given; with
    `follow_links`, everywhere. With `fail_closed`, a broken file that would have won leaves its name without a winner.
    Another build of the `component` has no time limit.
    """

    files: Optional[VirtualFiles]
    """The files in memory, if there are any. Whoever changes them should `refresh` the catalogs."""

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
            raise ValueError("a project on the disk and files in memory exclude each other")
        home = None if home is None or _is_unknown(home) else home
        self.files = None if files is None else VirtualFiles(files)
        if self.files is None:
            others = [place for place in (home, *plugins.values(), *directories) if place is not None]
            grounds = Grounds(
                project=_place(project),
                others=[_place(place) for place in others],
                follow_links=follow_links,
                own_component=component is None,
                max_file_size=max_file_size,
            )
            self._provider: Provider = Disk(grounds)
            self._roots = Roots(_real(project), None if home is None else _real(home))
        else:
            self._provider = self.files
            self._roots = Roots(_virtual.ROOT, None if home is None else _virtual.HOME)
        self._options = Options(
            dialect="",
            project=os.fspath(project),
            ancestors=list(self._provider.ancestors()),
            home=None if home is None else os.fspath(home),
            plugins=[Plugin(name, os.fspath(directory)) for name, directory in plugins.items()],
            directories=[os.fspath(directory) for directory in directories],
            inline=inline,
            cache_capacity=cache_capacity,
            fail_closed=fail_closed,
            check=True,
        )
        self._loaded = load(packaged() if component is None else Path(component), IMPORTS)
        self._memory_limit = memory_limit
        super().__init__(Sandbox(self._loaded, Lent(self._provider), memory_limit))

    def catalog(self, dialect: str, *, check: bool = True) -> Catalog:
        """Opens the catalog of one dialect and reads its sources.

        Without `check`, files are not held against every rule, and diagnostics tell only what decides how they load.
        Fails with `CatalogErrorUnknownDialect` if the dialect is not known and with `CatalogErrorBadInline` if the agents
        given inline cannot be read.
        """
        provider = self._provider.fresh()
        sandbox = Sandbox(self._loaded, Lent(provider), self._memory_limit)
        options, catalogs = self._for(dialect, check), Catalogs(sandbox)
        for location in catalogs.locations(options):
            provider.grant(location)
        for path in catalogs.referred(options):
            provider.grant_referred(path)
        return Catalog.over(sandbox, options, self._roots)

    def locations(self, dialect: str) -> list[Location]:
        """Every directory that a catalog of this dialect looks at, the weakest first. Touches no file.

        Fails with `CatalogErrorUnknownDialect` if the dialect is not known.
        """
        return Catalogs(self._sandbox).locations(self._for(dialect, True))

    def dialects_in_use(self) -> list[str]:
        """The dialects of which a directory of their own is there, sorted by name.

        Where its name tells nothing, as that of a bare `agents`, it has to hold a file of that dialect, or none.
        """
        return [dialect.id for dialect in self.dialects() if self._is_in_use(dialect.id)]

    def check(self, *paths: PathLike) -> list[Finding]:
        """What is wrong, sorted by place.

        Without paths, this is about the agents of every dialect in use, and about what is wrong between them. With paths, each
        of the files that they name, or that lie below, is looked at on its own.
        Fails with `PathError` if there is nothing of a name.
        """
        return _check.check(self, [os.fspath(path) for path in paths])

    def discover(self, path: str) -> tuple[list[Found], list[Diagnostic]]:
        with self._sandbox.lock:
            self._provider.grant_named(path)
            return super().discover(path)

    def read(self, path: str) -> bytes:
        """The contents of a file that the caller names, within the limits that hold for the component.

        Fails with `PathError` if it cannot be read.
        """
        with self._sandbox.lock:
            self._provider.grant_named(path)
            self._provider.begin()
            try:
                return self._provider.read(path)
            except FileError as error:
                raise PathError(path, str(error)) from None

    def fix(self, path: str, contents: bytes, dialect: Optional[str] = None, *, unsafe: bool = False) -> Mended:
        """What the fixes of a file's findings make of it, round after round until none is left. Writes nothing.

        Only fixes that do what the author plainly meant are applied, with `unsafe` all. A file whose fixes come to no end stays
        as it is. Fails with `DocumentErrorUnknownDialect` if the dialect is not known.
        """
        return mend(self, path, contents, dialect, unsafe)

    def _is_in_use(self, dialect: str) -> bool:
        return any(it.owned and self._is_of(it, dialect) for it in self.locations(dialect))

    def _is_of(self, location: Location, dialect: str) -> bool:
        directory = location.directory
        if not self._provider.is_directory(directory):
            return False
        if any(part.startswith(".") and part not in (".", "..") for part in directory.split("/")):
            return True
        # Nobody named it: a link that leads out is not followed.
        with self._sandbox.lock:
            self._provider.grant(location)
            found, _ = super().discover(directory)
        return not found or any(it.dialect == dialect for it in found)

    def _for(self, dialect: str, check: bool) -> Options:
        return replace(self._options, dialect=dialect, check=check)


def _place(name: PathLike) -> Place:
    return Place(os.fspath(name), Path(name).expanduser())


def _real(name: PathLike) -> str:
    return str(_place(name).path.resolve())


def _is_unknown(home: PathLike) -> bool:
    """Whether the user's home directory is meant, and the system does not know one."""
    return os.fspath(home) == "~" == os.path.expanduser("~")
