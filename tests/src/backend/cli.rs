//! The program, as a process.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::Command;

use super::Backend;
use crate::commands::{Ran, words};

/// Runs one command line in `tree`.
pub fn run(program: &OsStr, line: &str, tree: &Path) -> io::Result<(Ran, String)> {
    let mut command = Command::new(program);
    let done = command
        .args(words(line, Backend::Cli))
        .current_dir(tree)
        .env_clear()
        .output()?;
    let output = text(done.stdout);
    let ran = Ran {
        // None means a signal, which no test expects.
        exit: done.status.code().unwrap_or(-1),
        output: (!output.is_empty()).then_some(output),
    };
    Ok((ran, text(done.stderr)))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("what is printed is UTF-8")
}
