//! Finds the files that may hold agents below a directory that nobody has described.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::diagnostic::{Diagnostic, Place};
use crate::dialect::Dialects;
use crate::files::{FileError, FileKind, Files, join};
use crate::limits::{DIRECTORY_DEPTH, SOURCE_FILES};
use crate::order::sorted;
use crate::rules;

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
        dialects,
        root: path,
        found: Vec::new(),
        diagnostics: Vec::new(),
    };
    walk.visit(path, 0);
    let found = sorted(walk.found, |a, b| a.path.cmp(&b.path));
    let only_owned = found.iter().any(|found| found.dialect.is_some());
    let (found, passed_over): (Vec<Found>, Vec<Found>) = found
        .into_iter()
        .partition(|found| !only_owned || found.dialect.is_some());
    walk.diagnostics.extend(passed_over_agents(path, &passed_over));
    (found, walk.diagnostics)
}

/// Files in a folder called `agents` may well be meant as agents, wherever it is.
fn passed_over_agents(path: &str, files: &[Found]) -> Option<Diagnostic> {
    let meant = files
        .iter()
        .filter(|found| found.path.contains("/agents/"))
        .count();
    let message = alloc::format!("{meant} Markdown files in folders called `agents` are passed over");
    let mut diagnostic = Diagnostic::new(&rules::passed_over::RULE, Place::beginning(path), message);
    diagnostic.help = Some("no known tool looks there; name the folders to have them checked".to_string());
    (meant > 0).then_some(diagnostic)
}

struct Walk<'a> {
    files: &'a dyn Files,
    dialects: &'a Dialects,
    root: &'a str,
    found: Vec<Found>,
    diagnostics: Vec<Diagnostic>,
}

impl Walk<'_> {
    fn visit(&mut self, path: &str, depth: usize) {
        let entries = match self.files.list(path) {
            Ok(entries) => entries,
            Err(FileError::NotADirectory) if depth == 0 => {
                self.found.push(Found {
                    path: path.to_string(),
                    dialect: self.dialects.owner(path).map(|owner| owner.id.clone()),
                });
                return;
            }
            Err(error) => {
                self.diagnostics.push(unreadable_directory(path, &error));
                return;
            }
        };
        for entry in entries {
            if self.found.len() >= SOURCE_FILES {
                return;
            }
            let below = join(path, &entry.name);
            match entry.kind {
                FileKind::Directory if depth < DIRECTORY_DEPTH && !PASSED_OVER.contains(&&*entry.name) => {
                    self.visit(&below, depth + 1);
                }
                FileKind::File => self.file(below, &entry.name),
                _ => {}
            }
        }
    }

    fn file(&mut self, path: String, name: &str) {
        let below = path
            .strip_prefix(self.root)
            .and_then(|below| below.strip_prefix('/'));
        let seen_from_root = || self.dialects.owner(below?);
        let owner = self.dialects.owner(&path).or_else(seen_from_root);
        let dialect = owner
            .filter(|owner| owner.reads(name))
            .map(|owner| owner.id.clone());
        if dialect.is_some() || name.ends_with(".md") {
            self.found.push(Found { path, dialect });
        }
    }
}

pub(crate) fn unreadable_directory(path: &str, error: &FileError) -> Diagnostic {
    let message = alloc::format!("the directory cannot be read: {}", error.words());
    Diagnostic::new(
        &rules::unreadable_directory::RULE,
        Place::beginning(path),
        message,
    )
}
