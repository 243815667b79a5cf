//! Reads regular files: a pipe or a device might never end.

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Result};
use std::path::Path;

/// The most bytes of a configuration, a baseline or the trusted files.
const LARGEST: u64 = 1 << 24;

/// The contents of a file of any size.
pub(crate) fn whole(path: &Path) -> Result<Vec<u8>> {
    if !path.metadata()?.is_file() {
        return Err(Error::other("not a regular file"));
    }
    std::fs::read(path)
}

/// The contents of a file, which may be a link to one.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    if !path.metadata()?.is_file() {
        return Err(Error::other("not a regular file"));
    }
    let mut contents = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut contents)?;
    match contents.len() as u64 {
        ..=LARGEST => Ok(contents),
        _ => Err(ErrorKind::FileTooLarge.into()),
    }
}

/// The text of a file.
pub fn text(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?).map_err(|error| Error::new(ErrorKind::InvalidData, error.utf8_error()))
}
