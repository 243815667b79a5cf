"""Runs the project's cases that check a whole project, with files on disk, and compares them with the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from callsheet import Callsheet, Diagnostic

from .conftest import REPOSITORY

FOLDER = REPOSITORY / "tests" / "cases"

SECTION = re.compile(r"^-- (.+) --\n", re.MULTILINE)

FINDING = re.compile(
    r"^ +- (?P<severity>error|warning|note) (?P<rule>\S+) (?P<place>\S.*?)(?: \(.*\))?(?: outside of the project)?\n"
    r" +(?P<message>.*)",
    re.MULTILINE,
)

Told = tuple[str, str, str, str]


def sections(case: Path) -> dict[str, str]:
    """The parts of a case's file; the name of the first is empty."""
    head, *rest = SECTION.split(case.read_text(encoding="utf-8"))
    return {"": head} | dict(zip(rest[::2], rest[1::2]))


def is_plain(parts: dict[str, str]) -> bool:
    """Whether the case consists of plain files, without settings."""
    is_known = all(line.startswith(("about =", "run =", "seed =")) for line in parts[""].splitlines() if line)
    return is_known and "project/callsheet.toml" not in parts and not any(name.startswith("escaped ") for name in parts)


def expected(parts: dict[str, str]) -> list[tuple[list[str], list[Told]]]:
    """Arguments of `check`, and the expected findings."""
    runs = [run.partition("\n") for run in re.split(r"^\$ ", parts["expected"], flags=re.MULTILINE)[1:]]
    return [
        (
            line.split()[1:],
            [(it["severity"], it["rule"], it["place"], it["message"]) for it in FINDING.finditer(output)],
        )
        for line, _, output in runs
        if line.split()[0] == "check"
    ]


def told(diagnostic: Diagnostic) -> Told:
    place = diagnostic.primary.place
    start, end = place.start, place.end
    last = "" if start == end else f"-{end.column}" if start.line == end.line else f"-{end.line}:{end.column}"
    where = f"{place.path}:{start.line}:{start.column}{last}"
    return (str(diagnostic.severity), diagnostic.rule, where, diagnostic.message)


@pytest.mark.skipif(not FOLDER.exists(), reason="the cases are in the project's repository")
def test_findings_match_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    for number, case in enumerate(sorted(FOLDER.glob("**/*.case"))):
        parts = sections(case)
        if not is_plain(parts):
            continue
        tree = tmp_path / str(number)
        tree.mkdir()
        for name in parts.keys() - {"", "expected"}:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(parts[name], encoding="utf-8")
        monkeypatch.chdir(tree)
        for words, wanted in expected(parts):
            sheet = Callsheet("project", home="home")
            if words[:1] == ["--as"] and len(words) == 2:
                found = [finding.diagnostic for finding in sheet.check(dialect=words[1])]
            elif not words:
                found = [finding.diagnostic for finding in sheet.check()]
            else:
                continue
            assert sorted(map(told, found)) == sorted(wanted), case
            compared += 1
    assert compared > 100
