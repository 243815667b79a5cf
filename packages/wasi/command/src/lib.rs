//! A command line for the component in WASI runtimes and in packages.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "generated bindings")]

mod arguments;
mod commands;
mod contract;
mod failure;
mod places;

use std::io::Write as _;

use wasip2::cli::{environment, stderr, stdout};
use wasip2::exports::cli::run::Guest;
use wasip2::io::streams::OutputStream;

use self::arguments::Arguments;
use self::contract::exports::callsheet::command::main::{self, Status};
use self::failure::Caller;

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
    print(stdout::get_stdout(), &told.output);
    print(stderr::get_stderr(), &told.errors);
    told.status
}

fn print(mut to: OutputStream, text: &str) {
    // The reader of a closed pipe needs no more output.
    let _ = to.write_all(text.as_bytes());
    let _ = to.blocking_flush();
}
