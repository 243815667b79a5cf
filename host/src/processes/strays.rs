//! Processes that left the process group of their command, as with `setsid`. On Linux only.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, Metadata};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant};

use rustix::process::{Pid, getpid};

use super::descendants;
use super::search::{self, Found};
use super::table::{Identity, Process, below, kill, processes, stop};

/// The variable that marks a command and its processes.
pub(super) const MARK: &str = "CALLSHEET_COMMAND";

/// How long to search for those that are below a command.
const PATIENCE: Duration = Duration::from_secs(3);

/// A unique mark. The standard library's only source of randomness.
pub(super) fn random() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// The mount namespace of a command, if it is not that of this process: a confined command has its own, which its processes cannot
/// leave. While it is open, its number is not used for another one.
#[derive(Debug)]
pub(super) struct Namespace {
    id: (u64, u64),
    _open: File,
}

impl Namespace {
    pub(super) fn of(leader: Pid) -> Option<Self> {
        let ours = namespace(getpid())?;
        let open = File::open(path(leader)).ok()?;
        let id = identity(&open.metadata().ok()?);
        (id != ours).then_some(Self { id, _open: open })
    }
}

fn namespace(id: Pid) -> Option<(u64, u64)> {
    fs::metadata(path(id)).ok().map(|it| identity(&it))
}

fn path(id: Pid) -> String {
    format!("/proc/{}/ns/mnt", id.as_raw_nonzero())
}

fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// Running processes of a command: those with its mark, those in its namespace, and those below `leader`.
pub(super) struct Strays {
    mark: Vec<u8>,
    namespace: Option<Namespace>,
    /// Found while their parents were running; without mark and namespace they cannot be found later.
    below: Vec<OwnedFd>,
    /// Processes that are not the command's, and ended ones.
    others: HashSet<Identity>,
}

impl Strays {
    /// Searches for them, and stops those below `leader` so that they start no more. Called before the command itself is ended.
    /// `namespace` is none if it is not the command's own.
    pub(super) fn of(leader: Pid, mark: &str, namespace: Option<Namespace>) -> Self {
        // While a program starts, its namespace cannot be read.
        let namespace = namespace.or_else(|| Namespace::of(leader));
        let deadline = Instant::now() + PATIENCE;
        let mut held: HashMap<Pid, OwnedFd> = HashMap::new();
        while Instant::now() < deadline {
            let below = below(leader, &HashSet::new());
            let found = below.found.into_iter().chain(Process::read(leader));
            let new = found.filter(|process| !held.contains_key(&process.id));
            let new: Vec<(Pid, OwnedFd)> = new
                .filter_map(|process| Some((process.id, process.hold()?)))
                .collect();
            if new.is_empty() && !below.has_gaps {
                break;
            }
            new.iter().for_each(|(_, process)| stop(process));
            held.extend(new);
        }
        Self {
            mark: format!("{MARK}={mark}").into_bytes(),
            namespace,
            below: held.into_values().collect(),
            others: HashSet::new(),
        }
    }

    /// Ends them.
    pub(super) fn end(mut self) {
        self.below.iter().for_each(kill);
        search::until_none(|| self.end_found());
    }

    /// Ends those that one search finds. One that ends during it may have started another.
    fn end_found(&mut self) -> Found {
        descendants::collect_orphans();
        let mut found = Found::default();
        let ids = match descendants::ours() {
            Some(below) => {
                found.has_gaps = below.has_gaps;
                below.found.into_iter().map(|process| process.id).collect()
            }
            None => processes(),
        };
        for id in ids {
            let Some(process) = Process::read(id) else {
                found.has_gaps = true;
                continue;
            };
            if self.others.contains(&process.identity()) {
                continue;
            }
            let is_ours = self.end_one(process);
            match is_ours {
                Some(true) => found.ended.push(id),
                None => found.has_gaps = true,
                Some(false) => {}
            }
            if process.is_zombie || is_ours == Some(false) {
                self.others.insert(process.identity());
            }
        }
        found
    }

    /// Ends the process if it has the mark or is in the namespace. Returns whether it did; none if that cannot be seen.
    fn end_one(&self, process: Process) -> Option<bool> {
        let held = process.hold().filter(|_| !process.is_zombie)?;
        let own = self.namespace.as_ref().map(|own| own.id);
        let mut is_ours = own.is_some() && namespace(process.id) == own;
        if !is_ours && process.has_environment {
            let environment = fs::read(format!("/proc/{}/environ", process.id.as_raw_nonzero()));
            let Ok(environment) = environment else {
                // That of another user.
                return Some(false);
            };
            if environment.is_empty() {
                // It is about to run a program.
                return None;
            }
            is_ours = environment.split(|byte| *byte == 0).any(|it| it == self.mark);
        }
        if is_ours {
            kill(&held);
        }
        Some(is_ours)
    }
}
