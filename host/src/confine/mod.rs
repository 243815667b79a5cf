//! Runs programs within the permissions of their agent: the files they may read and write, and network access.
//!
//! The component decides what an agent may do. This module enforces it: with Landlock, seccomp and a mount namespace on Linux, a sandbox
//! profile on macOS, and not at all on Windows.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
mod readable;
mod repository;
mod rights;
mod seatbelt;
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod unsupported;

use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use sha2::{Digest as _, Sha256};
use tokio::process::Command;

#[cfg(target_os = "linux")]
use self::linux::System;
#[cfg(target_os = "macos")]
use self::macos::System;
use self::readable::{FRESH, Readable, readable};
pub use self::rights::{Extras, Rights};
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
use self::unsupported::System;
use crate::delegation::Reach;
use crate::scratch::Scratch;

/// Confines the commands and servers of one project.
#[derive(Debug)]
pub struct Confinement {
    project: PathBuf,
    home: Option<PathBuf>,
    extras: Extras,
    /// Temporary files and caches of the commands, removed at the end.
    scratch: Scratch,
    system: System,
    readable: Mutex<Option<(Instant, Arc<Readable>)>>,
}

impl Confinement {
    /// Tests the confinement of this system by running a program. Fails with the reason if it is unavailable.
    pub fn new(project: &Path, home: Option<&Path>, extras: Extras) -> Result<Self, String> {
        let real = |path: &Path| path.canonicalize();
        let failed = |error: io::Error| format!("{}: {error}", project.display());
        let scratch =
            Scratch::create().map_err(|error| format!("cannot create a temporary directory: {error}"))?;
        let mut confinement = Self {
            project: real(project).map_err(failed)?,
            home: home.and_then(|home| real(home).ok()),
            extras,
            system: System::default(),
            scratch,
            readable: Mutex::default(),
        };
        confinement.system = System::find(&confinement.rights(&confinement.project, &no_reach()))?;
        Ok(confinement)
    }

    /// The gap of this system's protection, as a sentence.
    pub fn gap(&self) -> Option<&'static str> {
        self.system.gap()
    }

    /// A program that runs in this directory, the project or a copy of it, within a reach, in this environment and with the variables that
    /// confinement needs.
    pub(crate) fn command(
        &self,
        directory: &Path,
        program: &str,
        args: &[String],
        reach: &Reach,
        environment: &[(OsString, OsString)],
    ) -> io::Result<Command> {
        let cache = self.scratch.path().join("cache");
        self.within(program, args, &self.rights(directory, reach), environment, &cache)
    }

    /// A server of the project. Its downloads are kept, separate from those of the user's own programs.
    pub(crate) fn server(
        &self,
        program: &str,
        args: &[String],
        reach: &Reach,
        environment: &[(OsString, OsString)],
    ) -> io::Result<Command> {
        let mut rights = self.rights(&self.project, reach);
        let kept = self.home.as_deref().map(|home| cache_of(home, &self.project));
        let kept = kept.and_then(|kept| {
            std::fs::create_dir_all(&kept)
                .and_then(|()| kept.canonicalize())
                .ok()
        });
        rights.writes.extend(kept.clone());
        let cache = kept.unwrap_or_else(|| self.scratch.path().join("cache"));
        self.within(program, args, &rights, environment, &cache)
    }

    fn within(
        &self,
        program: &str,
        args: &[String],
        rights: &Rights,
        environment: &[(OsString, OsString)],
        cache: &Path,
    ) -> io::Result<Command> {
        let mut command = self.system.command(program, args, rights)?;
        command
            .env_clear()
            .envs(environment.iter().cloned())
            .env("TMPDIR", self.scratch.path())
            .env("XDG_CACHE_HOME", cache)
            .env("npm_config_cache", cache.join("npm"));
        Ok(command)
    }

    /// A command's limits, for the model whose command was denied something.
    pub(crate) fn explain(&self, directory: &Path, reach: &Reach) -> String {
        let rights = self.rights(directory, reach);
        let own = |path: &&PathBuf| !path.starts_with(self.scratch.path());
        let shown = |path: &PathBuf| path.display().to_string();
        let mut writes: Vec<String> = rights.writes.iter().filter(own).map(shown).collect();
        let mut seen = HashSet::new();
        writes.retain(|path| seen.insert(path.clone()));
        let writes = if writes.is_empty() {
            "nothing but $TMPDIR".to_owned()
        } else {
            writes.join(", ")
        };
        let network = if rights.network { "" } else { "no " };
        let keeps = if writes.contains('/') && !rights.keeps.is_empty() {
            ", except `.git` and files that control agents or run later"
        } else {
            ""
        };
        format!("[This command was confined: it may write {writes}{keeps}, and has {network}network.]")
    }

    fn rights(&self, directory: &Path, reach: &Reach) -> Rights {
        let scratch = self.scratch.path().canonicalize();
        let scratch = scratch.unwrap_or_else(|_| self.scratch.path().to_owned());
        let mut rights = Rights::new(directory, &scratch, &self.readable(), reach);
        rights.add(&self.extras, &self.project);
        rights
    }

    /// The readable paths, refreshed from time to time since system files are replaced.
    fn readable(&self) -> Arc<Readable> {
        // A poisoned lock is safe: the value is replaced as a whole.
        let mut known = self.readable.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, readable)) = &*known
            && at.elapsed() < FRESH
        {
            return Arc::clone(readable);
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let search: Vec<PathBuf> = std::env::split_paths(&path)
            .filter(|it| it.is_absolute())
            .collect();
        let readable = Arc::new(readable(self.home.as_deref(), &search));
        *known = Some((Instant::now(), Arc::clone(&readable)));
        readable
    }
}

/// The directory for downloads of a project's servers.
fn cache_of(home: &Path, project: &Path) -> PathBuf {
    let hash = Sha256::digest(project.as_os_str().as_encoded_bytes());
    let name: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    home.join(".cache/callsheet/servers").join(name)
}

/// The reach of a command without known rights.
pub(crate) fn no_reach() -> Reach {
    Reach {
        writes: Vec::new(),
        keeps: Vec::new(),
        network: false,
        files: Vec::new(),
    }
}
