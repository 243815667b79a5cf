//! Files whose directories are listed once.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::RefCell;

use crate::files::{FileEntry, FileError, Files};

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
        let entries = self.files.list(path)?;
        let mut listings = self.listings.borrow_mut();
        listings.insert(path.to_string(), entries.clone());
        Ok(entries)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        self.files.read(path)
    }
}
