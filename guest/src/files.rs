//! The imported files, as the core reads them.

use callsheet_core::files::{FileEntry, FileError, FileKind, Files, Stamp};

use crate::bindings::callsheet::agents::files;

/// The host's files.
pub(crate) struct HostFiles;

impl Files for HostFiles {
    fn list(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        let entries = files::list_directory(path).map_err(error)?;
        Ok(entries.into_iter().map(entry).collect())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        files::read(path).map_err(error)
    }
}

fn entry(entry: files::Entry) -> FileEntry {
    let kind = match entry.kind {
        files::Kind::File => FileKind::File,
        files::Kind::Directory => FileKind::Directory,
        files::Kind::Link => FileKind::Link,
        files::Kind::Other => FileKind::Other,
    };
    FileEntry {
        name: entry.name,
        kind,
        stamp: Stamp {
            size: entry.size,
            modified: entry.modified,
        },
    }
}

fn error(error: files::FileError) -> FileError {
    match error {
        files::FileError::NotFound => FileError::NotFound,
        files::FileError::Denied => FileError::Denied,
        files::FileError::NotADirectory => FileError::NotADirectory,
        files::FileError::TooLarge(size) => FileError::TooLarge(size),
        files::FileError::Other(text) => FileError::Other(text),
    }
}
