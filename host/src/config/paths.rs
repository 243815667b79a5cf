//! The real paths of a report's files.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::Place;

/// Resolves the paths of a report.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    home: Option<Place>,
    /// Resolved directories, since findings come file by file.
    directories: RefCell<HashMap<PathBuf, Option<PathBuf>>>,
}

impl Paths {
    pub(super) fn new(home: Option<Place>) -> Self {
        Self {
            home,
            directories: RefCell::default(),
        }
    }

    /// The path without links, except for the last name.
    pub(super) fn real(&self, path: &str) -> Option<PathBuf> {
        let home = self.home.as_ref();
        let at_home = home.and_then(|home| Some(home.path.join(below_name(path, &home.name)?)));
        let path = at_home.unwrap_or_else(|| PathBuf::from(path));
        let Some(name) = path.file_name() else {
            return path.canonicalize().ok();
        };
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = directory.unwrap_or(Path::new("."));
        let mut directories = self.directories.borrow_mut();
        if !directories.contains_key(directory) {
            directories.insert(directory.to_owned(), directory.canonicalize().ok());
        }
        Some(directories[directory].as_ref()?.join(name))
    }
}

fn below_name<'a>(path: &'a str, name: &str) -> Option<&'a str> {
    path.strip_prefix(name)?.strip_prefix('/')
}
