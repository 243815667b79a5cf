//! The command line: parses the arguments, runs the command, exits with its status.

#![forbid(unsafe_code)]

mod commands;
mod exit;
mod progress;

use std::io::Write as _;
use std::process::ExitCode;

use callsheet::cli::{self, Cli};

use crate::exit::Exit;

fn main() -> ExitCode {
    callsheet::processes::hide_memory();
    cli::complete();
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => {
            // A closed pipe is no failure.
            let _ = error.print();
            return if error.use_stderr() {
                Exit::Trouble
            } else {
                Exit::Clean
            }
            .into();
        }
    };
    let exit = commands::run(cli).unwrap_or_else(|failure| {
        // Without an error stream, there is no way to report.
        let _ = std::io::stderr().write_all(failure.report().as_bytes());
        failure.exit
    });
    exit.into()
}
