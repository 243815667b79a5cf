"""Applies edits."""

from __future__ import annotations

from collections.abc import Iterable

from .contract.types import Edit


def edited(contents: bytes, edits: Iterable[Edit]) -> bytes:
    """Returns the contents with these edits, which must not overlap."""
    pieces, done = [], 0
    for edit in sorted(edits, key=lambda edit: edit.span.start):
        pieces += [contents[done : edit.span.start], edit.text.encode()]
        done = edit.span.end
    return b"".join([*pieces, contents[done:]])
