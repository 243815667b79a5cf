"""A directory that paths and links cannot leave."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Optional

from .contract.files import Entry, Kind

# Opening a pipe without a writer would block otherwise. Windows has none of these flags.
_FILE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


class Root:
    """A directory, opened on first use. Paths are relative to it; its own path is empty."""

    def __init__(self, path: Path, follow_links: bool) -> None:
        self.path, self._follow_links = path, follow_links
        self._opened: Optional[int] = None

    def __del__(self) -> None:
        if self._opened is not None:
            os.close(self._opened)

    def below(self, real: str) -> Optional[str]:
        """The relative path of a path without links, if it is in this directory."""
        below = os.path.relpath(real, os.path.realpath(self.path))
        if below == ".":
            return ""
        return None if below.split(os.sep, 1)[0] == ".." else below

    def open_directory(self, below: str) -> int:
        return self._at(below, self._walk, lambda real: os.open(real, _DIRECTORY))

    def open_file(self, below: str) -> int:
        return self._at(below, self._open, lambda real: os.open(real, _FILE))

    def entries(self, below: str, directory: int) -> list[Entry]:
        """The entries of a directory, sorted by the bytes of their names."""
        with os.scandir(directory) as found:
            entries = [entry for it in found if (entry := self._entry(below, it))]
        return sorted(entries, key=lambda entry: entry.name.encode())

    def _entry(self, below: str, found: os.DirEntry[str]) -> Optional[Entry]:
        """None if the entry no longer exists."""
        name = os.fsencode(found.name).decode(errors="replace")
        try:
            if found.is_dir(follow_symlinks=False):
                return Entry(name, Kind.DIRECTORY, 0)
            if found.is_symlink():
                return self._link(below, found.name, name)
            return _file(name, found.stat(follow_symlinks=False))
        except OSError:
            return None

    def _link(self, below: str, target: str, name: str) -> Entry:
        """A link counts as its target, unless that is outside, or a directory that the path leads through.

        Following the latter would recurse forever.
        """
        link = Entry(name, Kind.LINK, 0)
        directory = os.path.join(self.path, below)
        real = os.path.realpath(os.path.join(directory, target))
        if self.below(real) is None and not self._follow_links:
            return link
        try:
            found = os.stat(real)
        except OSError:
            return link
        if not stat.S_ISDIR(found.st_mode):
            return _file(name, found)
        above = os.path.realpath(directory)
        parts = below.split(os.sep)
        through = (os.path.realpath(os.path.join(self.path, *parts[:end])) for end in range(len(parts)))
        leads_back = os.path.commonpath([real, above]) == real or real in through
        return link if leads_back else Entry(name, Kind.DIRECTORY, 0)

    def _at(self, below: str, inside: Callable[[str], int], outside: Callable[[str], int]) -> int:
        """Opens a file without following links. If the path contains a link, opens its target if that is inside."""
        try:
            return inside(below)
        except OSError:
            real = os.path.realpath(self.path / below)
            ends = self.below(real)
            if ends == below:
                raise
        if ends is not None:
            return inside(ends)
        if self._follow_links:
            return outside(real)
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    def _open(self, below: str) -> int:
        above, name = os.path.split(below)
        directory = self._walk(above)
        try:
            return open_file(directory, name)
        finally:
            os.close(directory)

    def _walk(self, below: str) -> int:
        if self._opened is None:
            self._opened = os.open(self.path, _DIRECTORY & ~getattr(os, "O_NOFOLLOW", 0))
        directory = os.dup(self._opened)
        for part in below.split(os.sep) if below else []:
            try:
                next_directory = os.open(os.fsencode(part), _DIRECTORY, dir_fd=directory)
            finally:
                os.close(directory)
            directory = next_directory
        return directory


def open_file(directory: int, name: str) -> int:
    """Opens a file in a directory. Fails for links."""
    return os.open(os.fsencode(name), _FILE, dir_fd=directory)


def _file(name: str, found: os.stat_result) -> Entry:
    if not stat.S_ISREG(found.st_mode):
        return Entry(name, Kind.OTHER, 0)
    modified = found.st_mtime_ns if found.st_mtime_ns >= 0 else None
    return Entry(name, Kind.FILE, found.st_size, modified)
