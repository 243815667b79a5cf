//! A command line for the component in WASI runtimes.

mod arguments;
mod commands;
mod failure;
mod places;

use std::io::Write as _;

use wasip2::cli::{environment, stderr, stdout};
use wasip2::exports::cli::run::Guest;
use wasip2::io::streams::OutputStream;

use self::arguments::Arguments;

struct Command;

wasip2::cli::command::export!(Command);

impl Guest for Command {
    /// WASI programs can only report failure, without a status.
    fn run() -> Result<(), ()> {
        let told = Arguments::parse(environment::get_arguments()).and_then(|it| commands::run(&it));
        let told = told.unwrap_or_else(|failure| commands::Told {
            errors: failure.report(),
            ..commands::Told::default()
        });
        print(stdout::get_stdout(), &told.output);
        print(stderr::get_stderr(), &told.errors);
        if told.clean { Ok(()) } else { Err(()) }
    }
}

fn print(mut to: OutputStream, text: &str) {
    // The reader of a closed pipe needs no more output.
    let _ = to.write_all(text.as_bytes());
    let _ = to.blocking_flush();
}
