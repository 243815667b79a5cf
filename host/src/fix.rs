//! Fixing files. [`Callsheet::fix`] says what would become of them and writes nothing; [`Callsheet::write`] writes one, or leaves
//! it as it was.

use crate::{Callsheet, Error, Result};

/// Which fixes to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those that only do what the author plainly meant.
    Safe,
    /// All.
    All,
}

/// A fix that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The rule whose finding it fixes.
    pub rule: String,
    /// What it does.
    pub title: String,
    /// Whether it only does what the author plainly meant.
    pub safe: bool,
}

/// A file, and what its fixes make of it.
#[derive(Clone, Debug)]
pub struct Mended {
    /// The file.
    pub path: String,
    /// Its contents as they are stored.
    pub before: Vec<u8>,
    /// What they are to be.
    pub after: Vec<u8>,
    /// The fixes between the two, in the order in which they were applied.
    pub applied: Vec<Applied>,
}

impl Callsheet {
    /// Replaces a fixed file at once: a reader sees all of it or none. Its permissions stay.
    ///
    /// Fails with [`Error::Write`] and leaves the file alone if it has changed since it was read, or if it is a link
    /// that leads out of the project, the home directory or the place that it was found in.
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
