"""The examples print what they say."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from callsheet._component import packaged

PACKAGE = Path(__file__).parents[1]
README = PACKAGE / "README.md"


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


def test_a_host_of_its_own() -> None:
    command = [sys.executable, str(PACKAGE / "examples/host.py"), str(packaged())]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    said = b".claude/agents/reviewer.md:3: error: the value of `description` has to be quoted"
    assert done.stdout.splitlines() == [said]
