//! The processes of a command or a server.

use std::io;
#[cfg(unix)]
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::process::{Child, Command};

#[cfg(target_os = "linux")]
use super::descendants;
#[cfg(target_os = "linux")]
use super::strays::{self, Namespace, Strays};

/// The processes of a command or a server. Dropping it ends them all.
#[derive(Default)]
pub(crate) struct Group {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
    /// A mark in the environment of the processes.
    #[cfg(target_os = "linux")]
    mark: String,
    /// Their mount namespace, if it is not that of this process.
    #[cfg(target_os = "linux")]
    namespace: Option<Namespace>,
}

/// All running groups. Locked while one is started, so that none is missed.
#[cfg(unix)]
static GROUPS: Mutex<Groups> = Mutex::new(Groups {
    leaders: Vec::new(),
    is_closed: false,
});

#[cfg(unix)]
struct Groups {
    leaders: Vec<rustix::process::Pid>,
    /// Nothing is started any more.
    is_closed: bool,
}

/// A poisoned lock is safe: a list is always whole.
#[cfg(unix)]
fn groups() -> MutexGuard<'static, Groups> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every running group, and prevents new ones.
pub(super) fn end_every() {
    #[cfg(unix)]
    {
        let mut groups = groups();
        groups.is_closed = true;
        groups.leaders.iter().copied().for_each(kill);
    }
}

#[cfg(unix)]
fn kill(leader: rustix::process::Pid) {
    // An empty group needs no signal.
    let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
}

#[cfg(unix)]
impl Group {
    /// Starts a command in a group of its own.
    pub(crate) fn start(command: &mut Command) -> io::Result<(Child, Self)> {
        command.process_group(0).kill_on_drop(true);
        let mut groups = groups();
        if groups.is_closed {
            return Err(io::Error::other("the program ends"));
        }
        #[cfg(target_os = "linux")]
        let (child, group) = Self::marked(command)?;
        #[cfg(not(target_os = "linux"))]
        let (child, group) = command.spawn().map(|child| {
            let leader = id(&child);
            (child, Self { leader })
        })?;
        groups.leaders.extend(group.leader);
        Ok((child, group))
    }

    #[cfg(target_os = "linux")]
    fn marked(command: &mut Command) -> io::Result<(Child, Self)> {
        let mark = strays::random();
        command.env(strays::MARK, &mark);
        let child = descendants::start(|| {
            let child = command.spawn();
            let leader = child.as_ref().ok().and_then(id);
            (child, leader)
        })?;
        let leader = id(&child);
        let namespace = leader.and_then(Namespace::of);
        Ok((
            child,
            Self {
                leader,
                mark,
                namespace,
            },
        ))
    }

    /// Ends those still in the group.
    pub(crate) fn end(&mut self) {
        if let Some(leader) = self.leader.take() {
            groups().leaders.retain(|other| *other != leader);
            kill(leader);
            #[cfg(target_os = "linux")]
            drop(self.namespace.take());
        }
    }

    /// Ends those that left it, too, if they can be found.
    pub(crate) fn end_all(&mut self) {
        #[cfg(target_os = "linux")]
        let strays = self
            .leader
            .map(|leader| Strays::of(leader, &self.mark, self.namespace.take()));
        self.end();
        #[cfg(target_os = "linux")]
        if let Some(strays) = strays {
            strays.end();
        }
    }
}

#[cfg(unix)]
fn id(child: &Child) -> Option<rustix::process::Pid> {
    let id = child.id().and_then(|id| i32::try_from(id).ok());
    id.and_then(rustix::process::Pid::from_raw)
}

#[cfg(not(unix))]
impl Group {
    pub(crate) fn start(command: &mut Command) -> io::Result<(Child, Self)> {
        let child = command.kill_on_drop(true).spawn()?;
        Ok((child, Self::default()))
    }

    pub(crate) fn end(&mut self) {}

    pub(crate) fn end_all(&mut self) {}
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end_all();
        #[cfg(target_os = "linux")]
        descendants::collect_orphans();
    }
}
