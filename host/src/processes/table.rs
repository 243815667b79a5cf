//! The processes of this machine, from `/proc`.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::LazyLock;

use rustix::process::{Pid, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal};

/// Distinguishes a process from others with a reused ID: the ID, and when it started.
pub(super) type Identity = (Pid, u64);

/// One process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Process {
    pub(super) id: Pid,
    /// None for the first process, and for one that came into a container.
    pub(super) parent: Option<Pid>,
    /// Ended, but not yet waited for.
    pub(super) is_zombie: bool,
    /// Not a thread of the kernel, nor started without variables.
    pub(super) has_environment: bool,
    started: u64,
}

/// More bytes than the system returns of a list of children at once.
const LIST: usize = 8192;

/// The flag of the kernel's threads in `/proc/PID/stat`: `PF_KTHREAD`.
const OF_KERNEL: u32 = 0x0020_0000;

impl Process {
    /// The fields after the program's name, which may contain anything.
    pub(super) fn read(id: Pid) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).ok()?;
        let fields: Vec<&str> = stat[stat.rfind(')')? + 1..].split_whitespace().collect();
        let is_of_kernel = fields.get(6)?.parse::<u32>().ok()? & OF_KERNEL != 0;
        // Both are zero where they may not be read, and while a program starts.
        let (begin, end) = (*fields.get(47)?, *fields.get(48)?);
        Some(Self {
            id,
            parent: Pid::from_raw(fields.get(1)?.parse().ok()?),
            is_zombie: *fields.first()? == "Z",
            has_environment: !is_of_kernel && (begin != end || end == "0"),
            started: fields.get(19)?.parse().ok()?,
        })
    }

    pub(super) fn identity(self) -> Identity {
        (self.id, self.started)
    }

    /// Opens the process, so that its ID is not reused.
    pub(super) fn hold(self) -> Option<OwnedFd> {
        let held = pidfd_open(self.id, PidfdFlags::empty()).ok()?;
        let now = Self::read(self.id)?;
        (now.identity() == self.identity()).then_some(held)
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
pub(super) fn processes() -> Vec<Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?));
    ids.collect()
}

/// The processes below another one.
#[derive(Debug, Default)]
pub(super) struct Below {
    pub(super) found: Vec<Process>,
    /// One ended during the search: its children may be missing.
    pub(super) has_gaps: bool,
}

/// The processes below `above`, except those in `except` and below them.
pub(super) fn below(above: Pid, except: &HashSet<Pid>) -> Below {
    let all = all_if_needed();
    let (mut below, mut seen) = (Below::default(), except.clone());
    let mut next = vec![above];
    while let Some(parent) = next.pop() {
        let Some(children) = children(parent, all.as_deref()) else {
            below.has_gaps |= parent != above;
            continue;
        };
        for id in children.into_iter().filter(|id| seen.insert(*id)) {
            match Process::read(id) {
                Some(process) => {
                    below.found.push(process);
                    next.push(id);
                }
                None => below.has_gaps = true,
            }
        }
    }
    below
}

/// The children of this process.
pub(super) fn children_of_this() -> Vec<Pid> {
    let all = all_if_needed();
    children(getpid(), all.as_deref()).unwrap_or_default()
}

/// The children of a process, among `all` if the system does not list them; none if it has ended.
fn children(parent: Pid, all: Option<&[Process]>) -> Option<Vec<Pid>> {
    if let Some(all) = all {
        let children = all.iter().filter(|it| it.parent == Some(parent));
        return Some(children.map(|it| it.id).collect());
    }
    let threads = fs::read_dir(format!("/proc/{}/task", parent.as_raw_nonzero())).ok()?;
    let lists = threads.flatten().filter_map(|thread| list(&thread.path()));
    let ids: Vec<String> = lists.collect();
    let ids = ids.iter().flat_map(|list| list.split_ascii_whitespace());
    Some(ids.filter_map(|id| Pid::from_raw(id.parse().ok()?)).collect())
}

/// The children of a thread. Read at once: between two reads the system goes by position, so it skips one child for each that was
/// reaped meanwhile.
fn list(thread: &Path) -> Option<String> {
    let mut list = String::with_capacity(LIST);
    let mut file = File::open(thread.join("children")).ok()?;
    file.read_to_string(&mut list).ok()?;
    Some(list)
}

/// All processes if the system does not list the children of one, as some do not.
fn all_if_needed() -> Option<Vec<Process>> {
    static LISTS: LazyLock<bool> = LazyLock::new(|| Path::new("/proc/thread-self/children").exists());
    (!*LISTS).then(|| processes().into_iter().filter_map(Process::read).collect())
}
