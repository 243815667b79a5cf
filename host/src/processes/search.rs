//! Repeats a search for processes until it finds none.

use std::collections::HashSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::Pid;

/// Empty searches in a row: one may miss a process that starts another and ends.
const LOOKS: u32 = 3;

/// The pause between two searches.
const PAUSE: Duration = Duration::from_millis(2);

/// How long to search without a new process: one that the kernel cannot end yet is not waited for.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long to search while new processes are found, as on a busy machine.
const LONGEST: Duration = Duration::from_secs(30);

/// What one search found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The processes that it ended.
    pub(super) ended: Vec<Pid>,
    /// It may have missed some.
    pub(super) has_gaps: bool,
}

/// Searches until no process is left.
pub(super) fn until_none(mut search: impl FnMut() -> Found) {
    let began = Instant::now();
    let (mut latest, mut seen, mut empty) = (began, HashSet::new(), 0);
    while empty < LOOKS && latest.elapsed() < PATIENCE && began.elapsed() < LONGEST {
        let found = search();
        let is_empty = found.ended.is_empty() && !found.has_gaps;
        empty = if is_empty { empty + 1 } else { 0 };
        let before = seen.len();
        seen.extend(found.ended);
        if seen.len() > before {
            latest = Instant::now();
        }
        sleep(PAUSE);
    }
}
