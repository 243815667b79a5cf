//! Which files the user trusts to act on the user's behalf.
//!
//! Servers, endpoints and variables for keys that an agent's file names, and what a configuration allows, count only where
//! the user trusts the file. Trust is in where a file is *and* in what it contains: what it names may lie beside it, so the
//! same text elsewhere is not the same; and whoever changes the file has to be trusted again.

mod deeds;
mod stakes;
mod store;

use std::io;
use std::path::{Path, PathBuf};

pub use self::deeds::{deeds, deeds_of_file};
pub use self::stakes::{Stake, stakes};
pub use self::store::{DIRECTORY, FILE, Trust};

use crate::config::{Config, remember};
use crate::mcp::{Server, servers_of_agent};
use crate::{Callsheet, Catalog, Result};

impl Trust {
    /// Whether what a configuration allows counts.
    pub fn holds_for(&self, config: &Config) -> bool {
        let written = config.written.as_ref();
        written.is_some_and(|written| self.trusts(&written.path, written.text.as_bytes()))
    }

    /// The agents in force whose files the user trusts, sorted by name.
    pub fn agents(&self, callsheet: &mut Callsheet, catalog: &mut Catalog) -> Result<Vec<TrustedAgent>> {
        let mut trusted = Vec::new();
        if self.is_empty() {
            return Ok(trusted);
        }
        for entry in catalog.entries(false)? {
            let Some(path) = entry.origin.path else { continue };
            if let Some(contents) = self.trusted_contents(callsheet, &path) {
                trusted.push(TrustedAgent {
                    name: entry.name,
                    path,
                    contents,
                });
            }
        }
        Ok(trusted)
    }

    /// What a file holds that is trusted as it is now. What cannot be read is not.
    fn trusted_contents(&self, callsheet: &mut Callsheet, path: &str) -> Option<Vec<u8>> {
        let contents = callsheet.read(path).ok()?;
        let real = callsheet.real_path(path)?;
        self.trusts(&real, &contents).then_some(contents)
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

/// An agent whose file the user trusts.
#[derive(Clone, Debug)]
pub struct TrustedAgent {
    /// What it is called by.
    pub name: String,
    /// Its file.
    pub path: String,
    /// What is trusted.
    contents: Vec<u8>,
}

impl TrustedAgent {
    /// The MCP servers that its file brings along, read from the very bytes that are trusted, and what is wrong with others.
    pub fn servers(&self, callsheet: &mut Callsheet, dialect: &str) -> Result<(Vec<Server>, Vec<String>)> {
        let parsed = callsheet.parse(&self.path, &self.contents, Some(dialect))?;
        let said = parsed.agent.map(|agent| agent.servers).unwrap_or_default();
        Ok(servers_of_agent(&self.path, &said))
    }
}

impl Callsheet {
    /// Where a file that was read is for the rest of the system.
    pub fn real_path(&mut self, path: &str) -> Option<PathBuf> {
        self.sandbox_files().real_path(path)
    }
}
