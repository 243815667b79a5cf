//! The contents of an open file.

use std::io::{self, Read as _};

use cap_std::fs::File;

use crate::bindings::callsheet::agents::files::FileError;

/// The contents of a regular file of at most this size.
pub(super) fn whole(mut file: File, most: u64) -> Result<Vec<u8>, FileError> {
    let metadata = file.metadata().map_err(refusal)?;
    if !metadata.is_file() {
        return Err(FileError::Other("it is not a regular file".into()));
    }
    if metadata.len() > most {
        return Err(FileError::TooLarge(metadata.len()));
    }
    let length = usize::try_from(metadata.len()).map_err(|_| FileError::TooLarge(metadata.len()))?;
    let mut contents = vec![0; length + 1];
    let read = file.read(&mut contents).unwrap_or(0);
    contents.truncate(read);
    if read != length {
        // Its size changed in the meantime, or it is read in pieces.
        let rest = (most + 1).saturating_sub(read as u64);
        file.take(rest).read_to_end(&mut contents).map_err(refusal)?;
    }
    match contents.len() as u64 {
        size if size > most => Err(FileError::TooLarge(size)),
        _ => Ok(contents),
    }
}

/// Why the host refuses, for the component.
pub(super) fn refusal(error: io::Error) -> FileError {
    match error.kind() {
        io::ErrorKind::NotFound => FileError::NotFound,
        io::ErrorKind::PermissionDenied => FileError::Denied,
        io::ErrorKind::NotADirectory => FileError::NotADirectory,
        _ => FileError::Other(error.to_string()),
    }
}
