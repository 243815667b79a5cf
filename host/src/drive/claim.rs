//! One owner of a session at a time: a lock on a file beside it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::SaveError;

/// How often to retry if the file is removed between opening and locking it.
const ATTEMPTS: usize = 8;

/// All existing lock files of this process.
static TAKEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the lock files before the program exits without dropping anything.
pub(super) fn release_all() {
    for path in std::mem::take(&mut *taken()) {
        let _ = fs::remove_file(path);
    }
}

fn taken() -> MutexGuard<'static, Vec<PathBuf>> {
    // A poisoned lock is safe: a list is always whole.
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The exclusive right to write a session. Released when dropped, also by the system when the process dies.
#[derive(Debug)]
pub(super) struct Claim {
    path: PathBuf,
    _locked: File,
}

impl Claim {
    /// Whether a process has it.
    pub(super) fn is_taken(session: &Path) -> bool {
        let lock = File::open(beside(session, ".lock"));
        lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Fails with the owner.
    pub(super) fn take(session: &Path) -> Result<Self, SaveError> {
        let path = beside(session, ".lock");
        let failed = |reason| SaveError::new(session, "lock", reason);
        for _ in 0..ATTEMPTS {
            let mut file = open(&path).map_err(failed)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(failed(held(&mut file))),
                Err(TryLockError::Error(reason)) => return Err(failed(reason)),
            }
            if is_there(&file, &path) {
                let written = file
                    .set_len(0)
                    .and_then(|()| write!(file, "{}", std::process::id()));
                written.map_err(failed)?;
                // Left behind by a process that was killed while it wrote.
                let _ = fs::remove_file(partial(session));
                taken().push(path.clone());
                return Ok(Self { path, _locked: file });
            }
        }
        Err(failed(io::Error::other("its lock file is removed repeatedly")))
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        taken().retain(|path| *path != self.path);
        // Removed while it is locked: waiting processes check whether it still exists.
        let _ = fs::remove_file(&self.path);
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn held(file: &mut File) -> io::Error {
    let mut by = String::new();
    // If it cannot be read, the process is not named.
    let _ = file.read_to_string(&mut by);
    let by = match by.trim() {
        own if own == std::process::id().to_string() => {
            return io::Error::other("another call of this process is using it: wait for its end");
        }
        "" => "another process".to_owned(),
        id => format!("process {id}"),
    };
    io::Error::other(format!(
        "{by} is using it: end that process first, or wait for it"
    ))
}

/// Whether the file still has its name: its last owner removes it.
#[cfg(unix)]
fn is_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let (ours, there) = (file.metadata(), path.metadata());
    ours.is_ok_and(|ours| there.is_ok_and(|there| (ours.dev(), ours.ino()) == (there.dev(), there.ino())))
}

/// On other systems an open file cannot be removed.
#[cfg(not(unix))]
fn is_there(_: &File, _: &Path) -> bool {
    true
}

/// The temporary file that replaces the file.
pub(super) fn partial(path: &Path) -> PathBuf {
    beside(path, ".partial")
}

pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}
