//! The processes that this program starts, and their end.

#[cfg(target_os = "linux")]
mod descendants;
mod group;
#[cfg(target_os = "linux")]
mod strays;
#[cfg(target_os = "linux")]
mod table;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

pub(crate) use self::group::Group;

/// Keeps other programs of the user from reading this process's memory and environment, which hold keys. Known on Linux only.
pub fn hide_memory() {
    #[cfg(target_os = "linux")]
    {
        let hidden = rustix::process::DumpableBehavior::NotDumpable;
        // Where the system refuses, confined commands cannot read them even so.
        let _ = rustix::process::set_dumpable_behavior(hidden);
    }
}

/// How long servers have to end when a run stops short.
const GRACE: Duration = Duration::from_millis(500);

/// Ends every process that a program started, however far it went from its parent. Known to work on Linux only: elsewhere each
/// command ends with its process group.
#[derive(Clone, Debug)]
pub struct Ending(Arc<State>);

#[derive(Debug)]
struct State {
    armed: AtomicBool,
    #[cfg(target_os = "linux")]
    descendants: descendants::Descendants,
}

/// Ends the processes when it is dropped, as in a panic, unless they were released.
#[derive(Debug)]
pub struct Guard(Ending);

impl Ending {
    /// Watches from now on: what this process started before is left alone. To be called once, by a program and not by a library,
    /// since orphans become children of the whole process.
    pub fn watch() -> Self {
        Self(Arc::new(State {
            armed: AtomicBool::new(true),
            #[cfg(target_os = "linux")]
            descendants: descendants::Descendants::watch(),
        }))
    }

    /// Ends them when the guard is dropped.
    pub fn guard(&self) -> Guard {
        Guard(self.clone())
    }

    /// Leaves those that are still there alone: a command that ended well may have left them on purpose.
    pub fn release(&self) {
        self.0.armed.store(false, Ordering::Relaxed);
    }

    /// Ends those that are still there in a while: servers may use it to end by themselves.
    pub fn end_soon(&self) {
        let this = self.clone();
        thread::spawn(move || {
            thread::sleep(GRACE);
            this.end();
        });
    }

    /// Ends them all, and returns once they are gone.
    pub fn end(&self) {
        if self.0.armed.load(Ordering::Relaxed) {
            group::end_every();
            #[cfg(target_os = "linux")]
            self.0.descendants.end();
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.end();
    }
}
