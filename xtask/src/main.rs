//! Tasks for developing Callsheet: `cargo xtask`.

mod alike;
mod component;
mod compose;
mod debian;
mod library;
mod lint;
mod run;
mod setup;
mod strip;
mod wasi;
mod zed;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use callsheet_build::Failure;

const HELP: &str = "\
Usage: cargo xtask COMMAND

  demo        Install missing build tools, build Callsheet, and list and check
              the agents of an example project
  test [ARGS] Install missing build tools, build the component, and run all
              tests; ARGS are passed to `cargo test`
  setup       Install the tools to build for WebAssembly: the target with rustup,
              or Debian's compiler with apt-get if rustup cannot install it
  component   Build the shipped components, target/callsheet.wasm,
              target/callsheet-command.wasm and target/callsheet-editor.wasm,
              and print the size and SHA-256 of the first; --twice builds it
              in two folders and compares;
              --fast builds the component of release programs,
              target/callsheet-fast.wasm
  lint        Run Clippy on the packages that only build for WebAssembly
  wasi        Build the command line, server and library for WASI runtimes
  zed         Build the extension for Zed, target/callsheet-zed.wasm
  bench       Run the benchmarks
  soak [--runs N] [--seconds N] [--seed N] [--jobs N] [--only N]
              Run agents that are disturbed at random, 1000 times unless told
              otherwise, and count what they leave behind; exit with 1 if
              anything is left
  sample DIR [RULE]
              Check every project directly below DIR, and sample up to 100
              findings per rule and severity for manual review
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments {
        ["demo"] => run::demo(),
        ["test", ref rest @ ..] => run::test(rest),
        ["setup"] => setup::run(),
        ["component"] => component::ship(false),
        ["component", "--twice"] => component::ship(true),
        ["component", "--fast"] => component::fast(),
        ["lint"] => lint::run(),
        ["wasi"] => wasi::build(),
        ["zed"] => zed::build(),
        ["bench"] => run::bench(),
        ["soak", ref rest @ ..] => match run::soak(rest) {
            Ok(true) => Ok(()),
            Ok(false) => return ExitCode::FAILURE,
            Err(failure) => Err(failure),
        },
        ["sample", ref rest @ ..] if !rest.is_empty() => run::sample(rest),
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

fn workspace() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// Cargo's target folder, where this program is at `debug/xtask`.
fn target() -> PathBuf {
    let program = env::current_exe().unwrap_or_default();
    program
        .ancestors()
        .nth(2)
        .map_or_else(|| workspace().join("target"), Path::to_owned)
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
