//! A file that is emptied when the first output comes: a command that fails leaves it as it is, and no new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(super) struct Late {
    file: File,
    /// Its path, if it was not there before.
    new: Option<PathBuf>,
    has_begun: bool,
}

impl Late {
    /// Fails if the file cannot be written.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let is_new = !path.exists();
        Ok(Self {
            file: File::options().create(true).append(true).open(path)?,
            new: is_new.then(|| path.to_owned()),
            has_begun: false,
        })
    }

    fn begin(&mut self) -> io::Result<()> {
        // A pipe or a device has no length.
        if !std::mem::replace(&mut self.has_begun, true) && self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        Ok(())
    }
}

impl Write for Late {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begin()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.begin()?;
        self.file.flush()
    }
}

impl Drop for Late {
    fn drop(&mut self) {
        if let Some(path) = self.new.take().filter(|_| !self.has_begun) {
            // An empty file is all that would remain.
            let _ = fs::remove_file(path);
        }
    }
}
