//! What is reported of directories and of entries that are not read.

use alloc::borrow::ToOwned;

use crate::diagnostic::{Diagnostic, Place};
use crate::files::FileError;
use crate::limits::SOURCE_FILES;
use crate::rules;

pub(crate) fn unreadable_directory(path: &str, error: &FileError) -> Diagnostic {
    let message = alloc::format!("the directory cannot be read: {}", error.words());
    Diagnostic::new(
        &rules::unreadable_directory::RULE,
        Place::beginning(path),
        message,
    )
}

/// More files than are looked at.
pub(crate) fn too_many_files(path: &str) -> Diagnostic {
    let most = alloc::format!("of its files only the first {SOURCE_FILES} are");
    unreadable_directory(path, &FileError::Other(most))
}

/// What is not read, for reading it may wait for ever.
pub(crate) fn no_file(path: &str) -> Diagnostic {
    let message = "the file cannot be read: it is a pipe, a socket or a device".to_owned();
    Diagnostic::new(&rules::unreadable_file::RULE, Place::beginning(path), message)
}

/// A link that is not followed.
pub(crate) fn dead_link(path: &str) -> Diagnostic {
    let message = "the link leads nowhere, back up, or out of the places that may be read".to_owned();
    let mut diagnostic = Diagnostic::new(&rules::unfollowed_link::RULE, Place::beginning(path), message);
    diagnostic.help = Some("put the file itself here, or allow links out of here to be followed".to_owned());
    diagnostic
}
