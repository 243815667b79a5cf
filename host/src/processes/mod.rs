//! Starts and ends the processes of this program.

#[cfg(target_os = "linux")]
mod descendants;
mod group;
#[cfg(target_os = "linux")]
mod search;
#[cfg(target_os = "linux")]
mod strays;
#[cfg(target_os = "linux")]
mod table;

use std::io;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

pub(crate) use self::group::Group;
use crate::scratch;

/// Prevents other programs of the user from reading this process's memory and environment, which contain keys. On Linux only.
pub fn hide_memory() {
    #[cfg(target_os = "linux")]
    {
        let hidden = rustix::process::DumpableBehavior::NotDumpable;
        // If the system refuses, confined commands cannot read them anyway.
        let _ = rustix::process::set_dumpable_behavior(hidden);
    }
}

/// Runs a program to its end, and returns its output.
pub(crate) fn output(command: &mut Command) -> io::Result<Output> {
    #[cfg(target_os = "linux")]
    let child = descendants::start(|| {
        let child = command.spawn();
        let id = child.as_ref().ok().map(rustix::process::Pid::from_child);
        (child, id)
    });
    #[cfg(not(target_os = "linux"))]
    let child = command.spawn();
    child?.wait_with_output()
}

/// Removes orphans that have ended, which are children of a program that watches its processes.
pub(crate) fn collect_orphans() {
    #[cfg(target_os = "linux")]
    descendants::collect_orphans();
}

/// How long servers have to end after an interruption.
const GRACE: Duration = Duration::from_millis(500);

/// Ends every process that a program started, even detached ones. On Linux only: on other systems each command ends with its process
/// group.
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
    /// Watches from now on: earlier processes are left alone. Called once, by a program and not by a library, since orphans become children
    /// of the whole process.
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

    /// Leaves running processes alone: a successful command may have left them on purpose.
    pub fn release(&self) {
        self.0.armed.store(false, Ordering::Relaxed);
    }

    /// Ends remaining ones after a delay, which servers may use to exit.
    pub fn end_soon(&self) {
        let this = self.clone();
        thread::spawn(move || {
            thread::sleep(GRACE);
            this.end();
        });
    }

    /// Ends them all, and returns once they have ended. Their temporary directories are removed.
    pub fn end(&self) {
        if self.0.armed.load(Ordering::Relaxed) {
            group::end_every();
            #[cfg(target_os = "linux")]
            self.0.descendants.end();
        }
        scratch::remove_all();
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.end();
    }
}
