"""The command line."""

import argparse
import tomllib
from datetime import datetime, timezone
from pathlib import Path

from .harmonics import Constituent, turns


def main() -> None:
    parser = argparse.ArgumentParser(prog="tidetable", description="High and low waters of one day.")
    parser.add_argument("station", type=Path, help="a station file")
    parser.add_argument("--day", default=None, help="the day in UTC, as YYYY-MM-DD [default: today]")
    arguments = parser.parse_args()
    station = tomllib.loads(arguments.station.read_text())
    waves = [Constituent(name, **wave) for name, wave in station["constituents"].items()]
    day = datetime.fromisoformat(arguments.day) if arguments.day else datetime.now()
    start = day.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=timezone.utc)
    for moment, metres in turns(station["mean"], waves, start):
        kind = "high" if metres > station["mean"] else "low "
        print(f"{moment:%H:%M}  {kind}  {metres:5.2f} m")


if __name__ == "__main__":
    main()
