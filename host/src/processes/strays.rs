//! Processes that left the group of the command that started them, as `setsid` does. Known on Linux only.

use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::os::fd::OwnedFd;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

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
        Self {
            mark: format!("{MARK}={mark}").into_bytes(),
            below: below(leader),
        }
    }

    /// Ends them.
    pub(super) fn end(self) {
        for process in &self.below {
            kill(process);
        }
        for _ in 0..ROUNDS {
            let marked: Vec<OwnedFd> = processes().filter_map(|id| self.marked(id)).collect();
            if marked.is_empty() {
                return;
            }
            marked.iter().for_each(kill);
        }
    }

    /// The process, if it has the mark. It is held before it is looked at, so that no other one takes its number meanwhile.
    fn marked(&self, id: Pid) -> Option<OwnedFd> {
        let process = pidfd_open(id, PidfdFlags::empty()).ok()?;
        let environment = fs::read(format!("/proc/{}/environ", id.as_raw_nonzero())).ok()?;
        let mut variables = environment.split(|byte| *byte == 0);
        variables.any(|variable| variable == self.mark).then_some(process)
    }
}

fn kill(process: &OwnedFd) {
    // If it has ended, all the better.
    let _ = pidfd_send_signal(process, Signal::KILL);
}

fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

/// What has a process above it that is `leader`.
fn below(leader: Pid) -> Vec<OwnedFd> {
    let mut parents = vec![leader];
    let all: Vec<(Pid, Pid)> = processes().filter_map(|id| Some((id, parent(id)?))).collect();
    let mut at = 0;
    while let Some(above) = parents.get(at).copied() {
        parents.extend(
            all.iter()
                .filter(|(_, parent)| *parent == above)
                .map(|(id, _)| *id),
        );
        at += 1;
    }
    let found = parents.into_iter().skip(1);
    found
        .filter_map(|id| pidfd_open(id, PidfdFlags::empty()).ok())
        .collect()
}

/// The second field after the program's name, which may hold anything.
fn parent(id: Pid) -> Option<Pid> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).ok()?;
    let fields = &stat[stat.rfind(')')? + 1..];
    Pid::from_raw(fields.split_whitespace().nth(1)?.parse().ok()?)
}
