//! What the core may ask of the world outside: list and read.

use alloc::string::String;
use alloc::vec::Vec;

/// What a directory entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link that is not followed, or leads nowhere.
    Link,
    /// Anything else.
    Other,
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Its name, without the directory.
    pub name: String,
    /// What it is.
    pub kind: FileKind,
    /// What tells one version of it from another.
    pub stamp: Stamp,
}

/// What tells one version of a file from another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// Last modification, in nanoseconds since 1970. Without it, every look is a new version.
    pub modified: Option<u64>,
}

/// Why a file or a directory could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// There is nothing of this name.
    NotFound,
    /// It is not permitted.
    Denied,
    /// A directory was asked for and this is something else.
    NotADirectory,
    /// The file is larger than is handed out; its size in bytes.
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
            Self::NotFound => "it is gone".into(),
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
