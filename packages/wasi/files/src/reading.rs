//! Reads a file.

use wasip2::filesystem::types::{Descriptor, DescriptorFlags, DescriptorType, OpenFlags, PathFlags};

use crate::bindings::exports::callsheet::agents::files::FileError;

/// The same maximum as in the native host.
const MAX_SIZE: u64 = 8 << 20;

/// Minimum bytes per read.
const CHUNK: u64 = 4096;

/// The contents of the file `path` in `directory`.
pub(crate) fn contents(directory: &Descriptor, path: &str) -> Result<Vec<u8>, FileError> {
    // Checked before opening, which would block on a pipe without a writer.
    let stat = directory.stat_at(PathFlags::SYMLINK_FOLLOW, path)?;
    if stat.type_ != DescriptorType::RegularFile {
        return Err(FileError::Other("not a regular file".to_owned()));
    }
    if stat.size > MAX_SIZE {
        return Err(FileError::TooLarge(stat.size));
    }
    let file = directory.open_at(
        PathFlags::SYMLINK_FOLLOW,
        path,
        OpenFlags::empty(),
        DescriptorFlags::READ,
    )?;
    whole(&file, stat.size)
}

/// The whole file, which had `size` bytes and may have grown.
fn whole(file: &Descriptor, size: u64) -> Result<Vec<u8>, FileError> {
    let mut contents = Vec::new();
    loop {
        let so_far = contents.len() as u64;
        if so_far > MAX_SIZE {
            return Err(FileError::TooLarge(so_far));
        }
        let (more, ended) = file.read(size.saturating_sub(so_far).max(CHUNK), so_far)?;
        let nothing = more.is_empty();
        match so_far {
            0 => contents = more,
            _ => contents.extend(more),
        }
        if ended || nothing {
            return Ok(contents);
        }
    }
}
