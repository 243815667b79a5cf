//! Which files the user trusts to act on the user's behalf.
//!
//! Servers, endpoints and variables for keys of an agent's file, and the permissions of a configuration, are only used if the user trusts
//! the file. Trust covers a file's path *and* its contents: the things it names may be beside it, so the same text in another place is
//! not trusted; and a changed file must be trusted again.

mod deeds;
mod stakes;
mod store;

use std::io;
use std::path::{Path, PathBuf};

pub use self::deeds::{deeds, deeds_of_file};
pub use self::stakes::{Stake, stakes, stakes_of_configuration};
pub(crate) use self::store::directory;
pub use self::store::{DIRECTORY, FILE, Trust};

use crate::config::{Config, remember};
use crate::mcp::{Server, servers_of_agent};
use crate::{Callsheet, Catalog, Result};

impl Trust {
    /// Whether the permissions of a configuration are used.
    pub fn holds_for(&self, config: &Config) -> bool {
        let written = config.written.as_ref();
        written.is_some_and(|written| self.trusts(&written.path, written.text.as_bytes()))
    }

    /// The active agents whose files the user trusts, sorted by name.
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

    /// The contents of a file if they are trusted. An unreadable file is not.
    fn trusted_contents(&self, callsheet: &mut Callsheet, path: &str) -> Option<Vec<u8>> {
        let contents = callsheet.read(path).ok()?;
        let real = callsheet.real_path(path)?;
        self.trusts(&real, &contents).then_some(contents)
    }

    /// Adds a rule to a configuration, which is trusted afterwards if it was before or nothing in it needed trust.
    pub fn remember(&mut self, file: &Path, rule: &str) -> io::Result<()> {
        let trusted_before = |trust: &Self, before: &str| {
            let real = file.canonicalize();
            real.is_ok_and(|real| trust.trusts(&real, before.as_bytes()))
        };
        let (before, after) = remember(file, rule)?;
        let known = match &before {
            None => true,
            Some(before) => trusted_before(self, before) || stakes_of_configuration(before).is_none(),
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
    /// Its name.
    pub name: String,
    /// Its file.
    pub path: String,
    /// The trusted contents.
    contents: Vec<u8>,
}

impl TrustedAgent {
    /// The MCP servers of its file, read from the trusted bytes, and the problems of others.
    pub fn servers(&self, callsheet: &mut Callsheet, dialect: &str) -> Result<(Vec<Server>, Vec<String>)> {
        let parsed = callsheet.parse(&self.path, &self.contents, Some(dialect))?;
        let said = parsed.agent.map(|agent| agent.servers).unwrap_or_default();
        Ok(servers_of_agent(&self.path, &said))
    }
}

impl Callsheet {
    /// The system path of a file that was read.
    pub fn real_path(&mut self, path: &str) -> Option<PathBuf> {
        self.sandbox_files().real_path(path)
    }
}
