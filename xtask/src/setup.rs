//! Installs a compiler that can build for WebAssembly, if needed.

use std::env;
use std::process::Command;

use callsheet_build::{Failure, Toolchain, WASM_TARGET, has_target, release};

use crate::debian;

pub(crate) fn run() -> Result<(), Failure> {
    let toolchain = toolchain()?;
    println!("rustc {} builds for {WASM_TARGET}", release(&toolchain.rustc)?);
    Ok(())
}

/// The toolchain in use if it has the target, or rustup may add it; else Debian's.
pub(crate) fn toolchain() -> Result<Toolchain, Failure> {
    if let Ok(found) = Toolchain::find() {
        return Ok(found);
    }
    let in_use = Toolchain::in_use();
    if rustup_may_install() && add_target(&in_use) {
        return Ok(in_use);
    }
    let toolchain = debian::toolchain(&in_use.rustc).map_err(|reason| explain(&reason))?;
    let kept = toolchain.keep();
    kept.map_err(|error| format!("cannot write to the cache folder: {error}"))?;
    Ok(toolchain)
}

/// The compiler's flags for a nested cargo.
pub(crate) fn flags(toolchain: &Toolchain) -> String {
    let sysroot = toolchain.sysroot.iter();
    sysroot
        .map(|path| format!("--sysroot={}", path.display()))
        .collect()
}

/// Whether rustup runs this cargo, and may install what is missing.
fn rustup_may_install() -> bool {
    env::var_os("RUSTUP_TOOLCHAIN").is_some()
        && env::var_os("RUSTUP_AUTO_INSTALL").is_none_or(|value| value != "0")
}

fn add_target(in_use: &Toolchain) -> bool {
    eprintln!("adding the target {WASM_TARGET} with rustup");
    let added = Command::new("rustup")
        .args(["target", "add", WASM_TARGET])
        .status();
    added.is_ok_and(|status| status.success()) && has_target(&in_use.rustc)
}

fn explain(reason: &str) -> Failure {
    format!(
        "This compiler lacks the target {WASM_TARGET}, which Callsheet's component is built for. Either:\n\
         - with rustup: `rustup target add {WASM_TARGET}`\n\
         - on Debian, as root: `apt-get install {}`, then `cargo xtask setup`\n\
         Debian's compiler cannot be used yet: {reason}",
        debian::PACKAGES.join(" ")
    )
}
