"""Files in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Union

from ._disk import Named
from ._errors import PathError
from .contract.files import Entry, FileErrorNotADirectory, FileErrorNotFound, Kind
from .contract.projects import Location

# The location of the files, for absolute paths.
ROOT = "/project"
HOME = "/home"


class VirtualFiles(MutableMapping[str, bytes]):
    """Files by path: relative to the project, or beginning with `~/` for the home directory."""

    def __init__(self, files: Mapping[str, Union[str, bytes]] = {}) -> None:
        self._files: dict[str, tuple[bytes, int]] = {}
        self._writes = 0
        if not isinstance(files, Mapping):
            raise TypeError(f"expected a dict from path to contents, not {type(files).__name__}")
        for path, contents in files.items():
            self[path] = contents

    def __getitem__(self, path: str) -> bytes:
        return self._files[_plain(path)][0]

    def __setitem__(self, path: str, contents: Union[str, bytes]) -> None:
        stored = contents.encode() if isinstance(contents, str) else contents
        if not isinstance(stored, bytes):
            raise TypeError(f"expected str or bytes for {path}, not {stored!r}")
        if "\\" in path:
            raise ValueError(f"the path {path} contains a backslash; separate folders with `/`")
        # Unlike a clock, a counter differs between two writes.
        self._writes += 1
        self._files[_plain(path)] = stored, self._writes

    def __delitem__(self, path: str) -> None:
        del self._files[_plain(path)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def list_directory(self, path: str) -> list[Entry]:
        path = _plain(path)
        if path in self._files:
            raise FileErrorNotADirectory
        above = f"{path}/" if path else ""
        found: dict[str, Entry] = {}
        for file, (contents, modified) in self._files.items():
            if file.startswith(above):
                name, below, _ = file[len(above) :].partition("/")
                found[name] = (
                    Entry(name, Kind.DIRECTORY, 0) if below else Entry(name, Kind.FILE, len(contents), modified)
                )
        if above and not found:
            raise FileErrorNotFound
        return [found[name] for name in sorted(found, key=str.encode)]

    def read(self, path: str) -> bytes:
        try:
            return self[path]
        except KeyError:
            raise FileErrorNotFound from None

    def grant_named(self, path: str, prefers_project: bool = False) -> Named:
        plain = _plain(path)
        below = any(file.startswith(f"{plain}/") for file in self._files)
        if plain and plain not in self._files and not below:
            raise PathError(path, "not found")
        return Named(path, path)

    def ancestors(self) -> list[str]:
        return []

    def fresh(self) -> VirtualFiles:
        return self

    def begin(self) -> None:
        """Nothing is held open."""

    def grant(self, location: Location) -> None:
        """All files are visible."""

    def grant_referred(self, path: str) -> None:
        """All files are visible."""


def _plain(path: str) -> str:
    """The path without `.` and empty segments. Paths that leave the project resolve to nothing."""
    absolute = "/" if path.startswith("/") else ""
    return absolute + "/".join(part for part in path.split("/") if part not in ("", "."))
