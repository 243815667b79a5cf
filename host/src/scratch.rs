//! Temporary directories of commands, removed even if the program ends early.

use std::fs::{self, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All existing ones. Locked while one is created, so that none is missed.
static DIRECTORIES: Mutex<Directories> = Mutex::new(Directories {
    paths: Vec::new(),
    is_closed: false,
});

struct Directories {
    paths: Vec<PathBuf>,
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
        let directory = tempfile::Builder::new().prefix("callsheet-").tempdir()?;
        let path = directory.keep();
        directories.paths.push(path.clone());
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        directories().paths.retain(|path| *path != self.0);
        remove(&self.0);
    }
}

/// Removes all of them, and prevents new ones: before the program exits, their owners may still be in use by other threads.
pub(crate) fn remove_all() {
    let mut directories = directories();
    directories.is_closed = true;
    std::mem::take(&mut directories.paths)
        .iter()
        .for_each(|path| remove(path));
}

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
