//! Cargo inside of cargo.

use std::env;
use std::process::Command;

use crate::Toolchain;

/// Variables with these prefixes belong to the outer build: its target, profile, flags and wrappers would change ours.
const OUTER: [&str; 9] = [
    "CARGO_BUILD_",
    "CARGO_CFG_",
    "CARGO_FEATURE_",
    "CARGO_MANIFEST_",
    "CARGO_PKG_",
    "CARGO_PROFILE_",
    "CARGO_TARGET_",
    "RUSTC",
    "RUSTDOC",
];

/// These belong to the outer build too.
const OUTER_EXACTLY: [&str; 3] = ["CARGO", "CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"];

/// The toolchain's cargo, free of the outer build's settings. It keeps the job server: both builds share the processors.
pub fn cargo(toolchain: &Toolchain) -> Command {
    let mut cargo = Command::new(&toolchain.cargo);
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if OUTER.iter().any(|prefix| text.starts_with(prefix)) || OUTER_EXACTLY.contains(&&*text) {
            cargo.env_remove(&name);
        }
    }
    cargo.env("RUSTC", &toolchain.rustc);
    if let Some(linker) = &toolchain.linker {
        cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    cargo
}
