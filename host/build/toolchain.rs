//! Which compiler builds the guest.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Failure, WASM_TARGET, debian, tell};

/// A compiler that can build for WebAssembly.
pub(crate) struct Toolchain {
    /// Names it in folders.
    pub(crate) name: String,
    pub(crate) cargo: PathBuf,
    pub(crate) rustc: PathBuf,
    /// A standard library that is not the compiler's own.
    pub(crate) sysroot: Option<PathBuf>,
    /// A linker that the compiler would not find by itself.
    pub(crate) linker: Option<PathBuf>,
}

/// The toolchain in use if it has the target, else the same after rustup added it, else Debian's.
pub(crate) fn choose() -> Result<Toolchain, Failure> {
    let in_use = in_use();
    if has_target(&in_use.rustc) || (rustup_may_install() && add_target(&in_use)) {
        return Ok(in_use);
    }
    debian::toolchain(&in_use.rustc).map_err(|reason| explain(&reason))
}

fn in_use() -> Toolchain {
    // Cargo names itself and its compiler to build scripts.
    let program = |variable, name| env::var_os(variable).map_or_else(|| PathBuf::from(name), PathBuf::from);
    Toolchain {
        name: "own".into(),
        cargo: program("CARGO", "cargo"),
        rustc: program("RUSTC", "rustc"),
        sysroot: None,
        linker: None,
    }
}

fn has_target(rustc: &Path) -> bool {
    let library = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", WASM_TARGET])
        .output();
    library.is_ok_and(|output| {
        output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim_end()).is_dir()
    })
}

/// Whether rustup runs this cargo, and the user lets it install what is missing.
fn rustup_may_install() -> bool {
    env::var_os("RUSTUP_TOOLCHAIN").is_some()
        && env::var_os("RUSTUP_AUTO_INSTALL").is_none_or(|value| value != "0")
}

fn add_target(in_use: &Toolchain) -> bool {
    tell(&format!(
        "the component needs the target {WASM_TARGET}; asked rustup to add it"
    ));
    let added = Command::new("rustup")
        .args(["target", "add", WASM_TARGET])
        .status();
    added.is_ok_and(|status| status.success()) && has_target(&in_use.rustc)
}

fn explain(reason: &str) -> Failure {
    format!(
        "Callsheet's WebAssembly component cannot be built: this compiler lacks the target {WASM_TARGET}.\n\
         There are two ways to get it. With rustup: `rustup target add {WASM_TARGET}`.\n\
         On Debian: `apt-get install {}`, and build again.\n\
         The second way was tried: {reason}",
        debian::PACKAGES.join(" ")
    )
}
