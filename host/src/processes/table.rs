//! The processes of this machine, from `/proc`.

use std::collections::HashSet;
use std::fs;
use std::os::fd::OwnedFd;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// One process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Process {
    pub(super) id: Pid,
    pub(super) parent: Pid,
    /// Ended, but not yet waited for.
    pub(super) is_zombie: bool,
    /// Its start time, which distinguishes it from others with a reused ID.
    started: u64,
}

impl Process {
    /// The fields after the program's name, which may contain anything.
    pub(super) fn read(id: Pid) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).ok()?;
        let fields: Vec<&str> = stat[stat.rfind(')')? + 1..].split_whitespace().collect();
        Some(Self {
            id,
            parent: Pid::from_raw(fields.get(1)?.parse().ok()?)?,
            is_zombie: *fields.first()? == "Z",
            started: fields.get(19)?.parse().ok()?,
        })
    }

    /// Opens the process, so that its ID is not reused.
    pub(super) fn hold(self) -> Option<OwnedFd> {
        let held = pidfd_open(self.id, PidfdFlags::empty()).ok()?;
        let now = Self::read(self.id)?;
        (now.started == self.started).then_some(held)
    }
}

pub(super) fn kill(process: &OwnedFd) {
    // An ended process needs no signal.
    let _ = pidfd_send_signal(process, Signal::KILL);
}

/// Keeps a process from running until it is killed.
pub(super) fn stop(process: &OwnedFd) {
    let _ = pidfd_send_signal(process, Signal::STOP);
}

/// All processes.
pub(super) fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

/// The processes below `above`, except those in `except` and below them.
pub(super) fn below(above: Pid, except: &HashSet<Pid>) -> Vec<Process> {
    let all: Vec<Process> = processes().filter_map(Process::read).collect();
    let children = |parent: Pid| {
        let children = all.iter().filter(move |it| it.parent == parent);
        children.filter(|it| !except.contains(&it.id)).copied()
    };
    let mut found: Vec<Process> = children(above).collect();
    let mut at = 0;
    while let Some(next) = found.get(at).copied() {
        found.extend(children(next.id));
        at += 1;
    }
    found
}
