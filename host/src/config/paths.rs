//! Where the files of a report are for the rest of the system.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::Place;

/// Finds files by the names that a report gives them.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    home: Option<Place>,
    /// Directories that were looked up, because findings come file by file.
    directories: RefCell<HashMap<PathBuf, Option<PathBuf>>>,
}

impl Paths {
    pub(super) fn new(home: Option<Place>) -> Self {
        Self {
            home,
            directories: RefCell::default(),
        }
    }

    /// The file without links on the way to it. The last name may be a link.
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
