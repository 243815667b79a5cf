//! Lists a directory.

use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

use cap_std::fs::{Dir, DirEntry, Metadata};

use super::root::Root;
use crate::bindings::callsheet::agents::files::{Entry, Kind};

/// The entries of `directory`, which is at `below` of `root`, sorted by the bytes of their names.
pub(super) fn entries(root: &Root, below: &Path, directory: &Dir) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for found in directory.entries()? {
        // Skip an entry that vanishes in the meantime.
        entries.extend(entry(root, below, &found?));
    }
    entries.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
    Ok(entries)
}

/// Lists a file below the directory that has only contents so far, or else the directory that it will be in.
pub(super) fn add(entries: &mut Vec<Entry>, file: &Path, size: u64) {
    let mut steps = file.iter();
    let Some(name) = steps.next() else {
        return;
    };
    let name = name.to_string_lossy().into_owned();
    let is_file = steps.next().is_none();
    let at = entries.binary_search_by(|entry| entry.name.as_bytes().cmp(name.as_bytes()));
    let (kind, size) = if is_file {
        (Kind::File, size)
    } else {
        (Kind::Directory, 0)
    };
    let entry = Entry {
        name,
        kind,
        size,
        modified: None,
    };
    match at {
        Ok(at) if is_file => entries[at] = entry,
        Ok(_) => {}
        Err(at) => entries.insert(at, entry),
    }
}

fn entry(root: &Root, below: &Path, found: &DirEntry) -> Option<Entry> {
    let name = found.file_name();
    let plain = |kind| Entry {
        name: name.to_string_lossy().into_owned(),
        kind,
        size: 0,
        modified: None,
    };
    let kind = found.file_type().ok()?;
    if kind.is_dir() {
        return Some(plain(Kind::Directory));
    }
    // A link is resolved from the root: it may lead out of this directory, but not out of the root.
    let metadata = if kind.is_symlink() {
        root.metadata(&below.join(&name))
    } else {
        found.metadata()
    };
    match metadata {
        Ok(metadata) if metadata.is_file() => Some(Entry {
            size: metadata.len(),
            modified: modified(&metadata),
            ..plain(Kind::File)
        }),
        // Following a link upwards would loop.
        Ok(metadata) if metadata.is_dir() && root.leads_up(below, &name) => Some(plain(Kind::Link)),
        Ok(metadata) if metadata.is_dir() => Some(plain(Kind::Directory)),
        Ok(metadata) if metadata.is_symlink() => Some(plain(Kind::Link)),
        Ok(_) => Some(plain(Kind::Other)),
        Err(_) if kind.is_symlink() => Some(plain(Kind::Link)),
        Err(_) => None,
    }
}

fn modified(metadata: &Metadata) -> Option<u64> {
    let since = metadata
        .modified()
        .ok()?
        .into_std()
        .duration_since(UNIX_EPOCH)
        .ok()?;
    u64::try_from(since.as_nanos()).ok()
}
