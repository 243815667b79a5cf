//! Rounds of fixes until none is left, and the way back to the file.

use super::{Applied, Which, apply};
use crate::types::Diagnostic;
use crate::{Callsheet, Error, Result};

/// How many rounds a file may take. Fixes that touch each other wait for the next round; more than a few such layers are
/// fixes that undo each other.
const MOST_ROUNDS: usize = 12;

/// A file, and what its fixes make of it.
#[derive(Clone, Debug)]
pub struct Mended {
    /// The file.
    pub path: String,
    /// Its contents as they are stored.
    pub before: Vec<u8>,
    /// What they are to be; the same if there is nothing to mend.
    pub after: Vec<u8>,
    /// The fixes between the two, in the order in which they were applied.
    pub applied: Vec<Applied>,
}

impl Callsheet {
    /// What the fixes of a file make of it, as these dialects read it; without any, as the one that fits best does.
    /// Only findings that are `wanted` are mended. Writes nothing.
    ///
    /// A file whose fixes come to no end stays as it is. Fails with [`Error::Path`] if the file cannot be read and with
    /// [`Error::UnknownDialect`] if a dialect is not known.
    pub fn mend(
        &mut self,
        path: &str,
        dialects: &[String],
        which: Which,
        wanted: &dyn Fn(&Diagnostic) -> bool,
    ) -> Result<Mended> {
        let before = self.read(path)?;
        let mut mended = Mended {
            path: path.to_owned(),
            after: before.clone(),
            before,
            applied: Vec::new(),
        };
        for _ in 0..MOST_ROUNDS {
            let Some((after, applied)) = self.round(&mended, dialects, which, wanted)? else {
                return Ok(mended);
            };
            mended.after = after;
            mended.applied.extend(applied);
        }
        mended.after.clone_from(&mended.before);
        mended.applied.clear();
        Ok(mended)
    }

    fn round(
        &mut self,
        mended: &Mended,
        dialects: &[String],
        which: Which,
        wanted: &dyn Fn(&Diagnostic) -> bool,
    ) -> Result<Option<(Vec<u8>, Vec<Applied>)>> {
        let mut diagnostics = Vec::new();
        let readers = dialects.iter().map(|dialect| Some(dialect.as_str()));
        let best = dialects.is_empty().then_some(None);
        for dialect in readers.chain(best) {
            let parsed = self.parse(&mended.path, &mended.after, dialect)?;
            diagnostics.extend(parsed.diagnostics.into_iter().filter(wanted));
        }
        Ok(apply(&mended.after, &diagnostics, which))
    }

    /// Replaces a mended file at once: whoever reads it meanwhile sees all of it or none. Its permissions stay.
    ///
    /// Fails with [`Error::Write`] and leaves the file alone if it has changed since it was read, or if it is a link
    /// that leads out of the project, the home directory or whichever place it was found in.
    pub fn write(&mut self, mended: &Mended) -> Result<()> {
        let written = self
            .sandbox_files()
            .replace(&mended.path, &mended.before, &mended.after);
        written.map_err(|source| Error::Write {
            path: mended.path.clone(),
            source,
        })
    }
}
