//! A command line for the component in WASI runtimes and in packages.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "generated bindings")]

mod arguments;
mod commands;
mod contract;
mod failure;
mod places;

use wasip2::cli::{environment, stderr, stdout};
use wasip2::exports::cli::run::Guest;
use wasip2::io::streams::{OutputStream, StreamError};

use self::arguments::Arguments;
use self::contract::exports::callsheet::command::main::{self, Status};
use self::failure::{Caller, Failure};

/// The most bytes that a runtime takes at once.
const MOST_BYTES: usize = 4096;

struct Command;

wasip2::cli::command::export!(Command);
contract::export!(Command with_types_in contract);

impl Guest for Command {
    /// WASI programs can only report failure, without a status.
    fn run() -> Result<(), ()> {
        match run(Caller::Runtime) {
            Status::Clean => Ok(()),
            _ => Err(()),
        }
    }
}

impl main::Guest for Command {
    fn run() -> Status {
        run(Caller::Package)
    }
}

fn run(caller: Caller) -> Status {
    let told = Arguments::parse(environment::get_arguments(), caller).and_then(|it| commands::run(&it));
    let told = told.unwrap_or_else(|failure| commands::Told {
        errors: failure.report(caller),
        status: failure.status,
        ..commands::Told::default()
    });
    let printed = print(&stdout::get_stdout(), &told.output);
    let (errors, status) = match printed {
        Ok(()) => (told.errors, told.status),
        Err(reason) => {
            let failure = Failure::new(format!("cannot print: {reason}"));
            (told.errors + &failure.report(caller), failure.status)
        }
    };
    // Without an error stream, there is no way to report.
    let _ = print(&stderr::get_stderr(), &errors);
    status
}

fn print(to: &OutputStream, text: &str) -> Result<(), String> {
    let mut parts = text.as_bytes().chunks(MOST_BYTES);
    match parts.try_for_each(|part| to.blocking_write_and_flush(part)) {
        // The reader of a closed pipe needs no more output.
        Ok(()) | Err(StreamError::Closed) => Ok(()),
        Err(StreamError::LastOperationFailed(error)) => {
            // Some runtimes add where it happened.
            let reason = error.to_debug_string();
            Err(reason.lines().next().unwrap_or_default().to_owned())
        }
    }
}
