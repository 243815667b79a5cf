//! Atomic writes of one file.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;

use cap_std::fs::{Dir, File, OpenOptions, Permissions};

use super::Files;
use super::root::open_file;

impl Files {
    /// Replaces a file that still has the contents `before`, without leaving its place.
    pub(crate) fn replace(&mut self, path: &str, before: &[u8], after: &[u8]) -> io::Result<()> {
        // The limits for writing are stricter than those for reading.
        let target = self.places.resolve(path).or_else(|| self.granted.resolve(path));
        let (root, below) = target.ok_or_else(outside)?;
        let (directory, name) = root.holder(&below)?;
        replace(&directory, Path::new(&name), before, after)
    }

    /// Creates a file, and its directories. If two processes try, one fails.
    pub(crate) fn create(&mut self, path: &str, contents: &[u8]) -> io::Result<()> {
        let (directory, name) = self.room_for(path)?;
        create(&directory, Path::new(&name), contents)
    }

    /// Removes a file that still has these contents. Of a link, only the link is removed.
    pub(crate) fn remove(&mut self, path: &str, before: &[u8]) -> io::Result<()> {
        let (directory, name) = self.room_for(path)?;
        if self.named(path)? != before {
            return Err(changed_meanwhile());
        }
        directory.remove_file(name)
    }

    /// Renames a file, a link or a directory, and creates the directories of the new path, which must not exist.
    pub(crate) fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let (old, name) = self.room_for(from)?;
        let (new, new_name) = self.room_for(to)?;
        // `rename` replaces a file; a name that differs only by case may be the same file.
        let is_taken = new.symlink_metadata(&new_name).is_ok();
        if is_taken && !name.eq_ignore_ascii_case(&new_name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        old.rename(name, &new, new_name)
    }

    fn room_for(&self, path: &str) -> io::Result<(Dir, OsString)> {
        let target = self.places.resolve(path).or_else(|| self.granted.resolve(path));
        let (root, below) = target.ok_or_else(outside)?;
        root.room_for(&below)
    }
}

/// Creates a file. The contents are written under a temporary name first, so that no reader sees half of them.
pub(crate) fn create(directory: &Dir, name: &Path, contents: &[u8]) -> io::Result<()> {
    if directory.symlink_metadata(name).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let temporary = temporary(name);
    let mut file = fresh(directory, Path::new(&temporary))?;
    let filled = file.write_all(contents).and_then(|()| file.sync_all());
    // A hard link fails if the name exists; some file systems have none.
    let named = filled.and_then(|()| match directory.hard_link(&temporary, directory, name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            fresh(directory, name).and_then(|mut file| file.write_all(contents))
        }
        named => named,
    });
    let _ = directory.remove_file(&temporary);
    named
}

fn fresh(directory: &Dir, name: &Path) -> io::Result<File> {
    directory.open_with(name, OpenOptions::new().write(true).create_new(true))
}

/// In the same directory, since only a move within one file system is atomic; no reader takes the name as an agent.
fn temporary(name: &Path) -> String {
    format!(".{}.callsheet-{}~", name.display(), std::process::id())
}

fn outside() -> io::Error {
    let reason = "it is outside of the project";
    io::Error::new(io::ErrorKind::PermissionDenied, reason)
}

fn changed_meanwhile() -> io::Error {
    io::Error::other("it has changed in the meantime; run the command again")
}

/// Replaces a file that still has the contents `before`.
pub(crate) fn replace(directory: &Dir, name: &Path, before: &[u8], after: &[u8]) -> io::Result<()> {
    let mut old = open_file(directory, name)?;
    let permissions = old.metadata()?.permissions();
    if permissions.readonly() {
        let reason = "it is read-only";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
    }
    let mut stored = Vec::with_capacity(before.len());
    old.read_to_end(&mut stored)?;
    if stored == after {
        // Another name of the file was replaced before.
        return Ok(());
    }
    if stored != before {
        return Err(changed_meanwhile());
    }
    let temporary = temporary(name);
    let new = fresh(directory, Path::new(&temporary))?;
    let moved = fill(new, permissions, after).and_then(|()| directory.rename(&temporary, directory, name));
    if moved.is_err() {
        // The first error matters.
        let _ = directory.remove_file(&temporary);
    }
    moved?;
    // For durability. Some systems cannot sync a directory.
    let _ = directory
        .try_clone()
        .and_then(|directory| directory.into_std_file().sync_all());
    Ok(())
}

fn fill(mut file: File, permissions: Permissions, contents: &[u8]) -> io::Result<()> {
    file.set_permissions(permissions)?;
    file.write_all(contents)?;
    file.sync_all()
}
