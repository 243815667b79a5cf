//! Lists a directory.

use wasip2::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry, ErrorCode, OpenFlags,
    PathFlags,
};

use crate::bindings::exports::callsheet::agents::files::{Entry, FileError, Kind};

/// The entries of the directory `path` in `root`, sorted by the bytes of their names.
pub(crate) fn entries(root: &Descriptor, path: &str) -> Result<Vec<Entry>, FileError> {
    // Some runtimes wait for a writer when they open a named pipe.
    if root.stat_at(PathFlags::SYMLINK_FOLLOW, path)?.type_ != DescriptorType::Directory {
        return Err(FileError::NotADirectory);
    }
    let directory = root.open_at(
        PathFlags::SYMLINK_FOLLOW,
        path,
        OpenFlags::DIRECTORY,
        DescriptorFlags::READ,
    )?;
    let stream = directory.read_directory()?;
    let mut entries = Vec::new();
    loop {
        match stream.read_directory_entry() {
            Ok(Some(found)) => entries.extend(entry(root, path, &directory, found)),
            Ok(None) => break,
            // WASI cannot represent names that are not UTF-8.
            Err(ErrorCode::IllegalByteSequence) => {}
            Err(error) => return Err(error.into()),
        }
    }
    entries.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
    Ok(entries)
}

/// None if the entry no longer exists.
fn entry(root: &Descriptor, path: &str, directory: &Descriptor, found: DirectoryEntry) -> Option<Entry> {
    let name = found.name;
    let (kind, stat) = match found.type_ {
        DescriptorType::Directory => (Kind::Directory, None),
        DescriptorType::SymbolicLink => link(root, &format!("{path}/{name}"), path),
        _ => {
            let stat = directory.stat_at(PathFlags::empty(), &name).ok()?;
            (kind(stat.type_), Some(stat))
        }
    };
    let stat = stat.filter(|_| kind == Kind::File);
    Some(Entry {
        name,
        kind,
        size: stat.as_ref().map_or(0, |stat| stat.size),
        modified: stat.as_ref().and_then(modified),
    })
}

/// The target of a link in the directory `from`, resolved from the root: it may be outside of its directory, but not outside
/// of the root.
fn link(root: &Descriptor, path: &str, from: &str) -> (Kind, Option<DescriptorStat>) {
    match root.stat_at(PathFlags::SYMLINK_FOLLOW, path) {
        // Following a link to a parent would recurse forever.
        Ok(stat) if stat.type_ == DescriptorType::Directory && leads_up(root, path, from) => {
            (Kind::Link, None)
        }
        Ok(stat) => (kind(stat.type_), Some(stat)),
        Err(_) => (Kind::Link, None),
    }
}

/// Whether `path` is the directory `from`, one above it, or one that `from` leads through; also true if the host cannot tell.
fn leads_up(root: &Descriptor, path: &str, from: &str) -> bool {
    let same = |path: &str| {
        let hash = root.metadata_hash_at(PathFlags::SYMLINK_FOLLOW, path);
        hash.map(|hash| (hash.lower, hash.upper))
    };
    let Ok(end) = same(path) else {
        return true;
    };
    let mut through = from.match_indices('/').map(|(at, _)| &from[..at]);
    if through.any(|through| same(through) == Ok(end)) {
        return true;
    }
    let mut above = from.to_owned();
    let mut below = None;
    // Hosts either refuse to go above the root, or treat it as its own parent.
    while let Ok(here) = same(&above) {
        if here == end {
            return true;
        }
        if below == Some(here) {
            return false;
        }
        below = Some(here);
        above.push_str("/..");
    }
    false
}

fn kind(kind: DescriptorType) -> Kind {
    match kind {
        DescriptorType::RegularFile => Kind::File,
        DescriptorType::Directory => Kind::Directory,
        DescriptorType::SymbolicLink => Kind::Link,
        _ => Kind::Other,
    }
}

/// Nanoseconds since 1970.
fn modified(stat: &DescriptorStat) -> Option<u64> {
    let time = stat.data_modification_timestamp?;
    let seconds = time.seconds.checked_mul(1_000_000_000)?;
    seconds.checked_add(time.nanoseconds.into())
}
