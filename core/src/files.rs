//! The core's access to files: list and read.

use alloc::string::String;
use alloc::vec::Vec;

/// The kind of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link that is not followed, or is broken.
    Link,
    /// Anything else.
    Other,
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Its name, without the directory.
    pub name: String,
    /// Its kind.
    pub kind: FileKind,
    /// Its version.
    pub stamp: Stamp,
}

/// Identifies a version of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// Last modification, in nanoseconds since 1970. Without it, every read is a new version.
    pub modified: Option<u64>,
}

/// Why a file or a directory could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// It does not exist.
    NotFound,
    /// It is not permitted.
    Denied,
    /// A directory was requested, but this is something else.
    NotADirectory,
    /// The file is larger than the limit; its size in bytes.
    TooLarge(u64),
    /// Anything else.
    Other(String),
}

/// A view of some files.
pub trait Files {
    /// The entries of a directory, sorted by the bytes of their names.
    fn list(&self, path: &str) -> Result<Vec<FileEntry>, FileError>;
    /// The contents of a file.
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError>;
}

impl FileError {
    /// As the end of a sentence about the file.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::NotFound => "it was not found".into(),
            Self::Denied => "access is denied".into(),
            Self::NotADirectory => "it is not a directory".into(),
            Self::TooLarge(size) => alloc::format!("it is too large ({size} bytes)"),
            Self::Other(text) => text.clone(),
        }
    }
}

/// A path below a directory.
pub(crate) fn join(directory: &str, name: &str) -> String {
    match directory {
        "" | "." => name.into(),
        "/" => alloc::format!("/{name}"),
        _ => alloc::format!("{directory}/{name}"),
    }
}

/// The files that others may name.
pub(crate) trait Surroundings {
    /// The directory of the project.
    fn top(&self) -> &str;
    /// Whether there is something at a path. True where that cannot be known.
    fn has(&mut self, path: &str) -> bool;
}
