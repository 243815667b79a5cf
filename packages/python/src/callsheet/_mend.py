"""Mending a file: the fixes that findings come with, applied until none is left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Optional

from .contract.documents import Documents
from .contract.types import Diagnostic, Edit, Fix

# Fixes that touch each other wait for the next round; more than a few such layers are fixes that undo each other.
_MOST_ROUNDS = 12


@dataclass
class Mended:
    """A file, and what its fixes make of it."""

    before: bytes
    """Its contents."""

    after: bytes
    """What they are to be; the same if there is nothing to mend."""

    applied: list[Fix] = field(default_factory=list)
    """The fixes between the two, in the order in which they were applied."""


def mend(documents: Documents, path: str, contents: bytes, dialect: Optional[str], unsafe: bool) -> Mended:
    after = contents
    applied: list[Fix] = []
    for _ in range(_MOST_ROUNDS):
        chosen = _round(after, documents.parse(path, after, dialect).diagnostics, unsafe)
        if not chosen:
            return Mended(contents, after, applied)
        after = edited(after, [edit for fix in chosen for edit in fix.edits])
        applied += chosen
    return Mended(contents, contents)


def edited(contents: bytes, edits: Iterable[Edit]) -> bytes:
    """The contents with these edits, none of which touch each other."""
    pieces, done = [], 0
    for edit in sorted(edits, key=lambda edit: edit.span.start):
        pieces += [contents[done : edit.span.start], edit.text.encode()]
        done = edit.span.end
    return b"".join([*pieces, contents[done:]])


def _round(contents: bytes, diagnostics: list[Diagnostic], unsafe: bool) -> list[Fix]:
    """What can be applied at once: of fixes that touch each other the first by place."""
    fixes = [fix for diagnostic in diagnostics if (fix := _choose(contents, diagnostic, unsafe))]
    taken: list[Edit] = []
    chosen = []
    for fix in sorted(fixes, key=lambda fix: fix.edits[0].span.start):
        if not any(_touch(edit, other) for edit in fix.edits for other in taken):
            taken += fix.edits
            chosen.append(fix)
    return chosen


def _choose(contents: bytes, diagnostic: Diagnostic, unsafe: bool) -> Optional[Fix]:
    """The first fix of a finding that may be applied and would change something."""

    def changes(edit: Edit) -> bool:
        return contents[edit.span.start : edit.span.end] != edit.text.encode()

    fixes = (fix for fix in diagnostic.fixes if fix.safe or unsafe)
    return next((fix for fix in fixes if any(map(changes, fix.edits))), None)


def _touch(one: Edit, other: Edit) -> bool:
    """Whether they overlap or meet: of two insertions at one place neither is the first."""
    return one.span.start <= other.span.end and other.span.start <= one.span.end
