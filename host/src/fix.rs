//! Fixing files. [`Callsheet::fix`] returns the fixed files and writes nothing; [`Callsheet::write`] writes one, or leaves it unchanged.

pub use crate::output::report::{Applied, FixedFile};
use crate::{Callsheet, Error, Result};

/// Which fixes to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Fixes that keep the author's intent.
    Safe,
    /// All.
    All,
}

impl Callsheet {
    /// Replaces a fixed file atomically. Its permissions are kept.
    ///
    /// Fails with [`Error::Write`] and leaves the file unchanged if it has changed since it was read, or if it is a link that leads out of the
    /// project, the home directory or the place where it was found.
    pub fn write(&mut self, file: &FixedFile) -> Result<()> {
        let failed = |source| Error::Write {
            path: file.path.clone(),
            source,
        };
        let files = self.sandbox_files();
        if !files.may_read(&file.path) {
            files.grant_explicitly(&file.path).map_err(failed)?;
        }
        files
            .replace(&file.path, &file.before, &file.after)
            .map_err(failed)
    }
}
