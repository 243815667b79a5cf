//! Lints the packages that only build for WebAssembly, which `cargo clippy` on another platform does not see.

use std::path::Path;
use std::process::Command;

use callsheet_build::{Failure, Toolchain, WASM_TARGET, cargo};

use crate::{component, debian, setup, target, wasi, workspace, zed};

pub(crate) fn run() -> Result<(), Failure> {
    let toolchain = setup::toolchain()?;
    let clippy = toolchain.cargo.with_file_name("cargo-clippy");
    if !clippy.exists() {
        debian::install(&[debian::CLIPPY])?;
    }
    let packages = component::PACKAGES
        .iter()
        .chain(&wasi::PACKAGES)
        .chain(&[component::EDITOR]);
    let packages: Vec<&str> = packages.flat_map(|package| ["--package", package]).collect();
    lint(&toolchain, &clippy, &workspace(), &packages)?;
    lint(&toolchain, &clippy, &workspace().join(zed::FOLDER), &[])
}

/// Lints packages of the workspace in this folder.
fn lint(toolchain: &Toolchain, clippy: &Path, folder: &Path, packages: &[&str]) -> Result<(), Failure> {
    // With the settings for a nested cargo; `cargo-clippy` starts the cargo that this variable names.
    let nested = cargo(toolchain);
    let mut command = Command::new(clippy);
    for (name, value) in nested.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
        .env("CARGO", &toolchain.cargo)
        .env("CARGO_ENCODED_RUSTFLAGS", setup::flags(toolchain))
        .current_dir(folder)
        .args(["clippy", "--locked", "--target", WASM_TARGET, "--target-dir"])
        .arg(target().join("lint"))
        .args(packages)
        .args(["--", "-D", "warnings"]);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("clippy found problems in packages for WebAssembly".into()),
        Err(error) => Err(format!("cannot run {}: {error}", clippy.display())),
    }
}
