//! Files whose directories are listed once, and what exists among them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::RefCell;

use crate::files::{FileEntry, FileError, FileKind, Files, Surroundings, join};
use crate::limits::{DIRECTORIES, DIRECTORY_DEPTH};
use crate::places::{self, directory, is_within, normal, with_parents};

/// The files of one call: every tool that may look in a directory sees the same entries, and a large one is listed once.
pub(super) struct Listed {
    files: Rc<dyn Files>,
    listings: RefCell<BTreeMap<String, Vec<FileEntry>>>,
}

impl Listed {
    pub(super) fn of(files: &Rc<dyn Files>) -> Rc<dyn Files> {
        Rc::new(Self {
            files: Rc::clone(files),
            listings: RefCell::default(),
        })
    }
}

impl Files for Listed {
    fn list(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        if let Some(known) = self.listings.borrow().get(path) {
            return Ok(known.clone());
        }
        if self.listings.borrow().len() >= DIRECTORIES {
            let reason = alloc::format!("only the first {DIRECTORIES} directories are");
            return Err(FileError::Other(reason));
        }
        let entries = self.files.list(path)?;
        let mut listings = self.listings.borrow_mut();
        listings.insert(path.to_string(), entries.clone());
        Ok(entries)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        self.files.read(path)
    }
}

/// Looks up whether the files that others name exist.
pub(super) struct Existing<'a> {
    files: &'a dyn Files,
    project: &'a str,
    /// The folders that were looked at, and the paths in them.
    folders: BTreeSet<String>,
    paths: BTreeSet<String>,
    /// Those of them that are links which lead out of the project, or nowhere.
    links: BTreeSet<String>,
    unlisted: BTreeSet<String>,
}

impl<'a> Existing<'a> {
    pub(super) fn new(files: &'a dyn Files, project: &'a str) -> Self {
        Self {
            files,
            project,
            folders: BTreeSet::new(),
            paths: BTreeSet::new(),
            links: BTreeSet::new(),
            unlisted: BTreeSet::new(),
        }
    }

    /// Whether a path below a directory is, or is below, a link that leads out of the project.
    pub(super) fn leads_out(&mut self, directory: &str, path: &str) -> bool {
        let path = normal(&join(directory, path));
        let places = with_parents(&path).take_while(|place| *place != directory);
        places.take(DIRECTORY_DEPTH).any(|place| {
            self.look_into(places::directory(place));
            self.links.contains(place)
        })
    }

    fn look_into(&mut self, folder: &str) {
        if !self.folders.insert(folder.to_string()) {
            return;
        }
        let entries = match self.files.list(folder) {
            Ok(entries) => entries,
            Err(FileError::NotFound | FileError::NotADirectory) => Vec::new(),
            Err(_) => {
                self.unlisted.insert(folder.to_string());
                Vec::new()
            }
        };
        for entry in entries {
            let path = join(folder, &entry.name);
            if entry.kind == FileKind::Link {
                self.links.insert(path.clone());
            }
            self.paths.insert(path);
        }
    }
}

impl Surroundings for Existing<'_> {
    fn top(&self) -> &str {
        self.project
    }

    /// Whether there is something at a path. What is outside of the project, or in a folder that cannot be listed, counts as there.
    fn has(&mut self, path: &str) -> bool {
        let path = normal(path);
        if !is_within(&path, self.project) || path == self.project {
            return true;
        }
        let folder = directory(&path);
        self.look_into(folder);
        self.paths.contains(&path) || self.unlisted.contains(folder)
    }
}
