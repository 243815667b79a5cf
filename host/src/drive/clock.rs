//! Nanoseconds that only grow.

use std::time::Duration;

use tokio::time::Instant;

/// A clock that goes on where it stopped when its session was put away: that time does not count.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    began: Instant,
    before: u64,
}

impl Clock {
    /// A clock that says `now`.
    pub fn at(now: u64) -> Self {
        Self {
            began: Instant::now(),
            before: now,
        }
    }

    /// What it says.
    pub fn now(&self) -> u64 {
        let passed = u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.before.saturating_add(passed)
    }

    /// Returns when it says `time`; never if there is none.
    pub(super) async fn reaches(&self, time: Option<u64>) {
        let Some(time) = time else {
            return std::future::pending().await;
        };
        let left = Duration::from_nanos(time.saturating_sub(self.before));
        match self.began.checked_add(left) {
            Some(end) => tokio::time::sleep_until(end).await,
            None => std::future::pending().await,
        }
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::at(0)
    }
}
