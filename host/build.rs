//! Leaves the component and its native code in `OUT_DIR`, for the library to embed.
//!
//! The component is the file that `CALLSHEET_COMPONENT` names, else the one in the package, else it is built from the sources beside
//! the package. This installs nothing and writes nowhere else.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use callsheet_build::{Failure, Recipe, Toolchain, component, engine_config, modules};
use wasmtime::Engine;

/// A component to embed, for packagers.
const READY_MADE: &str = "CALLSHEET_COMPONENT";

/// The component in a published package.
const PACKAGED: &str = "component/callsheet.wasm";

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
    println!("cargo::rerun-if-env-changed={READY_MADE}");
    let out = PathBuf::from(variable("OUT_DIR"));
    let packaged = Path::new(&variable("CARGO_MANIFEST_DIR")).join(PACKAGED);
    let component = match env::var_os(READY_MADE).map(PathBuf::from) {
        Some(path) => given(&path)?,
        None if packaged.is_file() => given(&packaged)?,
        None => build(&out)?,
    };
    write(&out.join("callsheet.wasm"), &component)?;
    write(&out.join("callsheet.cwasm"), &native(&component)?)
}

/// Builds the component. Function names stay in it: they tell which function trapped.
fn build(out: &Path) -> Result<Vec<u8>, Failure> {
    let package = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let workspace = package.parent().unwrap_or(&package);
    for part in ["core", "guest", "wit", "Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={}", workspace.join(part).display());
    }
    println!("cargo::rerun-if-env-changed=XDG_CACHE_HOME");
    let recipe = match &*variable("PROFILE") {
        "release" => Recipe::Fast,
        _ => Recipe::Small,
    };
    let packages = ["callsheet-guest"];
    let modules = modules(
        workspace,
        &out.join("guest"),
        &Toolchain::find()?,
        recipe,
        &packages,
    )?;
    component(&read(&modules.join("callsheet_guest.wasm"))?)
}

/// Compiles for any processor of the target's family: the program must run on older ones too.
fn native(component: &[u8]) -> Result<Vec<u8>, Failure> {
    let target = variable("TARGET");
    let mut config = engine_config();
    config
        .target(&target)
        .and_then(|config| Engine::new(config))
        .and_then(|engine| engine.precompile_component(component))
        .map_err(|error| format!("cannot compile the component for {target}: {error:#}"))
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name} for build scripts"))
}

fn given(path: &Path) -> Result<Vec<u8>, Failure> {
    println!("cargo::rerun-if-changed={}", path.display());
    read(path)
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
