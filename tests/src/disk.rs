//! The disk as the core reads it, confined as in the host.

use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use callsheet_core::files::{FileEntry, FileError, FileKind, Files, Stamp};

use crate::commands::Settings;

/// The largest file that the host reads.
const MAX_SIZE: u64 = 8 << 20;

/// The visible places: their names, and what no link in them may lead out of.
#[derive(Clone)]
pub struct Disk {
    roots: Vec<(PathBuf, PathBuf)>,
    follow_links: bool,
}

impl Disk {
    /// The places of the settings.
    pub fn new(settings: &Settings, ancestors: &[String]) -> Self {
        let top = real(ancestors.last().unwrap_or(&settings.project));
        let project = ancestors.iter().chain([&settings.project]);
        let others = settings.plugins.iter().map(|(_, directory)| directory);
        let others = others.chain(&settings.directories).chain([&settings.home]);
        let project_roots = project.map(|name| (PathBuf::from(name), top.clone()));
        let other_roots = others.map(|name| {
            let real = real(name);
            let inside = real.starts_with(&top);
            (PathBuf::from(name), if inside { top.clone() } else { real })
        });
        Self {
            roots: project_roots.chain(other_roots).collect(),
            follow_links: settings.follow_links,
        }
    }

    /// The target of a name, unless that is outside.
    fn real(&self, path: &Path) -> Result<PathBuf, FileError> {
        let real = path.canonicalize().map_err(|error| refusal(&error))?;
        let named = self.roots.iter().filter(|(name, _)| path.starts_with(name));
        let root = named.max_by_key(|(name, _)| name.components().count());
        let inside = root.is_none_or(|(_, root)| real.starts_with(root));
        if inside || self.follow_links {
            Ok(real)
        } else {
            Err(FileError::Denied)
        }
    }

    fn entry(&self, directory: &Path, entry: &DirEntry) -> Option<FileEntry> {
        let kind = entry.file_type().ok()?;
        let metadata = if kind.is_symlink() {
            let real = self.real(&directory.join(entry.file_name()));
            let here = directory.canonicalize().ok()?;
            // A link back up, or to where the path has been, would cause a loop.
            let mut through = directory
                .ancestors()
                .filter_map(|above| above.canonicalize().ok());
            let mut leads_back =
                |real: &PathBuf| here.starts_with(real) || through.any(|above| above == *real);
            let real = real.ok().filter(|real| !leads_back(real));
            real.and_then(|real| real.metadata().ok())
        } else {
            Some(entry.metadata().ok()?)
        };
        let kind = match &metadata {
            None => FileKind::Link,
            Some(metadata) if metadata.is_file() => FileKind::File,
            Some(metadata) if metadata.is_dir() => FileKind::Directory,
            Some(_) => FileKind::Other,
        };
        let stamp = metadata
            .filter(Metadata::is_file)
            .map_or_else(Stamp::default, |it| stamp(&it));
        Some(FileEntry {
            name: entry.file_name().to_string_lossy().into_owned(),
            kind,
            stamp,
        })
    }
}

impl Files for Disk {
    fn list(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        let directory = Path::new(path);
        let entries = fs::read_dir(self.real(directory)?).map_err(|error| refusal(&error))?;
        let mut entries: Vec<FileEntry> = entries
            .flatten()
            .filter_map(|entry| self.entry(directory, &entry))
            .collect();
        entries.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        Ok(entries)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let real = self.real(Path::new(path))?;
        let metadata = real.metadata().map_err(|error| refusal(&error))?;
        if !metadata.is_file() {
            return Err(FileError::Other("it is not a regular file".to_owned()));
        }
        if metadata.len() > MAX_SIZE {
            return Err(FileError::TooLarge(metadata.len()));
        }
        fs::read(real).map_err(|error| refusal(&error))
    }
}

fn real(name: &str) -> PathBuf {
    Path::new(name).canonicalize().unwrap_or_else(|_| name.into())
}

fn stamp(metadata: &Metadata) -> Stamp {
    let modified = metadata.modified().ok();
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Stamp {
        size: metadata.len(),
        modified: since.and_then(|since| u64::try_from(since.as_nanos()).ok()),
    }
}

fn refusal(error: &io::Error) -> FileError {
    match error.kind() {
        io::ErrorKind::NotFound => FileError::NotFound,
        io::ErrorKind::PermissionDenied => FileError::Denied,
        io::ErrorKind::NotADirectory => FileError::NotADirectory,
        _ => FileError::Other(error.to_string()),
    }
}
