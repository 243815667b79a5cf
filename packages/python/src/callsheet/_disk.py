"""Files on the disk, below the places that were opened, and nowhere else."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from ._errors import PathError
from ._places import Places, Target, repository
from ._root import Root, open_file
from .contract.catalogs import Location
from .contract.files import (
    Entry,
    FileError,
    FileErrorDenied,
    FileErrorNotADirectory,
    FileErrorNotFound,
    FileErrorOther,
    FileErrorTooLarge,
)
from .contract.types import Level


@dataclass(frozen=True)
class Place:
    """A directory, and the name that the component and its findings call it by."""

    name: str
    path: Path


@dataclass(frozen=True)
class Grounds:
    """Where files are looked for, and how."""

    project: Place
    others: Sequence[Place]
    follow_links: bool
    own_component: bool
    """Whether the component is the one that came with this package: others do not see an administrator's directories."""
    max_file_size: int


class Disk:
    """What one instance of the component may see."""

    def __init__(self, grounds: Grounds) -> None:
        if os.open not in os.supports_dir_fd:
            raise NotImplementedError("files on the disk are not confined on this system; give them as a dict")
        self._grounds, self._places, self._granted = grounds, Places(), Places()
        # Ten thousand files need not find their way each.
        self._open: Optional[tuple[Target, int]] = None
        self._ancestors: list[str] = []
        self._project = self._add_project(grounds.project)
        for place in grounds.others:
            self._places.add(place.name, self._target(place.path, None))

    def __del__(self) -> None:
        if hasattr(self, "_open"):
            self.begin()

    def fresh(self) -> Disk:
        return Disk(self._grounds)

    def ancestors(self) -> Sequence[str]:
        return self._ancestors

    def grant(self, location: Location) -> None:
        target = self._places.resolve(location.directory)
        managed = self._grounds.own_component and location.level is Level.POLICY
        if target is None and managed and os.path.isabs(location.directory):
            target = (self._root(Path(location.directory)), "")
        if target is not None:
            self._granted.add(location.directory, target)

    def grant_referred(self, path: str) -> None:
        target = self._places.resolve(path)
        if target is not None:
            self._granted.add(path, target)

    def grant_named(self, path: str) -> None:
        known = self._places.resolve(path)
        at = _real(path, Path(path) if known is None else known[0].path / known[1])
        self._granted.add(path, self._target(at, known[0] if known else None))

    def begin(self) -> None:
        opened, self._open = self._open, None
        if opened is not None:
            os.close(opened[1])

    def list_directory(self, path: str) -> list[Entry]:
        root, below = self._resolve(path)
        try:
            return root.entries(below, self._directory(root, below))
        except OSError as error:
            raise _refusal(error) from None

    def read(self, path: str) -> bytes:
        root, below = self._resolve(path)
        above, name = os.path.split(below)
        try:
            if not name:
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            directory = self._directory(root, above)
            try:
                opened = open_file(directory, name)
            except OSError:
                opened = root.open_file(below)
            try:
                return self._whole(opened)
            finally:
                os.close(opened)
        except OSError as error:
            raise _refusal(error) from None

    def _whole(self, opened: int) -> bytes:
        limit, found = self._grounds.max_file_size, os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            raise FileErrorOther("this is no regular file")
        if found.st_size > limit:
            raise FileErrorTooLarge(found.st_size)
        pieces, size = [], 0
        # The file may have grown meanwhile, and a read may bring less than there is.
        while size <= limit and (piece := os.read(opened, min(found.st_size, limit - size) + 1)):
            pieces.append(piece)
            size += len(piece)
        if size > limit:
            raise FileErrorTooLarge(size)
        return b"".join(pieces)

    def _resolve(self, path: str) -> Target:
        target = self._granted.resolve(path)
        if target is None:
            raise FileErrorDenied
        return target

    def _directory(self, root: Root, below: str) -> int:
        if self._open is not None and self._open[0] == (root, below):
            return self._open[1]
        self.begin()
        opened = root.open_directory(below)
        self._open = ((root, below), opened)
        return opened

    def _add_project(self, project: Place) -> Root:
        """The project and the directories above it: one root, so that links between them hold."""
        real = _real(project.name, project.path)
        if not real.is_dir():
            raise PathError(project.name, "it is no directory")
        above = repository(real)
        root = self._root(above[-1])
        for steps, at in enumerate(above):
            up = "/".join([".."] * steps)
            name = "/".join(part for part in (project.name, up) if part and (part != "." or not up))
            self._places.add(name, (root, root.below(str(at)) or ""))
            self._ancestors += [name] if up else []
        return root

    def _target(self, path: Path, known: Optional[Root]) -> Target:
        """Where a path of the system lies: below `known` or the project if its links end there, else on its own."""
        real = Path(os.path.realpath(path))
        for root in (known, self._project):
            below = None if root is None else root.below(str(real))
            if root is not None and below is not None:
                return root, below
        return (self._root(real.parent), real.name) if real.is_file() else (self._root(real), "")

    def _root(self, path: Path) -> Root:
        return Root(path, self._grounds.follow_links)


def _real(name: str, path: Path) -> Path:
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        # A link that leads to itself is no OSError in older releases of Python.
        raise PathError(name, getattr(error, "strerror", None) or str(error)) from None


def _refusal(error: OSError) -> FileError:
    if isinstance(error, FileNotFoundError):
        return FileErrorNotFound()
    if isinstance(error, PermissionError):
        return FileErrorDenied()
    if isinstance(error, NotADirectoryError):
        return FileErrorNotADirectory()
    return FileErrorOther(f"{error.strerror} (os error {error.errno})")
