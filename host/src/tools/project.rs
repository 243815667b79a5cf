//! The project: the files that tools may access, by their names.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cap_std::fs::{Dir, File};
use globset::Glob;

use super::limits::{FILE_BYTES, PATH_BYTES};
use super::text::{BOM, is_binary};
use super::unsaved::Unsaved;
use crate::files::root::Root;
use crate::{Error, Result};

/// A file as the user sees it.
pub(super) struct Contents {
    pub(super) bytes: Vec<u8>,
    /// Whether these are changes in an editor that are not saved.
    pub(super) is_unsaved: bool,
}

/// The project, opened as a handle that no path leads out of.
pub(super) struct Project {
    root: Root,
    real: PathBuf,
    /// Its path as the user gave it, with links.
    given: PathBuf,
    unsaved: Option<Arc<dyn Unsaved>>,
    /// One writer at a time: a file does not change between reading and replacing it.
    writing: Mutex<()>,
}

impl Project {
    pub(super) fn open(path: &Path, unsaved: Option<Arc<dyn Unsaved>>) -> Result<Self> {
        let failed = |source| Error::Path {
            path: path.display().to_string(),
            source,
        };
        let real = path.canonicalize().map_err(failed)?;
        if !real.is_dir() {
            return Err(failed(io::ErrorKind::NotADirectory.into()));
        }
        Ok(Self {
            root: Root::new(real.clone(), false),
            given: normal(&std::path::absolute(path).map_err(failed)?),
            real,
            unsaved,
            writing: Mutex::default(),
        })
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.real
    }

    /// The path of a model's name, relative to the project. Only files inside have names, and only one: behind a link, the accessed file
    /// would not be the one that the component checked.
    pub(super) fn locate(&self, text: &str) -> Result<PathBuf, String> {
        let below = self.below(text)?;
        self.is_no_link(&below, text)?;
        Ok(below)
    }

    /// Why a program must not follow a path in the project: it leads through a link, maybe before a `..` or behind a `*`.
    pub(super) fn link(&self, text: &str) -> Option<String> {
        // Sets: each `*` before a `..` would double the ways to the same place.
        let (mut before, mut steps) = (BTreeSet::from([self.real.clone()]), BTreeSet::new());
        for part in Path::new(text).components() {
            let Component::Normal(name) = part else {
                if part == Component::ParentDir {
                    steps.extend(before.iter().cloned());
                }
                before = before.iter().map(|it| normal(&it.join(part))).collect();
                continue;
            };
            let mut next: BTreeSet<PathBuf> = before.iter().map(|it| it.join(name)).collect();
            if name.as_encoded_bytes().contains(&b'*') {
                next.extend(before.iter().flat_map(|it| self.matching(it, name)));
            }
            before = next;
        }
        steps.append(&mut before);
        steps.iter().find_map(|step| {
            let below = self.below(step.to_str()?).ok()?;
            self.is_no_link(&below, &shown(&below)).err()
        })
    }

    /// The links and directories that a `*` in a shell may match.
    fn matching(&self, directory: &Path, name: &OsStr) -> Vec<PathBuf> {
        let is_match = name.to_str().and_then(|name| Glob::new(name).ok());
        let is_match = is_match.map(|glob| glob.compile_matcher());
        let Some(Ok(below)) = directory.to_str().map(|it| self.below(it)) else {
            return Vec::new();
        };
        let entries = self.root.path(&below).read_dir().into_iter().flatten().flatten();
        let entries = entries.filter(|entry| {
            entry
                .file_type()
                .is_ok_and(|kind| kind.is_dir() || kind.is_symlink())
                && is_match.as_ref().is_none_or(|it| it.is_match(entry.file_name()))
        });
        entries.map(|entry| directory.join(entry.file_name())).collect()
    }

    /// The path relative to the project, without resolving links, as in the component.
    fn below(&self, text: &str) -> Result<PathBuf, String> {
        if text.is_empty() {
            return Err("the path is empty".into());
        }
        if text.len() > PATH_BYTES || text.contains('\0') {
            return Err("not a path: it is too long or contains a zero byte".into());
        }
        if text.starts_with('~') {
            return Err(format!(
                "`{text}` is not in the project: use a path relative to the project"
            ));
        }
        let path = normal(&self.real.join(text));
        let inside = path
            .strip_prefix(&self.real)
            .or_else(|_| path.strip_prefix(&self.given));
        inside
            .map(Path::to_owned)
            .map_err(|_| format!("`{text}` is outside of the project; tools cannot access it"))
    }

    fn is_no_link(&self, below: &Path, text: &str) -> Result<(), String> {
        let is_there = |path: &&Path| self.root.path(path).symlink_metadata().is_ok();
        let there = below.ancestors().find(is_there).unwrap_or(Path::new(""));
        let real = self.root.path(there).canonicalize();
        let real = real.map_err(|error| format!("`{text}` is a broken link: {error}"))?;
        match real.strip_prefix(&self.real) {
            Err(_) => Err(format!(
                "`{text}` is a link that leads out of the project; tools cannot follow it"
            )),
            Ok(name) if name == there => Ok(()),
            Ok(name) => Err(format!(
                "`{text}` leads through a link: `{}` is `{}`, use that name",
                shown(there),
                shown(name)
            )),
        }
    }

    /// The contents of a file. Editors have texts only, and may have other line ends for the saved one.
    pub(super) fn read(&self, below: &Path) -> Result<Contents, String> {
        let saved = self.saved(below)?;
        let text = str::from_utf8(saved.strip_prefix(BOM).unwrap_or(&saved));
        let asked = text
            .ok()
            .filter(|_| !is_binary(&saved))
            .zip(self.unsaved.as_ref());
        let shown = match asked {
            Some((saved, unsaved)) => {
                let told = unsaved.text(&self.given.join(below));
                let told = told.map_err(|reason| format!("`{}` is not read: {reason}", shown(below)))?;
                told.filter(|told| told.len() as u64 <= FILE_BYTES && !is_alike(told, saved))
            }
            None => None,
        };
        Ok(Contents {
            is_unsaved: shown.is_some(),
            bytes: shown.map_or(saved, String::into_bytes),
        })
    }

    /// Writes a file that is not saved.
    pub(super) fn rewrite(&self, below: &Path, contents: &[u8]) -> Result<(), String> {
        let unsaved = self.unsaved.as_ref().ok_or("no editor shows it")?;
        let text = str::from_utf8(contents).map_err(|_| "it is not UTF-8")?;
        unsaved.replace(&self.given.join(below), text)
    }

    fn saved(&self, below: &Path) -> Result<Vec<u8>, String> {
        let name = shown(below);
        let file = self.open_file(below)?;
        let mut contents = Vec::new();
        let read = file.take(FILE_BYTES + 1).read_to_end(&mut contents);
        read.map_err(|error| format!("`{name}` cannot be read: {error}"))?;
        if contents.len() as u64 > FILE_BYTES {
            Err(format!(
                "`{name}` is larger than the limit of {} MB",
                FILE_BYTES >> 20
            ))
        } else {
            Ok(contents)
        }
    }

    /// Opens a regular file. A pipe, which would block, is not one.
    pub(super) fn open_file(&self, below: &Path) -> Result<File, String> {
        let name = shown(below);
        if below.as_os_str().is_empty() {
            return Err(format!("`{name}` is a directory"));
        }
        let opened = self
            .root
            .open_file(below)
            .and_then(|file| Ok((file.metadata()?, file)));
        let (metadata, file) = opened.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => format!("file `{name}` not found"),
            io::ErrorKind::IsADirectory => format!("`{name}` is a directory"),
            _ => format!("`{name}` cannot be read: {error}"),
        })?;
        match (metadata.is_file(), metadata.is_dir()) {
            (true, _) => Ok(file),
            (_, true) => Err(format!("`{name}` is a directory")),
            _ => Err(format!("`{name}` is not a regular file")),
        }
    }

    pub(super) fn is_directory(&self, below: &Path) -> bool {
        self.directory(below).is_ok()
    }

    pub(super) fn directory(&self, below: &Path) -> Result<Dir, String> {
        self.root.open_directory(below).map_err(|error| {
            let name = shown(below);
            match error.kind() {
                io::ErrorKind::NotFound => format!("directory `{name}` not found"),
                io::ErrorKind::NotADirectory => format!("`{name}` is not a directory"),
                _ => format!("`{name}` cannot be listed: {error}"),
            }
        })
    }

    pub(super) fn root(&self) -> &Root {
        &self.root
    }

    /// Held while a file is read and replaced.
    pub(super) fn writing(&self) -> MutexGuard<'_, ()> {
        // A poisoned lock is safe: files are replaced as a whole.
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether two texts are the same but for their line ends.
fn is_alike(shown: &str, saved: &str) -> bool {
    shown == saved || shown.replace("\r\n", "\n") == saved.replace("\r\n", "\n")
}

/// A path for display; the project itself is `.`.
pub(super) fn shown(below: &Path) -> String {
    let name = below.to_string_lossy().replace('\\', "/");
    if name.is_empty() { ".".into() } else { name }
}

/// Without `.` and `..`, without resolving links.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}
