//! Reads a file.

use wasip2::filesystem::types::{Descriptor, DescriptorFlags, DescriptorType, OpenFlags, PathFlags};

use crate::bindings::exports::callsheet::agents::files::FileError;

/// What the native host hands out at most.
const MAX_SIZE: u64 = 8 << 20;

/// The least that is asked for at once.
const CHUNK: u64 = 4096;

/// The contents of the file `path` below `directory`.
pub(crate) fn contents(directory: &Descriptor, path: &str) -> Result<Vec<u8>, FileError> {
    // Asked before it is opened: a pipe that nobody writes to would never open.
    let stat = directory.stat_at(PathFlags::SYMLINK_FOLLOW, path)?;
    if stat.type_ != DescriptorType::RegularFile {
        return Err(FileError::Other("this is no regular file".to_owned()));
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

/// All of a file that was `size` bytes long; it may have grown meanwhile.
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
