"""Runs the project's cases that check a whole project, with files on disk, and compares them with the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from callsheet import Callsheet, Diagnostic

from .conftest import REPOSITORY

FOLDER = REPOSITORY / "tests" / "cases"


def plain_cases() -> list[Path]:
    """Cases that consist of plain files, without settings."""
    cases = [file.parent for file in sorted(FOLDER.glob("**/case.toml"))]
    return [case for case in cases if _is_plain(case) and not (case / "project/callsheet.toml").exists()]


def _is_plain(case: Path) -> bool:
    lines = (case / "case.toml").read_text().splitlines()
    return all(line.startswith(("about =", "run =", "seed =")) for line in lines if line)


def expected(case: Path) -> list[tuple[list[str], list[Any]]]:
    """Arguments of `check`, and the expected findings."""
    runs = json.loads((case / "expected.json").read_text())
    checks = [run for run in runs if run["run"].split()[0] == "check" and isinstance(run.get("output"), dict)]
    return [(run["run"].split()[1:], run["output"].get("diagnostics", [])) for run in checks]


def told(diagnostic: Diagnostic) -> tuple[object, ...]:
    place = diagnostic.primary.place
    return (diagnostic.rule, str(diagnostic.severity), diagnostic.message, place.path, place.span.start, place.span.end)


@pytest.mark.skipif(not FOLDER.exists(), reason="the cases are in the project's repository")
def test_findings_match_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    for number, case in enumerate(plain_cases()):
        shutil.copytree(case, tmp_path / str(number), symlinks=True)
        monkeypatch.chdir(tmp_path / str(number))
        for words, diagnostics in expected(case):
            sheet = Callsheet("project", home="home")
            if words[:1] == ["--as"] and len(words) == 2:
                found = [finding.diagnostic for finding in sheet.check(dialect=words[1])]
            elif not words:
                found = [finding.diagnostic for finding in sheet.check()]
            else:
                continue
            wanted = [
                (it["rule"], it["severity"], it["message"], it["primary"]["path"], *it["primary"]["span"].values())
                for it in diagnostics
            ]
            assert sorted(map(told, found)) == sorted(wanted), case
            compared += 1
    assert compared > 100
