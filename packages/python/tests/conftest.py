"""A test world of files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from callsheet._component import PACKAGED

REPOSITORY = Path(__file__).parents[3]

# In a clone, use the component that cargo built.
if not PACKAGED.exists():
    built = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "callsheet.wasm"
    os.environ.setdefault("CALLSHEET_COMPONENT", str(built))


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with agents, a home directory, and a file outside both; the project is the working directory."""
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
