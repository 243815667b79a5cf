//! Files that only the user may read: they contain what agents read and said.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file for writing, from the start or at its end.
pub(crate) fn open(path: &Path, go_on: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(go_on).write(true).truncate(!go_on);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    if file.metadata()?.is_file() {
        // An existing file would keep its mode.
        file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    }
    Ok(file)
}
