//! The standard library for WebAssembly, compiled from source into a sysroot.

use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::{fs, io};

use crate::nested;
use crate::toolchain::Toolchain;
use crate::{Failure, WASM_TARGET};

/// Raise it when the library is to be built in another way.
const RECIPE: u32 = 3;

/// A panic is a trap and nothing else: nobody could read its message, and the texts and places of all of them are large.
/// Code that uses such a library has to be compiled alike.
pub(crate) const PANIC: [&str; 2] = ["-Zunstable-options", "-Cpanic=immediate-abort"];

/// A release compiler may do neither of these in another way: build its own library, and make a panic a trap.
pub(crate) const UNSTABLE: (&str, &str) = ("RUSTC_BOOTSTRAP", "1");

/// Cargo builds a standard library only below some package: an empty one.
const MANIFEST: &str = r#"
[package]
name = "empty"
edition = "2024"
[workspace]
[profile.release]
panic = "abort"
opt-level = "s"
"#;

/// The sysroot's folder: libraries only fit the very compiler that made them.
pub(crate) fn name(rustc: &Path) -> Result<String, Failure> {
    let output = Command::new(rustc)
        .arg("-vV")
        .output()
        .map_err(|error| format!("cannot run {}: {error}.", rustc.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = |key: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(key))
            .unwrap_or("unknown")
    };
    let commit: String = line("commit-hash: ").chars().take(9).collect();
    Ok(format!("sysroot-{}-{commit}-{RECIPE}", line("release: ")))
}

/// Builds the library into `sysroot`, which appears whole or not at all.
pub(crate) fn build(toolchain: &Toolchain, sysroot: &Path) -> Result<(), Failure> {
    let work = sysroot.with_added_extension(process::id().to_string());
    let built = build_in(toolchain, &work).map(|()| fs::rename(work.join("sysroot"), sysroot));
    let cleared = fs::remove_dir_all(&work);
    match built? {
        // Another build was quicker: its library is as good.
        Err(_) if sysroot.is_dir() => Ok(()),
        moved => moved
            .and(cleared)
            .map_err(|error| format!("cannot write {}: {error}.", sysroot.display())),
    }
}

fn build_in(toolchain: &Toolchain, work: &Path) -> Result<(), Failure> {
    let failed = |error: io::Error| format!("cannot write {}: {error}.", work.display());
    fs::create_dir_all(work.join("src")).map_err(failed)?;
    fs::write(work.join("Cargo.toml"), MANIFEST).map_err(failed)?;
    fs::write(work.join("src/lib.rs"), "#![no_std]\n").map_err(failed)?;
    compile(toolchain, work)?;
    let to = work.join("sysroot/lib/rustlib").join(WASM_TARGET).join("lib");
    fs::create_dir_all(&to).map_err(failed)?;
    collect(&work.join("target").join(WASM_TARGET).join("release/deps"), &to).map_err(failed)
}

fn compile(toolchain: &Toolchain, work: &Path) -> Result<(), Failure> {
    // Without its bitcode, the guest could not be optimised across crates.
    let flags = [&["-Cembed-bitcode=yes"], &PANIC[..]].concat();
    let status = nested::cargo(toolchain)
        .current_dir(work)
        .args([
            "build",
            "--quiet",
            "--release",
            "-Zbuild-std=std,panic_abort",
            "-Zbuild-std-features=optimize_for_size",
            "--target",
            WASM_TARGET,
            "--target-dir",
            "target",
        ])
        .env(UNSTABLE.0, UNSTABLE.1)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => {
            Err("the standard library did not compile; the compiler's own words are above or below.".into())
        }
        Err(error) => Err(format!("cannot run {}: {error}.", toolchain.cargo.display())),
    }
}

fn collect(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let name = PathBuf::from(entry?.file_name());
        let empty = name.to_string_lossy().starts_with("libempty-");
        if name.extension().is_some_and(|extension| extension == "rlib") && !empty {
            fs::copy(from.join(&name), to.join(&name))?;
        }
    }
    Ok(())
}
