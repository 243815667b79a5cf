//! Time limits and retries.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// Time limits and retries of requests to models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For connecting.
    pub connect: Duration,
    /// For the next piece of an answer, the first one included.
    pub idle: Duration,
    /// For a whole answer, including all attempts and pauses.
    pub total: Duration,
    /// Attempts in all.
    pub attempts: u32,
    /// The pause before the second attempt. The following ones are twice as long each.
    pub pause: Duration,
    /// The longest pause. If a provider asks for a longer one, there is no retry.
    pub longest_pause: Duration,
}

impl Default for Patience {
    /// Models think for minutes, and rate limits usually apply per minute.
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(180),
            total: Duration::from_secs(900),
            attempts: 5,
            pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(60),
        }
    }
}

impl Patience {
    /// The pause after so many attempts, if there is another: what the provider asks for, else a random part of the doubled one, so that
    /// clients that failed together do not retry together.
    pub(super) fn pause(&self, attempts: u32, asked: Option<Duration>) -> Option<Duration> {
        if attempts >= self.attempts {
            return None;
        }
        let doubled = self
            .pause
            .saturating_mul(1 << (attempts - 1).min(16))
            .min(self.longest_pause);
        let random = doubled.mul_f64(0.5 + 0.5 * fraction());
        match asked {
            Some(asked) if asked > self.longest_pause => None,
            Some(asked) => Some(asked.max(random.min(self.pause))),
            None => Some(random),
        }
    }
}

/// From 0 to 1. The standard library's only source of randomness.
fn fraction() -> f64 {
    let random = RandomState::new().build_hasher().finish();
    random as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_maximum() {
        let patience = Patience {
            attempts: 20,
            ..Patience::default()
        };
        for (attempts, most) in [(1, 500), (2, 1000), (3, 2000), (8, 60_000), (19, 60_000)] {
            let pause = patience.pause(attempts, None).unwrap().as_millis();
            assert!((most / 2..=most).contains(&pause), "{attempts}: {pause}");
        }
    }

    #[test]
    fn retries_are_limited() {
        let patience = Patience::default();
        assert!(patience.pause(4, None).is_some());
        assert_eq!(patience.pause(5, None), None);
        assert_eq!(patience.pause(5, Some(Duration::ZERO)), None);
        assert_eq!(patience.pause(1, Some(Duration::from_secs(61))), None);
    }

    #[test]
    fn the_providers_pause_is_used() {
        let asked = Duration::from_secs(7);
        assert_eq!(Patience::default().pause(1, Some(asked)), Some(asked));
        let at_once = Patience::default().pause(3, Some(Duration::ZERO)).unwrap();
        assert!(at_once >= Duration::from_millis(250), "{at_once:?}");
    }
}
