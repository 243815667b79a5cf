//! A file that is emptied when the first output comes: a command that fails leaves it as it is.

use std::fs::File;
use std::io::{self, Write};

pub(super) struct Late {
    file: File,
    has_begun: bool,
}

impl Late {
    pub(super) const fn new(file: File) -> Self {
        Self {
            file,
            has_begun: false,
        }
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
