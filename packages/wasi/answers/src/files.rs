//! The files that the component is lent, for those who show them.

use crate::Failure;
use crate::bindings::callsheet::agents::files::{self, FileError};

/// The contents of a file.
///
/// Fails with [`Failure::Unreadable`] if it cannot be read.
pub fn read(path: &str) -> Result<Vec<u8>, Failure> {
    files::read(path).map_err(|error| Failure::Unreadable {
        path: path.to_owned(),
        reason: reason(error),
    })
}

/// Whether there is a file or a directory of this name.
///
/// Fails with [`Failure::Unreadable`] if there is none, or if it may not be had.
pub fn exists(path: &str) -> Result<(), Failure> {
    match files::list_directory(path) {
        Ok(_) | Err(FileError::NotADirectory) => Ok(()),
        Err(error) => Err(Failure::Unreadable {
            path: path.to_owned(),
            reason: reason(error),
        }),
    }
}

fn reason(error: FileError) -> String {
    match error {
        FileError::NotFound => "there is no such file or directory here".to_owned(),
        FileError::Denied => "this is not lent, or may not be read".to_owned(),
        FileError::NotADirectory => "this is no directory".to_owned(),
        FileError::TooLarge(size) => format!("{size} bytes are too many"),
        FileError::Other(reason) => reason,
    }
}
