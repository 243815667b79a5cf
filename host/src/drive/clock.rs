//! Monotonic nanoseconds.

use std::time::Duration;

use tokio::time::Instant;

/// A clock that continues from where it was saved: the time in between does not count.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    began: Instant,
    before: u64,
}

impl Clock {
    /// A clock that starts at `now`.
    pub fn at(now: u64) -> Self {
        Self {
            began: Instant::now(),
            before: now,
        }
    }

    /// The current time.
    pub fn now(&self) -> u64 {
        let passed = u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.before.saturating_add(passed)
    }

    /// Returns at `time`; never if there is none.
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
