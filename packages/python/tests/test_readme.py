"""The examples of the README print what it says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

README = Path(__file__).parents[1] / "README.md"


def test_examples() -> None:
    known: dict[str, Any] = {}
    blocks = re.findall(r"^```(python|text)\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    printed = ""
    for kind, text in blocks:
        if kind == "text":
            assert printed == text
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(text, str(README), "exec"), known)
        printed = out.getvalue()
    assert len(blocks) > 10
