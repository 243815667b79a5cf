"""The component's access to files: list and read, only below the places that the host opened.

Paths are the host's own names, joined with `/`. The component only uses paths below those that `catalogs.locations` and
`documents.discover` return.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Optional, Protocol

from .._contract import U64, Failure, Function, Word


class Kind(Word):
    """The kind of a directory entry. Links are followed if the host allows it, otherwise they are `link`."""

    FILE = "file"
    """A regular file."""

    DIRECTORY = "directory"
    """A directory."""

    LINK = "link"
    """A symbolic link that the host does not follow, or that is broken."""

    OTHER = "other"
    """A socket, a device or the like."""


@dataclass
class Entry:
    """One entry of a directory."""

    name: str
    """Its name, without the directory. Bytes that are not UTF-8 are replaced."""

    kind: Kind
    """Its kind."""

    size: U64
    """Bytes, for a file."""

    modified: Optional[U64] = None
    """Last modification, in nanoseconds since 1970, if the host knows it."""


class FileError(Failure):
    """Why a file or a directory could not be read."""


class FileErrorNotFound(FileError):
    """It does not exist."""

    tag: ClassVar[Literal["not-found"]] = "not-found"


class FileErrorDenied(FileError):
    """The host, or its system, denies it."""

    tag: ClassVar[Literal["denied"]] = "denied"


class FileErrorNotADirectory(FileError):
    """A directory was requested, but this is something else."""

    tag: ClassVar[Literal["not-a-directory"]] = "not-a-directory"


class FileErrorTooLarge(FileError):
    """The file is larger than the host's limit; its size in bytes."""

    tag: ClassVar[Literal["too-large"]] = "too-large"
    value: U64

    def __init__(self, value: U64) -> None:
        super().__init__(value)


class FileErrorOther(FileError):
    """Anything else. Callers must not depend on the text."""

    tag: ClassVar[Literal["other"]] = "other"
    value: str

    def __init__(self, value: str) -> None:
        super().__init__(value)


class Files(Protocol):
    """The component's access to files: list and read, only below the places that the host opened.

    Paths are the host's own names, joined with `/`. The component only uses paths below those that `catalogs.locations` and
    `documents.discover` return.
    """

    def list_directory(self, path: str) -> list[Entry]:
        """The entries of one directory, sorted by the bytes of their names, without `.` and `..`."""

    def read(self, path: str) -> bytes:
        """The whole contents of one file."""


LIST_DIRECTORY = Function(
    "callsheet:agents/files@0.1.0", "list-directory", (str,), list[Entry], FileError
)

READ = Function(
    "callsheet:agents/files@0.1.0", "read", (str,), bytes, FileError
)
