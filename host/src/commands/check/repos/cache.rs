//! What earlier checks said, and of what.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;
use std::{fs, io};

use callsheet::Trace;
use callsheet::output::text::clean;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use crate::cli::{Check, Options};
use crate::exit::Failure;

/// The results of earlier checks, by repository.
#[derive(Default)]
pub(super) struct Cache {
    asked: String,
    kept: HashMap<String, Kept>,
}

/// The first line of a file.
#[derive(Deserialize, Serialize)]
struct Header {
    /// A digest of the component and of the options, with which all results were made.
    asked: String,
}

/// A result, and what it depends on.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Kept {
    pub(super) path: String,
    /// What the component read.
    pub(super) trace: Trace,
    /// A digest of the configuration and of where it is; none without one.
    pub(super) config: Option<String>,
    /// The files in the report, and whether the configuration or git excludes them.
    pub(super) skipped: Vec<(String, bool)>,
    pub(super) said: Said,
    /// Whether this run checked it.
    #[serde(skip)]
    pub(super) is_new: bool,
}

/// What a check says.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Said {
    pub(super) files: usize,
    pub(super) errors: usize,
    pub(super) warnings: usize,
    pub(super) notes: usize,
    /// A line for each finding.
    pub(super) lines: String,
    /// The document of `check --format json`.
    pub(super) document: Box<RawValue>,
}

impl Cache {
    /// A missing file, and one of another program or with other options, has no results. Fails if it is something else.
    pub(super) fn open(file: &Path, asked: &str) -> Result<Self, Failure> {
        let mut cache = Self {
            asked: asked.to_owned(),
            kept: HashMap::new(),
        };
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
        let first = lines.next().transpose().map_err(|error| failed(&error))?;
        let header: Header = serde_json::from_str(&first.unwrap_or_default())
            .map_err(|_| failed(&"it is no cache of this program"))?;
        if header.asked != asked {
            return Ok(cache);
        }
        for line in lines {
            // A damaged line is one repository more to check.
            let line = line.map_err(|error| failed(&error))?;
            if let Ok(kept) = serde_json::from_str::<Kept>(&line) {
                cache.kept.insert(kept.path.clone(), kept);
            }
        }
        Ok(cache)
    }

    pub(super) fn get(&self, path: &str) -> Option<&Kept> {
        self.kept.get(path)
    }

    /// Writes these results, and the others that were there: those of other parts. An error leaves the file as it is.
    pub(super) fn save<'a>(
        &'a self,
        file: &Path,
        new: impl Iterator<Item = &'a Kept>,
    ) -> Result<(), Failure> {
        let mut all: BTreeMap<&str, &Kept> = BTreeMap::new();
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

/// A digest of the component, and of the options that change what it says.
pub(super) fn asked(options: &Options, command: &Check) -> String {
    let Check {
        target,
        no_ignore,
        select,
        ignore,
        severity,
        ..
    } = command;
    let Options {
        dialect,
        fail_closed,
        follow_links,
        ..
    } = options;
    let asked = (
        target,
        no_ignore,
        select,
        ignore,
        severity,
        dialect,
        fail_closed,
        follow_links,
    );
    let version = env!("CARGO_PKG_VERSION");
    digest(&[callsheet::component(), format!("{version} {asked:?}").as_bytes()].concat())
}

pub(super) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut digest, byte| {
            let _ = write!(digest, "{byte:02x}");
            digest
        })
}
