"""Files on disk, limited to the opened directories."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Optional

from ._errors import PathError
from ._places import Places, Target, repository
from ._root import Root, open_file
from .contract.files import (
    Entry,
    FileError,
    FileErrorDenied,
    FileErrorNotADirectory,
    FileErrorNotFound,
    FileErrorOther,
    FileErrorTooLarge,
)
from .contract.projects import Location
from .contract.types import Level


@dataclass(frozen=True)
class Place:
    """A directory, and its name in the component and in findings."""

    name: str
    path: Path


@dataclass(frozen=True)
class Grounds:
    """Where files are read from, and how."""

    project: Place
    others: Sequence[Place]
    follow_links: bool
    own_component: bool
    """Whether this is the component of the package; others do not see policy directories."""
    max_file_size: int


class Disk:
    """The files that one instance of the component can read."""

    def __init__(self, grounds: Grounds) -> None:
        if os.open not in os.supports_dir_fd:
            raise NotImplementedError("files on disk cannot be confined on this system; pass them as a dict")
        self._grounds, self._places, self._granted = grounds, Places(), Places()
        # Caches paths, so that ten thousand files need not resolve theirs each.
        self._open: Optional[tuple[Target, int]] = None
        self._ancestors: list[str] = []
        # The project and the directories above it, each as given and without links.
        self._own: list[Place] = []
        # Names of other directories that are not their paths, such as `~`.
        self._names: list[str] = []
        self._project = self._add_project(grounds.project)
        for place in grounds.others:
            self._add(place)

    def add(self, place: Place) -> None:
        """Adds a directory, which the component does not see yet."""
        self._grounds = replace(self._grounds, others=[*self._grounds.others, place])
        self._add(place)

    def _add(self, place: Place) -> None:
        self._places.add(place.name, self._target(place.path, None))
        if place.name != str(place.path):
            self._names.append(place.name)

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

    def grant_named(self, path: str, otherwise: Optional[str] = None) -> Optional[str]:
        given = path if otherwise is None or os.path.exists(self._path(path)) else otherwise
        known, at = self._places.resolve(given), self._path(given)
        target = self._target(at, known[0] if known else None)
        self._granted.add(path, target)
        _real(path, at)
        is_named = any(f"{given}/".startswith(f"{name}/") for name in self._names)
        name = given if is_named else self._name_here(at)
        if name is not None:
            self._granted.add(name, target)
        return name

    def _path(self, name: str) -> Path:
        known = self._places.resolve(name)
        return Path(name) if known is None else known[0].path / known[1]

    def _name_here(self, path: Path) -> Optional[str]:
        """The name of a path in the project or a directory above it."""
        for there in (os.path.abspath(path), os.path.realpath(path)):
            for place in self._own:
                rest = os.path.relpath(there, place.path)
                if rest == ".":
                    return place.name
                if rest.split(os.sep, 1)[0] != "..":
                    return rest if place.name == "." else f"{place.name.rstrip('/')}/{rest}"
        return None

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
            # A listing replaces invalid UTF-8 in names.
            if isinstance(error, FileNotFoundError) and "\ufffd" in path:
                raise FileErrorOther("its name is not UTF-8") from None
            raise _refusal(error) from None

    def _whole(self, opened: int) -> bytes:
        limit, found = self._grounds.max_file_size, os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            raise FileErrorOther("not a regular file")
        if found.st_size > limit:
            raise FileErrorTooLarge(found.st_size)
        pieces, size = [], 0
        # The file may have grown, and a read may return less than the whole file.
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
        """The project and the directories above it, with one root, so that links between them are followed."""
        real = _real(project.name, project.path)
        if not real.is_dir():
            raise PathError(project.name, "not a directory")
        above = repository(real)
        root = self._root(above[-1])
        for steps, at in enumerate(above):
            up = "/".join([".."] * steps)
            name = "/".join(part for part in (project.name, up) if part and (part != "." or not up))
            self._places.add(name, (root, root.below(str(at)) or ""))
            self._ancestors += [name] if up else []
            given = os.path.abspath(project.path / up)
            self._own += [Place(name, Path(given)), Place(name, at)]
        return root

    def _target(self, path: Path, known: Optional[Root]) -> Target:
        """The root of a path: `known` or the project if the real path is in it, otherwise the path itself."""
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
        # A link to itself is not an OSError in older releases of Python.
        raise PathError(name, getattr(error, "strerror", None) or os.strerror(errno.ELOOP)) from None


def _refusal(error: OSError) -> FileError:
    if isinstance(error, FileNotFoundError):
        return FileErrorNotFound()
    if isinstance(error, PermissionError):
        return FileErrorDenied()
    if isinstance(error, NotADirectoryError):
        return FileErrorNotADirectory()
    return FileErrorOther(f"{error.strerror} (os error {error.errno})")
