//! Files that only the user may read: they hold what agents read and said.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file to write it, anew or at its end.
pub(crate) fn open(path: &Path, go_on: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(go_on).write(true).truncate(!go_on);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    if file.metadata()?.is_file() {
        // One that was there before keeps its mode otherwise.
        file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    }
    Ok(file)
}
