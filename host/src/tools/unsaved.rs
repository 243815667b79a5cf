//! Files with changes that are not saved.

use std::fmt;
use std::path::Path;

/// The files that an editor shows. Methods may wait for it, but not for ever.
pub trait Unsaved: fmt::Debug + Send + Sync {
    /// The text of a file as the editor shows it, by its absolute path; none if the editor does not tell. Fails with the reason if the call is
    /// over: what is stored is then not used instead.
    fn text(&self, path: &Path) -> Result<Option<String>, String>;

    /// Replaces the text that the editor shows. Fails with the reason.
    fn replace(&self, path: &Path, text: &str) -> Result<(), String>;
}
