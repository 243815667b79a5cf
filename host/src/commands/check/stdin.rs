//! A file on standard input, for editors and hooks that check unsaved text.

use std::io::{Read as _, Write as _, stdin, stdout};
use std::path::{Path, PathBuf};

use callsheet::fix::FixedFile;

use crate::cli::Check;
use crate::commands::context::Context;
use crate::exit::Failure;

/// The path that means standard input.
const DASH: &str = "-";

/// Larger than any file that is read.
const LONGEST: u64 = 64 << 20;

/// The input.
pub(super) struct Input {
    path: PathBuf,
    contents: Vec<u8>,
}

impl Input {
    /// Reads standard input if the command line asks for it.
    pub(super) fn read(context: &mut Context, command: &Check) -> Result<Option<Self>, Failure> {
        let has_dash = command.paths.iter().any(|path| path == Path::new(DASH));
        let path = match (&command.stdin_filename, command.paths.len()) {
            (None, _) if !has_dash => return Ok(None),
            (Some(path), 0) => path.clone(),
            (Some(path), 1) if has_dash => path.clone(),
            (None, 1) => {
                let failure = Failure::trouble("standard input needs a path, which decides who reads it");
                return Err(failure.help("add `--stdin-filename PATH`"));
            }
            _ => {
                let failure = Failure::trouble("standard input cannot be checked together with files");
                return Err(failure.help("check the files in a second command"));
            }
        };
        let mut contents = Vec::new();
        let read = stdin().take(LONGEST).read_to_end(&mut contents);
        read.map_err(|error| Failure::trouble(format!("cannot read standard input: {error}")))?;
        context.callsheet.set_unsaved(&path, contents.clone())?;
        Ok(Some(Self { path, contents }))
    }

    pub(super) fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// Prints the fixed file. Its findings go to standard error.
    pub(super) fn print_fixed(self, context: &mut Context, fixed: &[FixedFile]) -> Result<(), Failure> {
        context.print_to_stderr();
        let contents = fixed.first().map_or(self.contents, |file| file.after.clone());
        let printed = stdout().write_all(&contents).and_then(|()| stdout().flush());
        printed.map_err(|error| Failure::trouble(format!("cannot print the file: {error}")))?;
        Ok(context.callsheet.set_unsaved(&self.path, contents)?)
    }
}
