"""A world of files to try things on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from callsheet._component import PACKAGED

REPOSITORY = Path(__file__).parents[3]

# In a clone, the component is where cargo put it.
if not PACKAGED.exists():
    built = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "callsheet.wasm"
    os.environ.setdefault("CALLSHEET_COMPONENT", str(built))


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with agents, a home directory, and a file that is nobody's business; the project is the working directory."""
    for path, contents in {
        "project/agents/one.md": "one",
        "project/agents/deep/two.md": "two",
        "project/other.md": "other",
        "home/shared/kept.md": "kept",
        "secret.md": "secret",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(contents)
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path
