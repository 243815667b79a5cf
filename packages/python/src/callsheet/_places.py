"""Names of places, and what they lead to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Optional

from ._root import Root

Target = tuple[Root, str]
"""Below which root, and where there."""


class Places:
    """Names with the places that they lead to."""

    def __init__(self) -> None:
        self._known: list[tuple[list[str], Target]] = []

    def add(self, name: str, target: Target) -> None:
        self._known.append((_parts(name), target))

    def resolve(self, path: str) -> Optional[Target]:
        """Below the longest of the names that `path` begins with. None if it begins with none, or climbs out again."""
        parts = _parts(path)
        begins = [known for known in self._known if parts[: len(known[0])] == known[0]]
        if not begins:
            return None
        name, (root, below) = max(reversed(begins), key=lambda known: len(known[0]))
        rest = parts[len(name) :]
        return None if ".." in rest or "/" in rest else (root, os.path.join(below, *rest))


def _parts(path: str) -> list[str]:
    """A path's parts; the leading slash of an absolute path is one."""
    absolute = ["/"] if path.startswith("/") else []
    return absolute + [part for part in path.split("/") if part not in ("", ".")]


def repository(real: Path) -> list[Path]:
    """A directory and those above it up to the root of its repository; itself alone outside of a repository."""
    above = [real, *real.parents]
    # In a worktree or a submodule `.git` is a file.
    depth = next((depth for depth, it in enumerate(above) if (it / ".git").exists()), 0)
    return above[: depth + 1]
