import unittest
from datetime import datetime, timedelta, timezone

from tidetable.harmonics import EPOCH, Constituent, height, turns

M2 = Constituent("M2", amplitude=1.0, phase=0.0)


class Heights(unittest.TestCase):
    def test_a_wave_without_phase_peaks_at_the_epoch(self):
        self.assertAlmostEqual(height(2.0, [M2], EPOCH), 3.0)

    def test_half_a_period_later_it_is_low(self):
        later = EPOCH + timedelta(hours=180 / 28.9841042)
        self.assertAlmostEqual(height(2.0, [M2], later), 1.0)


class Turns(unittest.TestCase):
    def test_a_lunar_day_has_four(self):
        start = datetime(2026, 3, 1, tzinfo=timezone.utc)
        self.assertIn(len(list(turns(2.0, [M2], start))), (3, 4))


if __name__ == "__main__":
    unittest.main()
