//! Lints the packages that only build for WebAssembly, which `cargo clippy` on another platform does not see.

use std::process::Command;

use callsheet_build::{Failure, WASM_TARGET, cargo};

use crate::{debian, setup, target, wasi, workspace};

pub(crate) fn run() -> Result<(), Failure> {
    let toolchain = setup::toolchain()?;
    let clippy = toolchain.cargo.with_file_name("cargo-clippy");
    if !clippy.exists() {
        debian::install(&[debian::CLIPPY])?;
    }
    // With the settings for a nested cargo; `cargo-clippy` starts the cargo that this variable names.
    let nested = cargo(&toolchain);
    let mut command = Command::new(&clippy);
    for (name, value) in nested.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let flags = toolchain
        .sysroot
        .iter()
        .map(|path| format!("--sysroot={}", path.display()));
    command
        .env("CARGO", &toolchain.cargo)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.collect::<String>())
        .current_dir(workspace())
        .args(["clippy", "--locked", "--target", WASM_TARGET, "--target-dir"])
        .arg(target().join("lint"))
        .args(wasi::PACKAGES.iter().flat_map(|package| ["--package", package]))
        .args(["--", "-D", "warnings"]);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("clippy found problems in packages for WebAssembly".into()),
        Err(error) => Err(format!("cannot run {}: {error}", clippy.display())),
    }
}
