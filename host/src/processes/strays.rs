//! Processes that left the process group of their command, as with `setsid`. On Linux only.

use std::collections::HashSet;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::os::fd::OwnedFd;

use rustix::process::Pid;

use super::table::{Process, below, kill, processes};

/// The variable that marks a command and its processes.
pub(super) const MARK: &str = "CALLSHEET_COMMAND";

/// The interval of searches for new ones.
const ROUNDS: usize = 10;

/// A unique mark. The standard library's only source of randomness.
pub(super) fn random() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// Running processes of a command: those with its mark, and those below `leader`.
pub(super) struct Strays {
    mark: Vec<u8>,
    /// Found while their parents were running; without the mark they cannot be found later.
    below: Vec<OwnedFd>,
}

impl Strays {
    /// Searches for them. Called before the command itself is ended.
    pub(super) fn of(leader: Pid, mark: &str) -> Self {
        let below = below(leader, &HashSet::new()).into_iter();
        Self {
            mark: format!("{MARK}={mark}").into_bytes(),
            below: below.filter_map(Process::hold).collect(),
        }
    }

    /// Ends them.
    pub(super) fn end(self) {
        self.below.iter().for_each(kill);
        for _ in 0..ROUNDS {
            let marked: Vec<OwnedFd> = processes().filter_map(|id| self.marked(id)).collect();
            if marked.is_empty() {
                return;
            }
            marked.iter().for_each(kill);
        }
    }

    /// The process, if it has the mark.
    fn marked(&self, id: Pid) -> Option<OwnedFd> {
        let process = Process::read(id)?.hold()?;
        let environment = fs::read(format!("/proc/{}/environ", id.as_raw_nonzero())).ok()?;
        let mut variables = environment.split(|byte| *byte == 0);
        variables.any(|variable| variable == self.mark).then_some(process)
    }
}
