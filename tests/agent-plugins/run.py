#!/usr/bin/env python3
"""Runs the conformance cases with a program that loads plugins; see README.md."""

import argparse
import fnmatch
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SECONDS = 60


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


def make(case, top):
    """The plugin of a case."""
    plugin = top / "plugin"
    shutil.copytree(HERE / "outside", top / "outside")
    files = HERE / "cases" / case["id"]
    if files.exists():
        shutil.copytree(files, plugin)
    plugin.mkdir(exist_ok=True)
    build = case.get("build", {})
    for folder in build.get("folders", []):
        (plugin / folder).mkdir(parents=True, exist_ok=True)
    for path, text in build.get("files", {}).items():
        write(plugin / path, text)
    for many in build.get("repeated", []):
        text = many.get("before", "") + many["text"] * many.get("times", 1) + many.get("after", "")
        for number in range(many.get("files", 1)):
            filled = many["path"].replace("{n}", str(number))
            write(plugin / filled, text.replace("{n}", str(number)))
    for path, target in build.get("links", {}).items():
        os.symlink(target, plugin / path)
    return plugin


def answer(program, plugin):
    ran = subprocess.run([*program, str(plugin)], stdout=subprocess.PIPE, timeout=SECONDS, check=False)
    return json.loads(ran.stdout)


def outcome(expected, given):
    if not given["loaded"]:
        return "rejected"
    # Reports that nothing demands do not change the outcome.
    demanded = expected["outcome"] == "loaded-with-reports"
    return "loaded-with-reports" if demanded and given.get("reports") else "loaded"


def differences(expected, given):
    if outcome(expected, given) != expected["outcome"]:
        yield f"{outcome(expected, given)}, expected {expected['outcome']}"
    for what in ("skills", "servers"):
        if what in given and sorted(given[what]) != expected[what]:
            yield f"{what} {sorted(given[what])}, expected {expected[what]}"
    for report in expected["reports"]:
        place = (report["file"], report.get("key"))
        reported = [(one.get("file"), one.get("key")) for one in given.get("reports", [])]
        if report["required"] and place not in reported:
            yield f"no report about {place[0]} {place[1] or ''}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*", help="a pattern of names")
    parser.add_argument("--without", action="append", default=[], choices=["case-sensitive", "links"])
    parser.add_argument("program", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    if not given.program:
        parser.error("name a program")
    cases = json.loads((HERE / "cases.json").read_text("utf-8"))["cases"]
    cases = [case for case in cases if case["stated"] and fnmatch.fnmatch(case["id"], given.only)]
    cases = [case for case in cases if not set(case.get("needs", [])) & set(given.without)]
    failed = 0
    for case in cases:
        with tempfile.TemporaryDirectory() as top:
            try:
                found = list(differences(case["expected"], answer(given.program, make(case, Path(top)))))
            except (ValueError, KeyError, TypeError, subprocess.TimeoutExpired) as error:
                found = [f"no answer: {error}"]
        failed += bool(found)
        for difference in found:
            print(f"{case['id']}: {difference} ({case['clause']})")
    print(f"{len(cases) - failed} of {len(cases)} cases pass")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
