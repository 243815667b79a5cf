//! Writes agents: creates, changes and removes files. No unseen change is ever overwritten.
//!
//! The component computes the contents: [`Callsheet::render`](crate::Callsheet::render) and
//! [`Callsheet::revise`](crate::Callsheet::revise) return them and write nothing.

mod edited;

pub use edited::edited;

use std::io;

use crate::projects::Renaming;
use crate::{Callsheet, Error, Result};

/// A file to write, replace or remove: its contents before and after, none for no file.
#[derive(Clone, Debug)]
pub struct Rewrite {
    /// The file.
    pub path: String,
    /// The contents that it must still have.
    pub before: Option<Vec<u8>>,
    /// The new contents.
    pub after: Option<Vec<u8>>,
}

impl Callsheet {
    /// Creates a file and its directories atomically.
    ///
    /// Fails with [`Error::Write`] if the path exists already, and if it leads out of the project, the home directory or the place that it
    /// starts with.
    pub fn create(&mut self, path: &str, contents: &[u8]) -> Result<()> {
        let created = self.sandbox_files().create(path, contents);
        created.map_err(|source| failed(path, source))
    }

    /// Replaces a file atomically, if it still has the contents `before`. Its permissions are kept.
    ///
    /// Otherwise, or if it is a link that leads out of its place, fails with [`Error::Write`] and leaves the file unchanged.
    pub fn replace(&mut self, path: &str, before: &[u8], after: &[u8]) -> Result<()> {
        let replaced = self.sandbox_files().replace(path, before, after);
        replaced.map_err(|source| failed(path, source))
    }

    /// Removes a file, if it still has these contents. Of a link, only the link is removed.
    ///
    /// Otherwise, or if the path leads out of its place, fails with [`Error::Write`] and leaves the file unchanged.
    pub fn remove(&mut self, path: &str, before: &[u8]) -> Result<()> {
        let removed = self.sandbox_files().remove(path, before);
        removed.map_err(|source| failed(path, source))
    }

    /// Writes several files: everything, or nothing if something fails.
    ///
    /// Fails with [`Error::Write`] if a file changed since or cannot be written.
    pub fn rewrite(&mut self, files: &[Rewrite]) -> Result<()> {
        let mut written = Vec::new();
        let done = files.iter().try_for_each(|file| {
            self.put(&file.path, file.before.as_deref(), file.after.as_deref())?;
            written.push(file);
            Ok(())
        });
        if done.is_err() {
            for file in written {
                // The first error matters. A file that changed again keeps that change.
                let _ = self.put(&file.path, file.after.as_deref(), file.before.as_deref());
            }
        }
        done
    }

    fn put(&mut self, path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> Result<()> {
        match (before, after) {
            (Some(before), Some(after)) => self.replace(path, before, after),
            (None, Some(after)) => self.create(path, after),
            (Some(before), None) => self.remove(path, before),
            (None, None) => Ok(()),
        }
    }

    /// Writes what a new name changes: everything, or nothing if something fails.
    ///
    /// Fails with [`Error::Write`] if a file changed since, cannot be written, or exists at the new path.
    pub fn apply(&mut self, renaming: &Renaming) -> Result<()> {
        let mut written = Vec::new();
        let done = renaming.files.iter().try_for_each(|file| {
            self.replace(&file.path, &file.before, &file.after)?;
            written.push(file);
            Ok(())
        });
        let done = done.and_then(|()| match &renaming.moved {
            Some((from, to)) => {
                let moved = self.sandbox_files().rename(from, to);
                moved.map_err(|source| failed(to, source))
            }
            None => Ok(()),
        });
        if done.is_err() {
            for file in written {
                // The first error matters. A file that changed again keeps that change.
                let _ = self.replace(&file.path, &file.after, &file.before);
            }
        }
        done
    }
}

fn failed(path: &str, source: io::Error) -> Error {
    let path = path.to_owned();
    Error::Write { path, source }
}
