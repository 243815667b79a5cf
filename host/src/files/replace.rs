//! Writing: one file at a time, all of it or nothing.

use std::io::{self, Read, Write};
use std::path::Path;

use cap_std::fs::{Dir, File, OpenOptions, Permissions};

use super::Files;
use super::root::open_file;

impl Files {
    /// Replaces a file that still has the contents `before`, where its name leads without leaving its place.
    pub(crate) fn replace(&mut self, path: &str, before: &[u8], after: &[u8]) -> io::Result<()> {
        // A place of the settings holds more tightly than what was granted for reading.
        let target = self.places.resolve(path).or_else(|| self.granted.resolve(path));
        let (root, below) = target.ok_or(io::ErrorKind::PermissionDenied)?;
        let (directory, name) = root.holder(&below)?;
        replace(&directory, Path::new(&name), before, after)
    }
}

fn replace(directory: &Dir, name: &Path, before: &[u8], after: &[u8]) -> io::Result<()> {
    let mut old = open_file(directory, name)?;
    let permissions = old.metadata()?.permissions();
    if permissions.readonly() {
        let reason = "it is read-only";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
    }
    let mut stored = Vec::with_capacity(before.len());
    old.read_to_end(&mut stored)?;
    if stored != before {
        return Err(io::Error::other(
            "it has changed meanwhile; run the command again",
        ));
    }
    // Its own directory, as only a move within one file system happens at once; no reader takes the name for an agent.
    let temporary = format!(".{}.callsheet-{}~", name.display(), std::process::id());
    let new = directory.open_with(&temporary, OpenOptions::new().write(true).create_new(true))?;
    let moved = fill(new, permissions, after).and_then(|()| directory.rename(&temporary, directory, name));
    if moved.is_err() {
        // What went wrong first is what matters.
        let _ = directory.remove_file(&temporary);
    }
    moved?;
    // So that the new name outlives a power cut, too. Not every system can do this to a directory.
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
