//! All processes below this one, orphans included.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, WaitOptions, getpid, set_child_subreaper, waitpid};

use super::search::{self, Found};
use super::table::{Below, Process, below, children_of_this, kill};

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
        if set_child_subreaper(Some(getpid())).is_ok() {
            started().get_or_insert_default();
        }
        let before = below(getpid(), &HashSet::new()).found;
        Self {
            before: before.into_iter().map(|process| process.id).collect(),
        }
    }

    /// Ends them, repeatedly until none is left: one may start another during the search.
    pub(super) fn end(&self) {
        search::until_none(|| {
            collect_orphans();
            let below = below(getpid(), &self.before);
            let left = below.found.iter().filter(|it| !is_collected_elsewhere(it));
            let left = left.inspect(|process| process.hold().iter().for_each(kill));
            Found {
                ended: left.map(|process| process.id).collect(),
                has_gaps: below.has_gaps,
            }
        });
    }
}

/// The processes below this one, orphans included; none if orphans become children of another process.
pub(super) fn ours() -> Option<Below> {
    let is_watching = started().is_some();
    is_watching.then(|| below(getpid(), &HashSet::new()))
}

/// Whether it has ended, and tokio or another parent notices.
pub(super) fn is_collected_elsewhere(process: &Process) -> bool {
    let is_started = || started().as_ref().is_none_or(|ids| ids.contains(&process.id));
    process.is_zombie && (process.parent != Some(getpid()) || is_started())
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

/// Reaps orphans that have ended: until then they keep their IDs, and slow down each search.
pub(super) fn collect_orphans() {
    let started = started();
    let Some(started) = &*started else {
        return;
    };
    let ids = children_of_this().into_iter().filter(|id| !started.contains(id));
    let ended = ids.filter_map(Process::read).filter(|process| process.is_zombie);
    for orphan in ended {
        let _ = waitpid(Some(orphan.id), WaitOptions::NOHANG);
    }
}
