//! All processes below this one, orphans included.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitOptions, getpid, set_child_subreaper, waitpid};

use super::table::{Process, below, kill, processes};

/// How long to search for remaining processes: one that the kernel cannot end yet is not waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Empty searches in a row: one search may miss a process whose parent ends during it.
const LOOKS: u32 = 2;

/// The pause between two searches.
const PAUSE: Duration = Duration::from_millis(2);

/// The children started here, which tokio waits for; none unless orphans become children, too.
static STARTED: Mutex<Option<HashSet<Pid>>> = Mutex::new(None);

/// The processes started below this process.
#[derive(Debug)]
pub(super) struct Descendants {
    /// Earlier ones, such as jobs of a shell that became this program.
    before: HashSet<Pid>,
}

impl Descendants {
    /// From now on orphans become children of this process.
    pub(super) fn watch() -> Self {
        // If the system refuses, orphans are found by their mark only.
        let _ = set_child_subreaper(Some(getpid()));
        started().get_or_insert_default();
        let before = below(getpid(), &HashSet::new());
        Self {
            before: before.into_iter().map(|process| process.id).collect(),
        }
    }

    /// Ends them, repeatedly until none is left: one may start another during the search.
    pub(super) fn end(&self) {
        let deadline = Instant::now() + PATIENCE;
        let mut empty = 0;
        while empty < LOOKS && Instant::now() < deadline {
            let mut alive = below(getpid(), &self.before);
            alive.retain(|process| !process.is_zombie);
            empty = if alive.is_empty() { empty + 1 } else { 0 };
            alive
                .into_iter()
                .filter_map(Process::hold)
                .for_each(|process| kill(&process));
            sleep(PAUSE);
        }
    }
}

fn started() -> MutexGuard<'static, Option<HashSet<Pid>>> {
    // A poisoned lock is safe: a set is always whole.
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a child. Until its ID is recorded, no child is reaped.
pub(super) fn start<T>(start: impl FnOnce() -> (T, Option<Pid>)) -> T {
    let mut started = started();
    let (child, id) = start();
    if let Some(started) = &mut *started {
        started.extend(id);
    }
    child
}

/// Reaps orphans that have ended, so that a server does not collect zombies.
pub(super) fn collect_orphans() {
    let started = started();
    let Some(started) = &*started else {
        return;
    };
    let ended = processes().filter_map(Process::read);
    let ended = ended.filter(|process| process.is_zombie && process.parent == getpid());
    for orphan in ended.filter(|process| !started.contains(&process.id)) {
        let _ = waitpid(Some(orphan.id), WaitOptions::NOHANG);
    }
}
