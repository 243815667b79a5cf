"""Prints the time to check a thousand files, in seconds of CPU time and wall time."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from callsheet import Callsheet

WORDS = "review the code with care and report what breaks tests before each change of schema or design".split()
FOLDER = ".claude/agents"


def agent(number: int, dice: random.Random) -> str:
    """The text of an agent, 3.4 KB long on average."""

    def say(words: int) -> str:
        return " ".join(dice.choice(WORDS) for _ in range(words))

    text = f"---\nname: agent-{number:04}\ndescription: {say(12)}\ntools: Read, Bash(git *)\nmodel: sonnet\n---\n\n"
    length = dice.randint(800, 6000)
    while len(text) < length:
        text += dice.choice(
            [f"## {say(3)}\n\n", f"```sh\n{say(5)}\n```\n\n", f"- **{say(1)}**: {say(9)}\n", f"{say(18)}.\n\n"]
        )
    return text


def measure(what: str, work: Callable[[], object]) -> None:
    clock, process = time.perf_counter(), time.process_time()
    work()
    print(
        f"{what}: {time.process_time() - process:.2f} s of this process, {time.perf_counter() - clock:.2f} s of the clock"
    )


def main() -> None:
    dice = random.Random(7)
    files = {f"{FOLDER}/agent-{number:04}.md": agent(number, dice) for number in range(1000)}
    print(f"1,000 files, {sum(map(len, files.values())):,} bytes")
    measure("the component is loaded", lambda: Callsheet(files={}).rules())
    measure("checked in memory", lambda: Callsheet(files=files).catalog("claude-code").diagnostics())
    with tempfile.TemporaryDirectory() as project:
        (Path(project) / FOLDER).mkdir(parents=True)
        for path, contents in files.items():
            (Path(project) / path).write_text(contents)
        sheet = Callsheet(project, home=None)
        measure("checked on the disk", lambda: sheet.catalog("claude-code").diagnostics())
        measure("looked at again", sheet.catalog("claude-code").refresh)


if __name__ == "__main__":
    main()
