//! How many tries of a case must pass.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

/// The part of a case's tries that must pass. All, unless stated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassRate(f64);

impl PassRate {
    /// The fewest of `tries` that are at least this part.
    pub fn needed(self, tries: usize) -> usize {
        // A decimal and a fraction of the same value are the same nearest float, so that 4 of 5 are 0.8.
        let suffices = |passed: &usize| *passed as f64 / tries as f64 >= self.0;
        (0..tries).find(suffices).unwrap_or(tries)
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Default for PassRate {
    fn default() -> Self {
        Self(1.0)
    }
}

impl TryFrom<f64> for PassRate {
    type Error = String;

    fn try_from(number: f64) -> Result<Self, Self::Error> {
        if number > 0.0 && number <= 1.0 {
            return Ok(Self(number));
        }
        let is_percentage = number > 1.0 && number <= 100.0;
        let percentage = is_percentage.then(|| format!("; {number} % is {}", number / 100.0));
        let percentage = percentage.unwrap_or_default();
        Err(format!("{number} is not a pass rate: use {EXPECTED}{percentage}"))
    }
}

impl FromStr for PassRate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number: f64 = text.parse().map_err(|_| format!("use {EXPECTED}"))?;
        Self::try_from(number)
    }
}

const EXPECTED: &str = "a number above 0 and at most 1, such as 0.8";

impl<'de> Deserialize<'de> for PassRate {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Number;
        impl Visitor<'_> for Number {
            type Value = PassRate;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str(EXPECTED)
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<PassRate, E> {
                PassRate::try_from(number).map_err(E::custom)
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<PassRate, E> {
                self.visit_f64(number as f64)
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<PassRate, E> {
                self.visit_f64(number as f64)
            }
        }
        from.deserialize_any(Number)
    }
}

#[cfg(test)]
mod tests {
    use super::PassRate;

    #[test]
    fn a_rate_of_decimals_needs_whole_tries() {
        for (rate, tries, needed) in [
            ("1", 1, 1),
            ("1", 1000, 1000),
            ("0.8", 5, 4),
            ("0.8", 1, 1),
            ("0.79", 5, 4),
            ("0.81", 5, 5),
            ("0.66", 3, 2),
            ("0.67", 3, 3),
            ("0.7", 10, 7),
            ("0.001", 1000, 1),
            ("1e-9", 1000, 1),
        ] {
            let parsed: PassRate = rate.parse().expect(rate);
            assert_eq!(parsed.needed(tries), needed, "{rate} of {tries}");
        }
    }

    #[test]
    fn what_is_no_rate_is_refused() {
        for text in [
            "", "0", "-0", "-0.5", "1.01", "80", "80%", "4/5", "nan", "inf", "1e999", "1e-999", "0,8",
        ] {
            assert!(text.parse::<PassRate>().is_err(), "{text}");
        }
    }
}
