//! Writing agents: new files, changes to old ones, and their end. Nothing is ever overwritten.
//!
//! What is written is the component's affair: [`Callsheet::render`](crate::Callsheet::render) and
//! [`Callsheet::revise`](crate::Callsheet::revise) say it and write nothing.

mod edited;
mod name;

pub use edited::edited;
pub use name::check_name;

use std::io;

use crate::{Callsheet, Error, Result};

impl Callsheet {
    /// Makes a file where there is none, and the directories that lead there: whoever looks sees all of it or nothing.
    ///
    /// Fails with [`Error::Write`] if there is something of this name already, and if the path leads out of the project,
    /// the home directory or whichever place it begins with.
    pub fn create(&mut self, path: &str, contents: &[u8]) -> Result<()> {
        let created = self.sandbox_files().create(path, contents);
        created.map_err(|source| failed(path, source))
    }

    /// Replaces a file at once, if it still has the contents `before`. Its permissions stay.
    ///
    /// Fails with [`Error::Write`] and leaves the file alone if not, or if it is a link that leads out of its place.
    pub fn replace(&mut self, path: &str, before: &[u8], after: &[u8]) -> Result<()> {
        let replaced = self.sandbox_files().replace(path, before, after);
        replaced.map_err(|source| failed(path, source))
    }

    /// Removes a file, if it still has these contents. Of a link, only the link goes.
    ///
    /// Fails with [`Error::Write`] and leaves the file alone if not, or if the path leads out of its place.
    pub fn remove(&mut self, path: &str, before: &[u8]) -> Result<()> {
        let removed = self.sandbox_files().remove(path, before);
        removed.map_err(|source| failed(path, source))
    }
}

fn failed(path: &str, source: io::Error) -> Error {
    let path = path.to_owned();
    Error::Write { path, source }
}
