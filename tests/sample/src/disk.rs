//! A directory as the core sees it.

use std::fs;
use std::path::PathBuf;

use callsheet_core::files::{FileEntry, FileError, FileKind, Files, Stamp};

/// What lies below a directory. Links are not followed.
pub(crate) struct Disk(pub(crate) PathBuf);

impl Files for Disk {
    fn list(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        let directory = fs::read_dir(self.0.join(path)).map_err(|_| FileError::NotFound)?;
        let mut entries: Vec<FileEntry> = directory
            .flatten()
            .filter_map(|entry| self::entry(&entry))
            .collect();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        fs::read(self.0.join(path)).map_err(|_| FileError::NotFound)
    }
}

fn entry(entry: &fs::DirEntry) -> Option<FileEntry> {
    let kind = entry.file_type().ok()?;
    Some(FileEntry {
        name: entry.file_name().into_string().ok()?,
        kind: match (kind.is_dir(), kind.is_file()) {
            (true, _) => FileKind::Directory,
            (_, true) => FileKind::File,
            _ => FileKind::Link,
        },
        stamp: Stamp::default(),
    })
}
