//! Chores of those who work on Callsheet: `cargo xtask`.

mod disk;
mod sample;

use std::env::args;
use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask sample DIR [RULE]

  sample   Checks every project directly below DIR, and draws up to 100 findings
           of each rule and severity, to be judged by hand. With RULE, of this
           rule only.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments {
        ["sample", directory] => sample::run(directory, None),
        ["sample", directory, rule] => sample::run(directory, Some(rule)),
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        _ => Err(HELP.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{}", failure.trim_end());
            ExitCode::from(2)
        }
    }
}
