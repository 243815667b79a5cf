//! The record of a worktree, beside its directory: with it, a killed run leaves nothing unknown.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

const ENDING: &str = "json";

/// A worktree.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Record {
    /// The agent, the outermost first.
    pub(super) agent: Vec<String>,
    /// The repository's working tree that it was made from.
    pub(super) repository: PathBuf,
    /// Its branch.
    pub(super) branch: String,
    /// The commit that it started from.
    pub(super) start: String,
    /// Whether it is complete: before, no agent worked in it.
    pub(super) is_made: bool,
}

impl Record {
    /// The record of a workspace; none if it was never begun.
    pub(super) fn read(directory: &Path, id: u32) -> Result<Option<Self>, String> {
        let path = path(directory, id);
        let failed = |reason: &dyn std::fmt::Display| format!("cannot read {}: {reason}", path.display());
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| failed(&error))?,
        };
        serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| failed(&error))
    }

    /// Writes it. The write is durable once this returns.
    pub(super) fn write(&self, directory: &Path, id: u32) -> Result<(), String> {
        let (path, partial) = (path(directory, id), directory.join(format!("{id}.partial")));
        let write = || {
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(true);
            let mut file = options.open(&partial)?;
            file.write_all(&serde_json::to_vec(self)?)?;
            file.sync_all()?;
            fs::rename(&partial, &path)
        };
        write().map_err(|error: io::Error| format!("cannot write {}: {error}", path.display()))
    }

    /// Removes it.
    pub(super) fn remove(directory: &Path, id: u32) {
        // One that remains names a worktree that is not there, which the next search drops.
        let _ = fs::remove_file(path(directory, id));
    }

    /// The workspaces with a record, sorted.
    pub(super) fn all(directory: &Path) -> Vec<u32> {
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        let ids = entries.filter_map(|entry| {
            let path = entry.path();
            let is_record = path.extension().is_some_and(|it| it == ENDING);
            path.file_stem().filter(|_| is_record)?.to_str()?.parse().ok()
        });
        let mut ids: Vec<u32> = ids.collect();
        ids.sort_unstable();
        ids
    }
}

fn path(directory: &Path, id: u32) -> PathBuf {
    directory.join(format!("{id}.{ENDING}"))
}
