//! The files that the component reads, for display.

use callsheet_contract::bindings::callsheet::agents::files::{self, FileError};

use crate::Failure;

/// The contents of a file.
///
/// Fails with [`Failure::Unreadable`] if it cannot be read.
pub fn read(path: &str) -> Result<Vec<u8>, Failure> {
    files::read(path).map_err(|error| Failure::Unreadable {
        path: path.to_owned(),
        reason: reason(error),
    })
}

/// Checks that a file or directory exists.
///
/// Fails with [`Failure::Unreadable`] if it does not exist or cannot be accessed.
pub fn exists(path: &str) -> Result<(), Failure> {
    let (parent, name) = match path.rsplit_once('/') {
        Some(("", name)) => ("/", name),
        Some(split) => split,
        None => (".", path),
    };
    let is_listed =
        || files::list_directory(parent).is_ok_and(|entries| entries.iter().any(|entry| entry.name == name));
    match files::list_directory(path) {
        Ok(_) => Ok(()),
        // So is a path below a file.
        Err(FileError::NotADirectory) if is_listed() => Ok(()),
        Err(error) => Err(Failure::Unreadable {
            path: path.to_owned(),
            reason: reason(error),
        }),
    }
}

fn reason(error: FileError) -> String {
    match error {
        FileError::NotFound => "no such file or directory".to_owned(),
        FileError::Denied => "permission denied, or outside of the opened directories".to_owned(),
        FileError::NotADirectory => "not a directory".to_owned(),
        FileError::TooLarge(size) => format!("file is too large: {size} bytes"),
        FileError::Other(reason) => reason,
    }
}
