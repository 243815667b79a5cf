//! Finds the files that may hold agents below a directory that nobody has described.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::dialect::Dialects;
use crate::files::{FileError, FileKind, Files, join};
use crate::limits::{DIRECTORY_DEPTH, SOURCE_FILES};

/// Folders of version control, dependencies and build results: no agents of the project's own are there.
const PASSED_OVER: &[&str] = &[
    ".git",
    ".hg",
    ".jj",
    ".svn",
    ".venv",
    "__pycache__",
    "node_modules",
    "target",
    "vendor",
];

/// A file that may hold an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The file.
    pub path: String,
    /// The dialect that owns its directory.
    pub dialect: Option<String>,
}

/// The agent files at or below `path`, sorted, and what could not be listed.
pub fn discover(files: &dyn Files, dialects: &Dialects, path: &str) -> (Vec<Found>, Vec<Diagnostic>) {
    let mut walk = Walk {
        files,
        paths: Vec::new(),
        diagnostics: Vec::new(),
    };
    walk.visit(path, 0);
    walk.paths.sort();
    let root = path;
    let owned = |path: &String| {
        let from_here = path
            .strip_prefix(root)
            .map_or(&**path, |below| below.trim_start_matches('/'));
        let owner = dialects.owner(from_here).or_else(|| dialects.owner(path))?;
        owner.reads(file_name(path)).then(|| owner.id.clone())
    };
    let found: Vec<Found> = walk
        .paths
        .into_iter()
        .map(|path| Found {
            dialect: owned(&path),
            path,
        })
        .collect();
    let only_owned = found.iter().any(|found| found.dialect.is_some());
    let kept = |found: &Found| !only_owned || found.dialect.is_some() || found.path == path;
    (found.into_iter().filter(kept).collect(), walk.diagnostics)
}

struct Walk<'a> {
    files: &'a dyn Files,
    paths: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

impl Walk<'_> {
    fn visit(&mut self, path: &str, depth: usize) {
        let entries = match self.files.list(path) {
            Ok(entries) => entries,
            Err(FileError::NotADirectory) if depth == 0 => {
                self.paths.push(path.to_string());
                return;
            }
            Err(error) => {
                self.diagnostics.push(unreadable_directory(path, &error));
                return;
            }
        };
        for entry in entries {
            if self.paths.len() >= SOURCE_FILES {
                return;
            }
            let below = join(path, &entry.name);
            match entry.kind {
                FileKind::Directory if depth < DIRECTORY_DEPTH && !PASSED_OVER.contains(&&*entry.name) => {
                    self.visit(&below, depth + 1);
                }
                FileKind::File if entry.name.ends_with(".md") => self.paths.push(below),
                _ => {}
            }
        }
    }
}

pub(crate) fn unreadable_directory(path: &str, error: &FileError) -> Diagnostic {
    let message = alloc::format!("the directory cannot be read: {}", error.words());
    Diagnostic::new(
        "unreadable-directory",
        Severity::Error,
        Place::beginning(path),
        message,
    )
}

fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}
