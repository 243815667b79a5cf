"""Directories full of links: the package shows the component the same files as the command line."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest

from callsheet import Callsheet

from .conftest import REPOSITORY

PROGRAM = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "debug/callsheet"
TREES = 20


def plant(root: Path, dice: random.Random) -> None:
    """A project, its repository, a home directory and an outside directory, with agents and links between them."""
    places = [
        "project/.claude/agents/deep",
        "home/.claude/agents",
        "outside/agents",
        ".claude/agents",
        "project/.kode/agents",
    ]
    folders = [root / "outside", root / "project", *(root / place for place in places)]
    for folder in folders[2:]:
        folder.mkdir(parents=True)
    if dice.random() < 0.5:
        (root / ".git").mkdir()
    ends = [*folders, root / "nowhere.md"]
    for number in range(dice.randint(3, 9)):
        file = dice.choice(folders[2:]) / f"a{number}.md"
        file.write_text(f"---\nname: agent-{number}\ndescription: Does it\n---\nDo it.\n")
        ends.append(file)
    for number in range(dice.randint(2, 8)):
        link = dice.choice(folders[2:]) / dice.choice([f"link{number}.md", f"folder{number}"])
        end = dice.choice([*ends, link])
        link.symlink_to(end if dice.random() < 0.5 else os.path.relpath(end, link.parent))
    if dice.random() < 0.3:
        os.mkfifo(root / "project/.claude/agents/pipe.md")
    if dice.random() < 0.3:
        (root / "project/.claude/agents" / os.fsdecode(b"\xff.md")).write_text("no agent")


@pytest.mark.skipif(not PROGRAM.exists(), reason="the command line is not built")
@pytest.mark.parametrize("follow_links", [False, True])
def test_links_are_followed_like_in_the_command_line(
    follow_links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--as", "claude-code", "--no-config", *(["--follow-links"] if follow_links else [])]
    for seed in range(TREES):
        root = tmp_path / str(seed)
        plant(root, random.Random(seed))
        monkeypatch.chdir(root / "project")
        home = str(root / "home")
        command = [str(PROGRAM), "--home", home, *options, "list", "--all", "--format", "json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        (listed,) = json.loads(done.stdout)["dialects"]
        wanted = sorted(
            (entry["name"], entry["origin"]["path"]) for entry in listed["entries"] if entry["origin"]["path"]
        )
        entries = Callsheet(home=home, follow_links=follow_links).catalog("claude-code").entries(all=True)
        assert sorted((it.name, it.origin.path) for it in entries if it.origin.path) == wanted, seed
