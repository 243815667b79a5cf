//! Confinement on Linux: Landlock for files, seccomp for system calls, and if available a mount namespace for what Landlock cannot
//! express: a read-only path in a writable tree.

mod calls;
mod capabilities;
mod files;
mod mounts;

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use landlock::RulesetCreated;
use seccompiler::BpfProgram;
use tokio::process::Command;

use self::capabilities::Capabilities;
use self::mounts::Mounts;
use super::readable::FRESH;
use super::rights::Rights;

/// How this system confines.
#[derive(Debug, Default)]
pub(in crate::confine) struct System {
    /// Whether mount namespaces are available.
    mounts: bool,
    /// Rules of the latest programs.
    made: Mutex<Vec<Made>>,
}

/// Rules shared by programs with the same rights.
#[derive(Debug)]
struct Made {
    at: Instant,
    rights: Rights,
    /// The files of the writable paths at that time: Landlock refers to files, not paths.
    files: Vec<Option<(u64, u64)>>,
    ruleset: RulesetCreated,
    filters: Arc<[BpfProgram]>,
}

impl System {
    /// Tries it with a program that does nothing.
    pub(in crate::confine) fn find(rights: &Rights) -> Result<Self, String> {
        let works = |mounts| {
            let mut program = std::process::Command::new("true");
            program
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            let system = Self {
                mounts,
                made: Mutex::default(),
            };
            system.confine(&mut program, rights)?;
            if program.status()?.success() {
                Ok(system)
            } else {
                Err(io::Error::other("a program that does nothing failed"))
            }
        };
        files::is_there()?;
        works(true)
            .or_else(|_| works(false))
            .map_err(|error| format!("a confined program does not start: {error}"))
    }

    pub(in crate::confine) fn gap(&self) -> Option<&'static str> {
        let gap = "commands can write `.git` and agent files where they can write the project: there is no mount namespace";
        (!self.mounts).then_some(gap)
    }

    pub(in crate::confine) fn command(
        &self,
        program: &str,
        args: &[String],
        rights: &Rights,
    ) -> io::Result<Command> {
        let mut command = Command::new(program);
        command.args(args).current_dir(&rights.directory);
        self.confine(command.as_std_mut(), rights)?;
        Ok(command)
    }

    fn confine(&self, command: &mut std::process::Command, rights: &Rights) -> io::Result<()> {
        let (ruleset, filters) = self.shared(rights)?;
        let mut cage = Cage {
            mounts: self.mounts.then(|| Mounts::new(rights)).transpose()?,
            capabilities: Capabilities::needless(),
            ruleset: Some(ruleset),
            filters,
        };
        // SAFETY: `enter` only makes system calls on memory that was there before the process was forked: it takes no lock.
        #[expect(unsafe_code, reason = "a process must confine itself")]
        unsafe {
            command.pre_exec(move || cage.enter());
        }
        Ok(())
    }
}

impl System {
    fn shared(&self, rights: &Rights) -> io::Result<(RulesetCreated, Arc<[BpfProgram]>)> {
        // A list is whole after a panic.
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.retain(|made| made.at.elapsed() < FRESH);
        let files = rights.files();
        let same = |made: &&Made| made.rights == *rights && made.files == files;
        if let Some(known) = made.iter().find(same) {
            return Ok((known.ruleset.try_clone()?, Arc::clone(&known.filters)));
        }
        let ruleset = files::ruleset(rights).map_err(io::Error::other)?;
        let filters = calls::filters(rights.network, !rights.writes_project() && !self.mounts)?;
        let filters: Arc<[BpfProgram]> = filters.into();
        made.push(Made {
            at: Instant::now(),
            rights: rights.clone(),
            files,
            ruleset: ruleset.try_clone()?,
            filters: Arc::clone(&filters),
        });
        Ok((ruleset, filters))
    }
}

impl Rights {
    fn files(&self) -> Vec<Option<(u64, u64)>> {
        let file = |path: &PathBuf| path.metadata().ok().map(|it| (it.dev(), it.ino()));
        self.writes.iter().map(file).collect()
    }

    /// Whether it may write more than temporary files.
    fn writes_project(&self) -> bool {
        self.writes.iter().any(|path| *path != self.scratch)
    }
}

/// Closes every file but the three streams when the program starts: an open file is not checked again, and the user's shell may have
/// left some.
fn close_inherited() -> io::Result<()> {
    const STREAMS: libc::c_uint = 3;
    // SAFETY: only marks files, so that what this process has open stays open until then.
    #[expect(unsafe_code, reason = "no crate has this call")]
    let closed = unsafe {
        libc::syscall(
            libc::SYS_close_range,
            STREAMS,
            libc::c_uint::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        )
    };
    match closed {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The steps of a process before it runs a program.
struct Cage {
    mounts: Option<Mounts>,
    capabilities: Capabilities,
    ruleset: Option<RulesetCreated>,
    filters: Arc<[BpfProgram]>,
}

impl Cage {
    fn enter(&mut self) -> io::Result<()> {
        close_inherited()?;
        // Landlock forbids mounting, and seccomp the calls of the other steps: the order matters.
        if let Some(mounts) = &self.mounts {
            mounts.enter()?;
        }
        self.capabilities.give_up()?;
        rustix::thread::set_no_new_privs(true)?;
        if let Some(ruleset) = self.ruleset.take() {
            let restricted = ruleset.restrict_self();
            restricted.map_err(|_| io::Error::from_raw_os_error(libc::EPERM))?;
        }
        for filter in &*self.filters {
            let applied = seccompiler::apply_filter(filter);
            applied.map_err(|_| io::Error::from_raw_os_error(libc::ENOSYS))?;
        }
        Ok(())
    }
}
