"""The command of the installed package."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path
from typing import Optional

import pytest

import callsheet
from callsheet._component import COMMAND as COMPONENT

PACKAGE = Path(callsheet.__file__).parent
MODULE = [sys.executable, "-m", "callsheet"]
COMMAND = Path(sysconfig.get_path("scripts")) / "callsheet"
AGENT = "---\nname: a\ndescription: Reviews code\n---\nReview it.\n"
BROKEN = AGENT.replace("Reviews", "Reviews: all")
STAND_IN = """#!/bin/sh
test "$1" = wait && echo ready && exec sleep 60
echo "native: $*; input: $(cat)"
exit 5
"""

pytestmark = pytest.mark.skipif(not COMPONENT.exists() or not COMMAND.exists(), reason="the package is not installed")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project without agents, next to an empty home directory."""
    (tmp_path / "home").mkdir()
    (tmp_path / "project/.claude/agents").mkdir(parents=True)
    return tmp_path / "project"


def agent(project: Path, text: str) -> None:
    (project / ".claude/agents/a.md").write_text(text)


def run(project: Path, *words: str, command: Optional[list[str]] = None, stdin: str = "") -> tuple[int, str, str]:
    # Compiled code is kept between the tests.
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    done = subprocess.run(
        [*(command or [str(COMMAND)]), *words],
        cwd=project,
        env={**os.environ, "HOME": str(project.parent / "home"), "XDG_CACHE_HOME": cache},
        input=stdin,
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_project_without_problems(project: Path) -> None:
    agent(project, AGENT)
    assert run(project, "check") == (0, "", "")
    assert run(project, "check", command=MODULE) == (0, "", "")


def test_a_project_with_problems(project: Path) -> None:
    agent(project, BROKEN)
    finding = (
        ".claude/agents/a.md:3:21: warning[unquoted-value]: unquoted `description` contains `: `, "
        "which starts a mapping in YAML\n"
    )
    assert run(project, "check") == (1, finding, "")


def test_other_directories(project: Path) -> None:
    agent(project, BROKEN)
    above = project.parent
    assert run(above, "check", str(project / ".claude/agents/a.md"))[0] == 1
    assert run(above, "--project", str(project), "check")[0] == 1
    assert ": a: Reviews: all code" in run(above, "--home", str(project), "list", "--as", "claude-code")[1]
    assert ": a: " not in run(above / "home", "--no-home", "list", "--as", "claude-code")[1]


def test_paths_in_any_form_in_the_project_and_in_others(project: Path) -> None:
    agent(project, BROKEN)
    outside = project.parent / "other/.claude/agents/b.md"
    outside.parent.mkdir(parents=True)
    outside.write_text(BROKEN)
    other, own = str(outside), ".claude/agents/a.md"

    def found(*words: str) -> list[str]:
        return re.findall(r"^(.*):3:21: ", run(project, "check", *words)[1], re.MULTILINE)

    assert found(str(project / own)) == found(f"../project/{own}") == found("--", f"{project}/") == [own]
    assert found(other) == found("--as", "kode", "--", other) == [other]
    assert sorted(found(own, other)) == sorted([own, other])
    assert json.loads(run(project, "check", "--format", "json", other)[1])["files"] == 1
    status, output, errors = run(project, "check", "--format", "json", own, other)
    assert (status, output) == (2, "")
    assert errors.startswith("error: with `--format json`, all files must be in one project\nhelp: ")
    assert run(project, "convert", other, "--to", "kode")[0] == 0


def test_a_file_or_directory_with_two_names_counts_once(project: Path) -> None:
    file = ".claude/agents/b.md"
    other, link = project.parent / "other", project.parent / "link"
    (other / file).parent.mkdir(parents=True)
    (other / file).write_text(BROKEN)
    link.symlink_to(other)
    for below in (file, ""):
        paths = (str(other / below), f"../other/{below}", str(link / below))
        assert run(project, "check", *paths)[1].count(":3:21: ") == 1


def test_an_option_without_a_value_and_a_path_outside(project: Path) -> None:
    other = project.parent / "other/.claude/agents/b.md"
    other.parent.mkdir(parents=True)
    other.write_text(BROKEN)
    status, output, errors = run(project, "check", str(other), "--as")
    assert (status, output) == (2, "")
    assert errors.startswith("error: missing argument for option '--as'")
    assert run(project, "check", "--project", ".", str(other), "--project=../home")[0] == 1


def test_links_that_lead_out_or_to_themselves(project: Path) -> None:
    target = project.parent / "target.md"
    target.write_text(BROKEN)
    (project / ".claude/agents/out.md").symlink_to(target)
    (project / ".claude/agents/loop.md").symlink_to("loop.md")
    status, output, _ = run(project, "check", ".claude/agents/out.md")
    assert (status, "out.md:3:21: warning[unquoted-value]" in output) == (1, True)
    loop = "error: cannot read .claude/agents/loop.md: Too many levels of symbolic links\n"
    assert run(project, "check", ".claude/agents/loop.md") == (2, "", loop)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("chekc", r"error: unknown command `chekc`\nhelp: did you mean `check`\?\n"),
        ("check none.md", r"error: cannot read none.md: No such file or directory\n$"),
        ("check \udcff.md", r"error: the argument \ufffd.md is not UTF-8\n$"),
        ("--project none check", r"error: cannot read none: "),
        ("check --project", r"error: missing argument"),
        ("check --fix", r"error: `--fix` is only available in the native program\nhelp: there is no native"),
        ("check --ignore name-mismatch", r"error: `--ignore` is only available in the native program\nhelp: .*\n$"),
        ("check --severity error", r"error: `--severity` is only available in the native program\nhelp: .*\n$"),
        ("check --baseline new.json", r"error: `--baseline` is only available in the native program\nhelp: .*\n$"),
        ("check --readers claude", r"error: `--readers` is only available in the native program\nhelp: .*\n$"),
        (
            "check --stdin-filename a.md -",
            r"error: `--stdin-filename` is only available in the native program\nhelp: .*\n$",
        ),
        ("run a task", r"error: `run` is only available in the native program\nhelp: there is no native.*\n$"),
    ],
)
def test_usage_and_io_errors(project: Path, words: str, message: str) -> None:
    status, output, errors = run(project, *words.split())
    assert (status, output) == (2, "")
    assert re.match(message, errors), errors


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_directories_without_permission(project: Path) -> None:
    agent(project, AGENT)
    folder = project / ".claude/agents"
    folder.chmod(0)
    status, output, _ = run(project, "check")
    folder.chmod(0o755)
    assert status == 1
    assert "unreadable-directory" in output


def test_it_writes_nothing(project: Path) -> None:
    agent(project, BROKEN)
    for words in (["check"], ["list"], ["convert", "a", "--to", "kode"]):
        run(project, *words)
    assert [path.name for path in project.iterdir()] == [".claude"]
    assert list((project.parent / "home").iterdir()) == []


def test_a_pipe_that_closes_early(project: Path) -> None:
    status, output, errors = run(project, "-c", f"'{COMMAND}' rules --format json | head -c 1", command=["sh"])
    assert (status, output, errors) == (0, "{", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no full device")
def test_output_that_cannot_be_written(project: Path) -> None:
    status, _, errors = run(project, "-c", f"'{COMMAND}' rules >/dev/full", command=["sh"])
    assert (status, errors) == (2, "error: cannot print: No space left on device\n")


def test_the_version_and_the_help(project: Path) -> None:
    assert run(project, "--version") == (0, f"callsheet {version('callsheet')}\n", "")
    for words in ("--help", "check --help none.md", "check -qh none.md"):
        status, output, errors = run(project, *words.split())
        assert (status, errors) == (0, "")
        assert "\nUsage: callsheet COMMAND\n" in output


@pytest.fixture
def native(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package with a substitute for the native program."""
    copy = tmp_path / "site" / PACKAGE.name
    shutil.copytree(PACKAGE, copy)
    program = copy / "bin/callsheet"
    program.parent.mkdir(exist_ok=True)
    program.write_text(STAND_IN)
    program.chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", str(copy.parent))
    return program


def test_the_native_program_replaces_the_process(project: Path, native: Path) -> None:
    done = run(project, "check", "a b", command=MODULE, stdin="text")
    assert done == (5, "native: check a b; input: text\n", "")
    with subprocess.Popen([*MODULE, "wait"], cwd=project, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        child.send_signal(signal.SIGTERM)
    assert child.returncode == -signal.SIGTERM


def test_the_native_program_starts_without_the_library(project: Path) -> None:
    script = "import sys, callsheet._command; print('wasmtime' in sys.modules, 'Callsheet' in dir(callsheet))"
    assert run(project, "-c", script, command=[sys.executable]) == (0, "False True\n", "")


@pytest.mark.parametrize("is_there", [True, False])
def test_a_native_program_that_cannot_run_is_replaced_by_the_component(
    project: Path, native: Path, is_there: bool
) -> None:
    native.chmod(0o644)
    if not is_there:
        native.unlink()
    reason = "Permission denied" if is_there else "No such file or directory"
    note = f"note: {native} cannot be run ({reason}); using the WebAssembly component\n"
    assert run(project, "--version", command=MODULE) == (0, f"callsheet {version('callsheet')}\n", note)
