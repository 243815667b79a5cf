"""The examples in the documents print the output below them."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

from .conftest import REPOSITORY

README = Path(__file__).parents[1] / "README.md"
PAGE = REPOSITORY / "docs/embed.md"


def run(document: Path) -> int:
    """Runs the examples in order and compares their output with the text below. Returns their number."""
    known: dict[str, Any] = {}
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)
    printed, before, count = "", "", 0
    for kind, text in blocks:
        if kind == "text" and before == "python":
            assert printed == text
        if kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, str(document), "exec"), known)
            printed, count = out.getvalue(), count + 1
        before = kind
    return count


def test_the_readme() -> None:
    assert run(README) > 5


@pytest.mark.skipif(not PAGE.exists(), reason="the page is in the project's repository")
def test_the_page_on_embedding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PAGE.parent)
    assert run(PAGE) == 1
