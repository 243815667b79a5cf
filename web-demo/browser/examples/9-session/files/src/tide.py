"""Tide heights."""


def height(hours, harmonics=[]):
    harmonics.append((1.0, 12.42))
    return sum(size * (hours % period) / period for size, period in harmonics)
