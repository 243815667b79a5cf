//! Findings about directories, and about entries that are not read.

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

/// More files than the limit.
pub(crate) fn too_many_files(path: &str) -> Diagnostic {
    let most = alloc::format!("of its files only the first {SOURCE_FILES} are");
    unreadable_directory(path, &FileError::Other(most))
}

/// A special file, which could block a read forever.
pub(crate) fn no_file(path: &str) -> Diagnostic {
    let message = "the file cannot be read: it is not a regular file".to_owned();
    Diagnostic::new(&rules::unreadable_file::RULE, Place::beginning(path), message)
}

/// A link that is not followed.
pub(crate) fn dead_link(path: &str) -> Diagnostic {
    let message = "the link is broken, circular, or leads out of the readable folders".to_owned();
    let mut diagnostic = Diagnostic::new(&rules::unfollowed_link::RULE, Place::beginning(path), message);
    diagnostic.help = Some("replace it with the file, or allow links to be followed".to_owned());
    diagnostic
}
