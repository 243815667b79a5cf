"""Maps names to directories."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Optional

from ._root import Root

Target = tuple[Root, str]
"""A root, and a path in it."""


class Places:
    """Names with the directories they stand for."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], Target] = {}

    def add(self, name: str, target: Target) -> None:
        self._known[_parts(name)] = target

    def resolve(self, path: str) -> Optional[Target]:
        """Resolves a path by its longest known prefix. None if there is none, or if the path leaves the directory."""
        parts = _parts(path)
        for length in range(len(parts), -1, -1):
            if parts[:length] in self._known:
                root, below = self._known[parts[:length]]
                rest = parts[length:]
                return None if ".." in rest or "/" in rest else (root, os.path.join(below, *rest))
        return None


def _parts(path: str) -> tuple[str, ...]:
    """The segments of a path; the leading slash of an absolute path is one."""
    absolute = ("/",) if path.startswith("/") else ()
    return (*absolute, *(part for part in path.split("/") if part not in ("", ".")))


def repository(real: Path) -> list[Path]:
    """A directory and its parents up to the root of its repository; only itself outside of a repository."""
    above = [real, *real.parents]
    # `.git` is a file in worktrees and submodules.
    depth = next((depth for depth, it in enumerate(above) if (it / ".git").exists()), 0)
    return above[: depth + 1]
