"""Files on disk, limited to the opened directories."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Optional

from ._check import PathLike, project_of
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


@dataclass(frozen=True)
class Named:
    """A path that the user names."""

    name: Optional[str]
    """The project's name for it; None if it is in another project."""

    path: str
    """Where it is; in another project, as it is spelled."""


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
        self._project = self._add_project(grounds.project)
        for place in grounds.others:
            self._add(place)

    def add(self, place: Place) -> None:
        """Adds a directory, which the component does not see yet."""
        self._grounds = replace(self._grounds, others=[*self._grounds.others, place])
        self._add(place)

    def _add(self, place: Place) -> None:
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

    def grant_named(self, path: str, prefers_project: bool = False) -> Named:
        known = self._places.resolve(path)
        given, at = path, Path(path) if known is None else known[0].path / known[1]
        there = Path(os.path.normpath(self._own[0].path / path))
        is_relative = not os.path.isabs(path) and not self._is_reported(path)
        if prefers_project and is_relative and os.path.exists(there):
            spelled = os.path.normpath(self._grounds.project.path / path)
            # The working directory may have changed.
            given = spelled if os.path.abspath(spelled) == str(there) else str(there)
            known, at = None, there
        target = self._target(at, known[0] if known else None)
        self._granted.add(path, target)
        _real(path, at)
        names = [place.name for place in self._grounds.others if place.name != str(place.path)]
        has_name = any(f"{given}/".startswith(f"{name}/") for name in names)
        name = given if has_name else self._name_here(at)
        if name is None:
            return Named(None, given)
        self._granted.add(name, target)
        return Named(name, str(at))

    def _is_reported(self, path: str) -> bool:
        """Whether a path begins with the name of the project or of another directory, as in a report."""
        names = (place.name for place in (self._grounds.project, *self._grounds.others))
        return any(f"{os.path.normpath(path)}/".startswith(f"{os.path.normpath(name)}/") for name in names)

    def _name_here(self, path: Path) -> Optional[str]:
        """The name of a path in the project or a directory above it."""
        for there in (os.path.abspath(path), located(path), os.path.realpath(path)):
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
        name = project.name
        for steps, at in enumerate(above):
            if steps:
                name = _name_above(name, at)
                self._ancestors.append(name)
            self._places.add(name, (root, root.below(str(at)) or ""))
            given = os.path.abspath(project.path / "/".join([".."] * steps))
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


def by_project(paths: Sequence[str], here: Sequence[str]) -> dict[str, list[str]]:
    """Paths outside of the project, by the directories of their own projects.

    Omits files that are also `here` by another name.
    """
    seen = {located(path) for path in here} if paths else set()
    # A directory can be spelled in several ways.
    spellings: dict[str, str] = {}
    projects: dict[str, list[str]] = {}
    for path in paths:
        if located(path) not in seen:
            directory = project_of(path)
            directory = spellings.setdefault(os.path.realpath(directory), directory)
            projects.setdefault(directory, []).append(path)
    return projects


def located(path: PathLike) -> str:
    """A path without links in its directory. The same file in another folder may have another owner."""
    directory, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(directory), name)


def _name_above(name: str, directory: Path) -> str:
    """A name for the directory above: without its last part, unless that is a link or the name is not its path."""
    parent, last = os.path.split(name)
    if last not in ("", ".", "..") and os.path.realpath(parent or ".") == str(directory):
        return parent or "."
    return ".." if name in ("", ".") else f"{name}/.."


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
