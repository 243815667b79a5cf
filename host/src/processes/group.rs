//! The processes of a command.

use tokio::process::Child;

#[cfg(target_os = "linux")]
use super::strays::{self, Strays};

/// The processes of a command. Dropped, it ends them all.
pub(super) struct Group {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
    #[cfg(target_os = "linux")]
    mark: Mark,
}

/// Tells the processes of one command from those of others.
pub(super) struct Mark(#[cfg(target_os = "linux")] String);

impl Mark {
    /// Another one each time.
    pub(super) fn new() -> Self {
        Self(
            #[cfg(target_os = "linux")]
            strays::random(),
        )
    }

    /// The variable that they are to inherit; none where nobody looks for it.
    pub(super) fn variable(&self) -> Option<(&'static str, &str)> {
        #[cfg(target_os = "linux")]
        return Some((strays::MARK, &self.0));
        #[cfg(not(target_os = "linux"))]
        return None;
    }
}

#[cfg(unix)]
impl Group {
    pub(super) fn of(child: &Child, mark: Mark) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        #[cfg(not(target_os = "linux"))]
        let _ = mark;
        Self {
            leader: id.and_then(rustix::process::Pid::from_raw),
            #[cfg(target_os = "linux")]
            mark,
        }
    }

    /// Ends those that stayed in the group.
    pub(super) fn end(&mut self) {
        if let Some(leader) = self.leader.take() {
            // If nobody is left, all the better.
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
        }
    }

    /// Ends those that left it, too, where they can be found.
    pub(super) fn end_all(&mut self) {
        #[cfg(target_os = "linux")]
        let strays = self.leader.map(|leader| Strays::of(leader, &self.mark.0));
        self.end();
        #[cfg(target_os = "linux")]
        if let Some(strays) = strays {
            strays.end();
        }
    }
}

#[cfg(not(unix))]
impl Group {
    pub(super) fn of(_: &Child, _: Mark) -> Self {
        Self {}
    }

    pub(super) fn end(&mut self) {}

    pub(super) fn end_all(&mut self) {}
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end_all();
    }
}
