//! All processes below this one, orphans included.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitOptions, getpid, set_child_subreaper, waitpid};

use super::table::{Process, below, kill, processes};

/// How long to look for what is still there: a process that the kernel cannot end yet is not waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Looks in a row that find nothing: one may miss a process whose parent ends while the table is read.
const LOOKS: u32 = 2;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(2);

/// The children that were started here, which tokio waits for; none unless orphans come here, too.
static STARTED: Mutex<Option<HashSet<Pid>>> = Mutex::new(None);

/// What is started below this process.
#[derive(Debug)]
pub(super) struct Descendants {
    /// Those that were there before, such as jobs of a shell that became this program.
    before: HashSet<Pid>,
}

impl Descendants {
    /// From now on orphans become children of this process.
    pub(super) fn watch() -> Self {
        // Where the system refuses, orphans are found by their mark only.
        let _ = set_child_subreaper(Some(getpid()));
        started().get_or_insert_default();
        let before = below(getpid(), &HashSet::new());
        Self {
            before: before.into_iter().map(|process| process.id).collect(),
        }
    }

    /// Ends them, again and again until none is left: one may start another while it is looked for.
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
    // A set is whole after a panic.
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a child. Until its number is known here, no child is collected.
pub(super) fn start<T>(start: impl FnOnce() -> (T, Option<Pid>)) -> T {
    let mut started = started();
    let (child, id) = start();
    if let Some(started) = &mut *started {
        started.extend(id);
    }
    child
}

/// Collects orphans that have ended, so that a server does not gather them.
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
