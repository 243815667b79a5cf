//! Debian's compiler, for machines where rustup may not install anything.
//!
//! It has no standard library for WebAssembly, but brings the library's source, which is compiled once and kept in the user's
//! cache folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use callsheet_build::{Failure, Toolchain, WASM_TARGET};

use crate::library;

/// The packages to install.
pub(crate) const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm"];

/// The package with Clippy for that compiler.
pub(crate) const CLIPPY: &str = "rust-web-clippy";

const CARGO: &str = "/usr/bin/cargo";
const RUSTC: &str = "/usr/bin/rustc";
const SOURCE: &str = "/usr/lib/rustlib/src/rust/library";
const LINKER: &str = "/usr/bin/rust-lld";

/// Debian's toolchain with a standard library for the target. `other` is the compiler in use, whose linker may be used.
pub(crate) fn toolchain(other: &Path) -> Result<Toolchain, Failure> {
    if ![CARGO, RUSTC, SOURCE].iter().all(|path| Path::new(path).exists()) {
        install(&PACKAGES)?;
    }
    library::plain(Toolchain {
        name: "debian".into(),
        cargo: CARGO.into(),
        rustc: RUSTC.into(),
        sysroot: None,
        linker: Some(linker(other)?),
        flags: Vec::new(),
        variables: Vec::new(),
    })
}

/// Debian's own linker, else that of the compiler in use, else Debian's once it is installed.
fn linker(other: &Path) -> Result<PathBuf, Failure> {
    let own = PathBuf::from(LINKER);
    if own.exists() {
        return Ok(own);
    }
    if let Some(lent) = linker_of(other) {
        return Ok(lent);
    }
    // The link is installed before the linker is, and names its package.
    let package = own.read_link().map_err(|_| format!("{LINKER} is missing"))?;
    install(&[&package.to_string_lossy()])?;
    Ok(own)
}

fn linker_of(rustc: &Path) -> Option<PathBuf> {
    let output = Command::new(rustc)
        .args(["--print", "target-libdir"])
        .output()
        .ok()?;
    let library = String::from_utf8(output.stdout).ok()?;
    let linker = Path::new(library.trim_end()).with_file_name("bin/rust-lld");
    linker.is_file().then_some(linker)
}

pub(crate) fn install(packages: &[&str]) -> Result<(), Failure> {
    let list = packages.join(" ");
    if !is_root() {
        return Err(format!("Debian packages are missing; as root, install {list}"));
    }
    eprintln!("installing {list} with apt-get, for {WASM_TARGET}");
    apt(&["update"])?;
    // `--no-remove`: never remove an installed package.
    apt(&[
        &["install", "--yes", "--no-install-recommends", "--no-remove"],
        packages,
    ]
    .concat())
}

fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout == b"0\n")
}

fn apt(arguments: &[&str]) -> Result<(), Failure> {
    let command = format!("`apt-get {}`", arguments.join(" "));
    let status = Command::new("apt-get")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(arguments)
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{command} failed")),
        Err(error) => Err(format!("{command} cannot be run: {error}")),
    }
}
