//! Processes that left the group of the command that started them, as `setsid` does. Known on Linux only.

use std::collections::HashSet;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::os::fd::OwnedFd;

use rustix::process::Pid;

use super::table::{Process, below, kill, processes};

/// The variable that marks a command and all that it starts.
pub(super) const MARK: &str = "CALLSHEET_COMMAND";

/// How often to look again for what was started meanwhile.
const ROUNDS: usize = 10;

/// A mark that nobody else has. The standard library's only source of chance.
pub(super) fn random() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// What a command started and is still there: what has its mark, and what is below `leader`.
pub(super) struct Strays {
    mark: Vec<u8>,
    /// Found while their parents were there; without the mark they cannot be found afterwards.
    below: Vec<OwnedFd>,
}

impl Strays {
    /// Looks for them. To be called before the command itself is ended.
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
