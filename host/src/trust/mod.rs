//! Which files the user trusts to act on the user's behalf.
//!
//! Servers, endpoints and variables for keys that an agent's file names, and what a configuration allows, count only where
//! the user trusts the file. Trust is in where a file is *and* in what it contains: what it names may lie beside it, so the
//! same text elsewhere is not the same; and whoever changes the file has to be trusted again.

mod stakes;
mod store;

use std::io;
use std::path::{Path, PathBuf};

pub use self::stakes::{Stake, stakes};
pub use self::store::Trust;

use crate::config::{Config, remember};
use crate::{Callsheet, Catalog, Result};

/// The name of the file that holds what is trusted.
pub const FILE: &str = "trusted.json";

/// The directory of the program in those of the user.
pub const DIRECTORY: &str = "callsheet";

impl Trust {
    /// Whether what a configuration allows counts.
    pub fn holds_for(&self, config: &Config) -> bool {
        let written = config.written.as_ref();
        written.is_some_and(|written| self.trusts(&written.path, written.text.as_bytes()))
    }

    /// The agents in force whose files the user trusts, sorted by name.
    pub fn agents(&self, callsheet: &mut Callsheet, catalog: &mut Catalog) -> Result<Vec<String>> {
        let mut trusted = Vec::new();
        for entry in catalog.entries(false)? {
            let path = entry.origin.path;
            if !self.is_empty() && path.is_some_and(|path| self.trusts_file(callsheet, &path)) {
                trusted.push(entry.name);
            }
        }
        Ok(trusted)
    }

    /// Whether a file that is called so is trusted as it is now. What cannot be read is not.
    pub fn trusts_file(&self, callsheet: &mut Callsheet, path: &str) -> bool {
        let contents = callsheet.read(path);
        let real = callsheet.real_path(path);
        matches!((contents, real), (Ok(contents), Some(real)) if self.trusts(&real, &contents))
    }

    /// Adds a rule to a configuration, which is trusted afterwards if it was before or allowed nothing.
    pub fn remember(&mut self, file: &Path, rule: &str) -> io::Result<()> {
        let trusted_before = |trust: &Self, before: &str| {
            let real = file.canonicalize();
            real.is_ok_and(|real| trust.trusts(&real, before.as_bytes()))
        };
        let (before, after) = remember(file, rule)?;
        let known = match &before {
            None => true,
            Some(before) => trusted_before(self, before) || stakes::allows_nothing(before),
        };
        if known {
            self.add(&file.canonicalize()?, after.as_bytes())?;
        }
        Ok(())
    }
}

impl Callsheet {
    /// Where a file that was read is for the rest of the system.
    pub fn real_path(&mut self, path: &str) -> Option<PathBuf> {
        self.sandbox_files().real_path(path)
    }
}
