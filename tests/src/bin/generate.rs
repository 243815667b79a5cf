//! Writes agent files for experiments: `generate DIRECTORY COUNT [--colons]`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (directory, count, colons) = match arguments.as_slice() {
        [directory, count] => (directory, count, false),
        [directory, count, flag] if flag == "--colons" => (directory, count, true),
        _ => return usage("two arguments are needed"),
    };
    let Ok(count) = count.parse() else {
        return usage(&format!("`{count}` is not a number"));
    };
    match callsheet_tests::generate::write(Path::new(directory), count, colons) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => usage(&format!("cannot write below {directory}: {error}")),
    }
}

fn usage(error: &str) -> ExitCode {
    eprintln!("error: {error}\nusage: generate DIRECTORY COUNT [--colons]");
    ExitCode::from(2)
}
