//! Builds the component, precompiles it and leaves both in `OUT_DIR` for the library to embed.
//!
//! `callsheet.wasm` is the component itself, `callsheet.cwasm` its native code. A copy of the former is kept at
//! `target/callsheet.wasm`, for other hosts.

mod alike;
mod debian;
mod encode;
#[path = "../src/engine_config.rs"]
mod engine_config;
mod guest;
mod library;
mod nested;
mod paths;
mod precompile;
mod strip;
mod toolchain;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

/// What went wrong, for people. Each line is printed as an error of its own.
type Failure = String;

/// The target that the component is built for. It knows no system interface at all.
const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// A component to embed instead of building one, for packagers.
const READY_MADE: &str = "CALLSHEET_COMPONENT";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            for line in failure.lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failure> {
    watch();
    let (component, with_names) = match env::var_os(READY_MADE) {
        Some(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            let component = read(path.as_ref())?;
            (component.clone(), component)
        }
        None => {
            let modules = guest::build(&toolchain::choose()?, &["callsheet-guest"])?;
            let module = alike::rewrite(&read(&modules.join("callsheet_guest.wasm"))?)?;
            // The names stay in the native code, where they tell which function trapped.
            (
                strip::component_names(&encode::component(&strip::names(&module)?)?)?,
                encode::component(&module)?,
            )
        }
    };
    let native = precompile::native(&with_names)?;
    write(&paths::out().join("callsheet.wasm"), &component)?;
    write(&paths::target().join("callsheet.wasm"), &component)?;
    write(&paths::out().join("callsheet.cwasm"), &native)
}

/// Tells the user what else was done.
fn tell(what: &str) {
    println!("cargo::warning={what}");
}

/// Everything the component is made from, so that a stale one is never embedded.
fn watch() {
    let root = paths::workspace();
    for part in [
        "core",
        "guest",
        "wit",
        "Cargo.toml",
        "Cargo.lock",
        "host/build",
        "host/src/engine_config.rs",
    ] {
        println!("cargo::rerun-if-changed={}", root.join(part).display());
    }
    for variable in [READY_MADE, "RUSTUP_AUTO_INSTALL", "XDG_CACHE_HOME"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
