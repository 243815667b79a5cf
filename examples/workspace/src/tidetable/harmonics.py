"""Heights of the tide as a sum of cosines."""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from math import cos, radians

EPOCH = datetime(2000, 1, 1, tzinfo=timezone.utc)

# Degrees per hour.
SPEEDS = {
    "M2": 28.9841042,
    "S2": 30.0,
    "N2": 28.4397295,
    "K1": 15.0410686,
    "O1": 13.9430356,
}


@dataclass(frozen=True)
class Constituent:
    """One wave: amplitude in metres, phase in degrees at the epoch."""

    name: str
    amplitude: float
    phase: float

    def height(self, hours: float) -> float:
        return self.amplitude * cos(radians(SPEEDS[self.name] * hours - self.phase))


def height(mean: float, constituents: list[Constituent], moment: datetime) -> float:
    """The height at a moment, which must carry a time zone."""
    hours = (moment - EPOCH) / timedelta(hours=1)
    return mean + sum(wave.height(hours) for wave in constituents)


def turns(mean: float, constituents: list[Constituent], start: datetime, hours: int = 24):
    """High and low waters from `start` on, to the minute: pairs of moment and height."""
    minutes = [start + timedelta(minutes=n) for n in range(-1, hours * 60 + 1)]
    heights = [height(mean, constituents, moment) for moment in minutes]
    for before, (moment, now), after in zip(heights, list(zip(minutes, heights))[1:], heights[2:]):
        if (now - before) * (after - now) < 0:
            yield moment, now
