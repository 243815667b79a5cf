//! Fixing files. [`Callsheet::fix`] returns the fixed files and writes nothing; [`Callsheet::write`] writes one, or leaves it unchanged.

use crate::{Callsheet, Error, Result};

/// Which fixes to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Fixes that keep the author's intent.
    Safe,
    /// All.
    All,
}

/// A fix that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The rule whose finding it fixes.
    pub rule: String,
    /// What it does, as an imperative sentence.
    pub title: String,
    /// Whether it keeps the author's intent.
    pub safe: bool,
}

/// A file and its fixes.
#[derive(Clone, Debug)]
pub struct Mended {
    /// The file.
    pub path: String,
    /// Its contents as stored.
    pub before: Vec<u8>,
    /// Its fixed contents.
    pub after: Vec<u8>,
    /// The applied fixes, in order.
    pub applied: Vec<Applied>,
}

impl Callsheet {
    /// Replaces a fixed file atomically. Its permissions are kept.
    ///
    /// Fails with [`Error::Write`] and leaves the file unchanged if it has changed since it was read, or if it is a link that leads out of the
    /// project, the home directory or the place where it was found.
    pub fn write(&mut self, mended: &Mended) -> Result<()> {
        let failed = |source| Error::Write {
            path: mended.path.clone(),
            source,
        };
        let files = self.sandbox_files();
        if !files.may_read(&mended.path) {
            files.grant_explicitly(&mended.path).map_err(failed)?;
        }
        files
            .replace(&mended.path, &mended.before, &mended.after)
            .map_err(failed)
    }
}
