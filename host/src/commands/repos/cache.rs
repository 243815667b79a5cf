//! What earlier runs said, and of what.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;
use std::{fs, io};

use callsheet::Trace;
use callsheet::output::text::clean;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::cli::Options;
use crate::exit::Failure;

/// The results of earlier runs, by repository.
pub(super) struct Cache<S> {
    asked: String,
    kept: HashMap<String, Kept<S>>,
}

/// The first line of a file.
#[derive(Deserialize, Serialize)]
struct Header {
    /// A digest of the component and of the options, with which all results were made.
    asked: String,
}

/// A result, and what it depends on.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(in crate::commands) struct Kept<S> {
    pub(super) path: String,
    /// What the component read.
    pub(super) trace: Trace,
    /// A digest of the configuration and of where it is; none without one.
    pub(super) config: Option<String>,
    /// The files in the result, and whether the configuration or git excludes them.
    pub(super) skipped: Vec<(String, bool)>,
    pub(in crate::commands) said: S,
    /// Whether it is of this run.
    #[serde(skip)]
    pub(super) is_new: bool,
}

impl<S> Cache<S> {
    pub(super) fn new(asked: String) -> Self {
        Self {
            asked,
            kept: HashMap::new(),
        }
    }
}

impl<S: DeserializeOwned + Serialize> Cache<S> {
    /// A missing or empty file, and one of another program or with other options, has no results. Fails if it is something else.
    pub(super) fn open(file: &Path, asked: String) -> Result<Self, Failure> {
        let mut cache = Self::new(asked);
        let failed = |error: &dyn std::fmt::Display| {
            let name = file.to_string_lossy();
            let failure = Failure::trouble(format!("cannot use the cache {}: {error}", clean(&name)));
            failure.help("remove it, or name another file")
        };
        let opened = match fs::File::open(file) {
            Ok(opened) => opened,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(cache),
            Err(error) => return Err(failed(&error)),
        };
        let mut lines = BufReader::new(opened).lines();
        let Some(first) = lines.next().transpose().map_err(|error| failed(&error))? else {
            return Ok(cache);
        };
        let header: Header =
            serde_json::from_str(&first).map_err(|_| failed(&"it is not a cache of Callsheet"))?;
        if header.asked != cache.asked {
            return Ok(cache);
        }
        for line in lines {
            // A damaged line is one repository more to read.
            let line = line.map_err(|error| failed(&error))?;
            if let Ok(kept) = serde_json::from_str::<Kept<S>>(&line) {
                cache.kept.insert(kept.path.clone(), kept);
            }
        }
        Ok(cache)
    }

    pub(super) fn get(&self, path: &str) -> Option<&Kept<S>> {
        self.kept.get(path)
    }

    /// Writes these results, and the others that were there: those of other parts. An error leaves the file as it is.
    pub(super) fn save<'a>(
        &'a self,
        file: &Path,
        new: impl Iterator<Item = &'a Kept<S>>,
    ) -> Result<(), Failure>
    where
        S: 'a,
    {
        let mut all: BTreeMap<&str, &Kept<S>> = BTreeMap::new();
        all.extend(self.kept.values().map(|kept| (&*kept.path, kept)));
        all.extend(new.map(|kept| (&*kept.path, kept)));
        let write = || -> io::Result<()> {
            let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
            let mut made = BufWriter::new(tempfile::NamedTempFile::new_in(parent.unwrap_or(Path::new(".")))?);
            let asked = self.asked.clone();
            serde_json::to_writer(&mut made, &Header { asked })?;
            made.write_all(b"\n")?;
            for kept in all.values() {
                serde_json::to_writer(&mut made, kept)?;
                made.write_all(b"\n")?;
            }
            let made = made.into_inner().map_err(io::IntoInnerError::into_error)?;
            made.persist(file)?;
            Ok(())
        };
        write().map_err(|error| {
            let name = file.to_string_lossy();
            Failure::trouble(format!("cannot write the cache {}: {error}", clean(&name)))
        })
    }
}

/// A digest of the component, and of what a command with these options asks it.
pub(super) fn asked(options: &Options, command: &str) -> String {
    let Options {
        dialect,
        fail_closed,
        follow_links,
        ..
    } = options;
    let version = env!("CARGO_PKG_VERSION");
    let asked = format!("{version} {command} {dialect:?} {fail_closed} {follow_links}");
    digest(&[callsheet::component(), asked.as_bytes()].concat())
}

pub(super) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut digest, byte| {
            let _ = write!(digest, "{byte:02x}");
            digest
        })
}
