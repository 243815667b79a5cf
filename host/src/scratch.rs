//! Temporary directories of commands, removed even if the program ends early. What a killed program leaves is removed by the next one.

#[cfg(unix)]
use std::fs::TryLockError;
use std::fs::{self, File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Their names: this, and as many letters and digits. Nothing else may have such a name, since it would be removed.
const PREFIX: &str = "callsheet-scratch-";
const LETTERS: usize = 16;

/// All existing ones. Locked while one is created, so that none is missed.
static DIRECTORIES: Mutex<Directories> = Mutex::new(Directories {
    owned: Vec::new(),
    is_swept: false,
    is_closed: false,
});

struct Directories {
    /// Each with the lock that shows that its program runs.
    owned: Vec<(PathBuf, Option<File>)>,
    /// What killed programs left has been removed.
    is_swept: bool,
    /// Nothing is created any more.
    is_closed: bool,
}

/// A temporary directory, removed when dropped.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn create() -> io::Result<Self> {
        let mut directories = directories();
        if directories.is_closed {
            return Err(io::Error::other("the program ends"));
        }
        let parent = std::env::temp_dir();
        let (path, lock) = create(&parent)?;
        if !std::mem::replace(&mut directories.is_swept, true) {
            sweep(&parent, &path);
        }
        directories.owned.push((path.clone(), lock));
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let mut directories = directories();
        let at = directories.owned.iter().position(|(path, _)| *path == self.0);
        let owned = at.map(|at| directories.owned.swap_remove(at));
        drop(directories);
        remove(&self.0);
        drop(owned);
    }
}

/// Removes all of them, and prevents new ones: before the program exits, their owners may still be in use by other threads.
pub(crate) fn remove_all() {
    let mut directories = directories();
    directories.is_closed = true;
    std::mem::take(&mut directories.owned)
        .iter()
        .for_each(|(path, _)| remove(path));
}

/// A new directory, locked where the system can lock one.
#[cfg(unix)]
fn create(parent: &Path) -> io::Result<(PathBuf, Option<File>)> {
    loop {
        let path = unlocked(parent)?;
        let lock = lock(&path);
        // Before it was locked, another program may have taken it for one that was left.
        let is_taken = matches!(lock, Err(TryLockError::WouldBlock));
        if !is_taken && path.exists() {
            return Ok((path, lock.ok()));
        }
    }
}

#[cfg(not(unix))]
fn create(parent: &Path) -> io::Result<(PathBuf, Option<File>)> {
    Ok((unlocked(parent)?, None))
}

fn unlocked(parent: &Path) -> io::Result<PathBuf> {
    let mut names = tempfile::Builder::new();
    let directory = names.prefix(PREFIX).rand_bytes(LETTERS).tempdir_in(parent)?;
    Ok(directory.keep())
}

/// Fails if its program runs.
#[cfg(unix)]
fn lock(directory: &Path) -> Result<File, TryLockError> {
    let file = File::open(directory).map_err(TryLockError::Error)?;
    file.try_lock().map(|()| file)
}

/// Removes the directories of this user's programs that do not run any more.
#[cfg(unix)]
fn sweep(parent: &Path, own: &Path) {
    use std::os::unix::fs::MetadataExt as _;
    let user = own.metadata().map(|metadata| metadata.uid()).ok();
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let letters = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let is_named = letters.is_some_and(|letters| {
            letters.len() == LETTERS && letters.bytes().all(|letter| letter.is_ascii_alphanumeric())
        });
        // Not through a link.
        let is_of_user = || {
            let metadata = entry.metadata().ok();
            metadata.is_some_and(|metadata| metadata.is_dir() && Some(metadata.uid()) == user)
        };
        if is_named && is_of_user() {
            let path = entry.path();
            if let Ok(_lock) = lock(&path) {
                remove(&path);
            }
        }
    }
}

#[cfg(not(unix))]
fn sweep(_: &Path, _: &Path) {}

fn directories() -> MutexGuard<'static, Directories> {
    // A poisoned lock is safe: a list is always whole.
    DIRECTORIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Commands may have taken their own permissions from directories.
fn remove(directory: &Path) {
    if fs::remove_dir_all(directory).is_err() {
        open(directory);
        // A directory that is still in use stays.
        let _ = fs::remove_dir_all(directory);
    }
}

/// Makes a directory and those in it readable and writable. Does not follow links.
fn open(directory: &Path) {
    let is_directory = |path: &Path| path.symlink_metadata().is_ok_and(|it| it.is_dir());
    if !is_directory(directory) {
        return;
    }
    if let Ok(metadata) = directory.symlink_metadata() {
        let _ = fs::set_permissions(directory, writable(metadata.permissions()));
    }
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        open(&entry.path());
    }
}

#[cfg(unix)]
fn writable(_: Permissions) -> Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o700)
}

#[cfg(not(unix))]
fn writable(mut permissions: Permissions) -> Permissions {
    permissions.set_readonly(false);
    permissions
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn what_a_killed_program_left_is_removed_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let path = parent.path().join(name);
            fs::create_dir_all(path.join("a")).unwrap();
            path
        };
        let (own, own_lock) = create(parent.path()).unwrap();
        let (running, lock) = create(parent.path()).unwrap();
        let (left, of_killed) = create(parent.path()).unwrap();
        drop(of_killed);
        let others = [
            make("callsheet-scratch-notes"),
            make("callsheet-scratch-0123456789abcde-"),
            make("callsheet-0123456789abcdef"),
        ];
        let target = make("elsewhere");
        let link = parent.path().join("callsheet-scratch-abcdefghijklmnop");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        sweep(parent.path(), &own);
        assert!(!left.exists());
        for path in others.iter().chain([&own, &running, &link, &target]) {
            assert!(path.exists(), "{}", path.display());
        }
        assert!(target.join("a").exists());
        drop((own_lock, lock));
    }

    #[test]
    fn protected_directories_are_removed_and_links_not_followed() {
        let outside = tempfile::tempdir().unwrap();
        fs::set_permissions(outside.path(), Permissions::from_mode(0o500)).unwrap();
        let scratch = Scratch::create().unwrap();
        let path = scratch.path().to_owned();
        fs::create_dir_all(path.join("a/b/c")).unwrap();
        std::os::unix::fs::symlink(outside.path(), path.join("a/link")).unwrap();
        for protected in ["a/b", "a"] {
            fs::set_permissions(path.join(protected), Permissions::from_mode(0o0)).unwrap();
        }
        drop(scratch);
        assert!(!path.exists());
        let mode = outside.path().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o500);
    }
}
