//! Finds the files that may hold agents below a directory that nobody has described.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::diagnostic::{Diagnostic, Place};
use crate::dialect::{Dialect, Dialects, Level};
use crate::files::{FileEntry, FileError, FileKind, Files, join};
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
    /// The kind of source that its directory is, if what lies around it tells.
    pub level: Option<Level>,
}

/// The agent files at or below `path`, sorted, and what could not be listed.
pub fn discover(files: &dyn Files, dialects: &Dialects, path: &str) -> (Vec<Found>, Vec<Diagnostic>) {
    let mut walk = Walk {
        files,
        dialects,
        root: path,
        found: Vec::new(),
        is_cut: false,
        diagnostics: Vec::new(),
    };
    walk.visit(path, None, 0);
    if walk.is_cut {
        walk.diagnostics.push(too_many_files(path));
    }
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
    /// Whether there are more files than are looked at.
    is_cut: bool,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Walk<'a> {
    /// The dialect that owns the place `seen` and claims the file at `path`.
    fn owner(&self, path: &str, seen: &str) -> Option<&'a Dialect> {
        let owner = self.dialects.owner(seen)?;
        let claims = || {
            let bytes = self.files.read(path).unwrap_or_default();
            self.dialects
                .claims(owner, seen, &String::from_utf8_lossy(&bytes))
        };
        (owner.has_name_of_its_own(seen) || claims()).then_some(owner)
    }

    /// `plugin` is the dialect of the plugin whose agents are here.
    fn visit(&mut self, path: &str, plugin: Option<&'a Dialect>, depth: usize) {
        let entries = match self.files.list(path) {
            Ok(entries) => entries,
            Err(FileError::NotADirectory) if depth == 0 => {
                let owner = self.owner(path, path);
                self.found.push(Found {
                    path: path.to_string(),
                    dialect: owner.map(|owner| owner.id.clone()),
                    level: None,
                });
                return;
            }
            Err(error) => {
                self.diagnostics.push(unreadable_directory(path, &error));
                return;
            }
        };
        let source = plugin_source(self.dialects, &entries);
        for entry in entries {
            if self.found.len() >= SOURCE_FILES {
                self.is_cut = true;
                return;
            }
            let below = join(path, &entry.name);
            match entry.kind {
                FileKind::Directory if depth < DIRECTORY_DEPTH && !PASSED_OVER.contains(&&*entry.name) => {
                    let here = source.filter(|(_, directory)| *directory == entry.name);
                    self.visit(&below, here.map(|(dialect, _)| dialect).or(plugin), depth + 1);
                }
                FileKind::File => self.file(below, &entry.name, plugin),
                FileKind::Link if self.is_read(&below, &entry.name) => {
                    self.diagnostics.push(dead_link(&below));
                }
                FileKind::Other if self.is_read(&below, &entry.name) => {
                    self.diagnostics.push(no_file(&below));
                }
                _ => {}
            }
        }
    }

    /// Whether the one who owns the place would read what is called so.
    fn is_read(&self, path: &str, name: &str) -> bool {
        let owner = self.dialects.owner(path);
        owner.is_some_and(|owner| owner.reads(name))
    }

    fn file(&mut self, path: String, name: &str, plugin: Option<&'a Dialect>) {
        let own = self.owner(&path, &path);
        if let Some(own) = own.filter(|_| plugin.is_none()) {
            let unread = rules::unread_file::find(self.files, self.dialects, own, &path);
            self.diagnostics.extend(unread);
        }
        let below = path
            .strip_prefix(self.root)
            .and_then(|below| below.strip_prefix('/'));
        let seen_from_root = || self.owner(&path, below?);
        let owner = plugin.or(own);
        let dialect = owner
            .or_else(seen_from_root)
            .filter(|owner| owner.reads(name))
            .map(|owner| owner.id.clone());
        if dialect.is_some() || name.ends_with(".md") {
            let level = plugin.map(|_| Level::Plugin);
            self.found.push(Found { path, dialect, level });
        }
    }
}

/// The dialect whose plugin these entries are the source of, and the folder of its agents.
fn plugin_source<'a>(dialects: &'a Dialects, entries: &[FileEntry]) -> Option<(&'a Dialect, &'a str)> {
    dialects.iter().find_map(|dialect| {
        let source = dialect.plugin_source.as_ref()?;
        let mark = |entry: &FileEntry| entry.kind == FileKind::Directory && entry.name == source.mark;
        entries
            .iter()
            .any(mark)
            .then_some((&**dialect, &*source.directory))
    })
}

pub(crate) fn unreadable_directory(path: &str, error: &FileError) -> Diagnostic {
    let message = alloc::format!("the directory cannot be read: {}", error.words());
    Diagnostic::new(
        &rules::unreadable_directory::RULE,
        Place::beginning(path),
        message,
    )
}

/// More files than are looked at.
pub(crate) fn too_many_files(path: &str) -> Diagnostic {
    let most = alloc::format!("of its files only the first {SOURCE_FILES} are");
    unreadable_directory(path, &FileError::Other(most))
}

/// What is not read, for reading it may wait for ever.
pub(crate) fn no_file(path: &str) -> Diagnostic {
    let message = "the file cannot be read: it is a pipe, a socket or a device".to_owned();
    Diagnostic::new(&rules::unreadable_file::RULE, Place::beginning(path), message)
}

/// A link that is not followed.
pub(crate) fn dead_link(path: &str) -> Diagnostic {
    let message = "the link leads nowhere, back up, or out of the places that may be read".to_owned();
    let mut diagnostic = Diagnostic::new(&rules::unfollowed_link::RULE, Place::beginning(path), message);
    diagnostic.help = Some("put the file itself here, or allow links out of here to be followed".to_owned());
    diagnostic
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Stamp;

    struct Many(usize);

    impl Files for Many {
        fn list(&self, _: &str) -> Result<Vec<FileEntry>, FileError> {
            let entry = |number| FileEntry {
                name: alloc::format!("{number:06}.md"),
                kind: FileKind::File,
                stamp: Stamp::default(),
            };
            Ok((0..self.0).map(entry).collect())
        }

        fn read(&self, _: &str) -> Result<Vec<u8>, FileError> {
            Ok(Vec::new())
        }
    }

    #[test]
    fn what_is_not_looked_at_is_told() {
        let dialects = Dialects::embedded();
        let (found, told) = discover(&Many(SOURCE_FILES), &dialects, "x");
        assert_eq!((found.len(), told.len()), (SOURCE_FILES, 0));
        let (found, told) = discover(&Many(SOURCE_FILES + 1), &dialects, "x");
        assert_eq!(found.len(), SOURCE_FILES);
        assert!(told[0].message.ends_with("only the first 100000 are"), "{told:?}");
    }
}
