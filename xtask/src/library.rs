//! The standard library for WebAssembly, compiled from source.

use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::{fs, io};

use callsheet_build::{Failure, Toolchain, WASM_TARGET, cache, cargo, release};

/// Raise it when the recipe of a library changes.
const RECIPE: u32 = 4;

/// A release compiler only does this if told to: build its own library, and make a panic a bare trap.
const UNSTABLE: (&str, &str) = ("RUSTC_BOOTSTRAP", "1");

/// Panics without texts and places, which the component could not print anyway.
const TRAPS: [&str; 2] = ["-Zunstable-options", "-Cpanic=immediate-abort"];

/// Cargo builds a standard library only as part of some package: an empty one.
const MANIFEST: &str = r#"
[package]
name = "empty"
edition = "2024"
[workspace]
[profile.release]
panic = "abort"
"#;

/// A way to compile the library.
struct Recipe {
    name: &'static str,
    flags: &'static [&'static str],
    features: &'static [&'static str],
    size: bool,
}

const PLAIN: Recipe = Recipe {
    name: "plain",
    flags: &[],
    features: &[],
    size: false,
};

const SMALL: Recipe = Recipe {
    name: "small",
    flags: &TRAPS,
    features: &["-Zbuild-std-features=optimize_for_size"],
    size: true,
};

/// Whether the source of a compiler's library is installed.
pub(crate) fn source(toolchain: &Toolchain) -> bool {
    let output = Command::new(&toolchain.rustc)
        .args(["--print", "sysroot"])
        .output();
    output.is_ok_and(|output| {
        let sysroot = String::from_utf8_lossy(&output.stdout);
        Path::new(sysroot.trim_end())
            .join("lib/rustlib/src/rust/library")
            .is_dir()
    })
}

/// The toolchain with a library that any build may use.
pub(crate) fn plain(toolchain: Toolchain) -> Result<Toolchain, Failure> {
    with(toolchain, &PLAIN)
}

/// The toolchain with a library compiled for size. Code that uses it is compiled with the same unstable flags.
pub(crate) fn small(toolchain: Toolchain) -> Result<Toolchain, Failure> {
    Ok(Toolchain {
        flags: TRAPS.into(),
        variables: [UNSTABLE].into(),
        ..with(toolchain, &SMALL)?
    })
}

fn with(toolchain: Toolchain, recipe: &Recipe) -> Result<Toolchain, Failure> {
    let name = format!("sysroot-{}-{}-{RECIPE}", release(&toolchain.rustc)?, recipe.name);
    let sysroot = cache().join(&name);
    if !sysroot.is_dir() {
        eprintln!(
            "compiling the standard library for {WASM_TARGET}; kept in {}",
            sysroot.display()
        );
        build(&toolchain, recipe, &sysroot)?;
    }
    Ok(Toolchain {
        name,
        sysroot: Some(sysroot),
        ..toolchain
    })
}

/// Builds the library into `sysroot`, which appears whole or not at all.
fn build(toolchain: &Toolchain, recipe: &Recipe, sysroot: &Path) -> Result<(), Failure> {
    let work = sysroot.with_added_extension(process::id().to_string());
    let built = build_in(toolchain, recipe, &work).map(|()| fs::rename(work.join("sysroot"), sysroot));
    let cleared = fs::remove_dir_all(&work);
    match built? {
        // Another build was faster: its library is the same.
        Err(_) if sysroot.is_dir() => Ok(()),
        moved => moved
            .and(cleared)
            .map_err(|error| format!("cannot write {}: {error}", sysroot.display())),
    }
}

fn build_in(toolchain: &Toolchain, recipe: &Recipe, work: &Path) -> Result<(), Failure> {
    let failed = |error: io::Error| format!("cannot write {}: {error}", work.display());
    fs::create_dir_all(work.join("src")).map_err(failed)?;
    fs::write(work.join("Cargo.toml"), MANIFEST).map_err(failed)?;
    fs::write(work.join("src/lib.rs"), "#![no_std]\n").map_err(failed)?;
    compile(toolchain, recipe, work)?;
    let to = work.join("sysroot/lib/rustlib").join(WASM_TARGET).join("lib");
    fs::create_dir_all(&to).map_err(failed)?;
    collect(&work.join("target").join(WASM_TARGET).join("release/deps"), &to).map_err(failed)
}

fn compile(toolchain: &Toolchain, recipe: &Recipe, work: &Path) -> Result<(), Failure> {
    // Optimizing across crates takes the library's bitcode.
    let flags = [&["-Cembed-bitcode=yes"], recipe.flags].concat();
    let status = cargo(toolchain)
        .current_dir(work)
        .args([
            "build",
            "--quiet",
            "--release",
            "-Zbuild-std=std,panic_abort",
            "--target",
            WASM_TARGET,
            "--target-dir",
            "target",
        ])
        .args(recipe.features)
        .env(
            "CARGO_PROFILE_RELEASE_OPT_LEVEL",
            if recipe.size { "s" } else { "3" },
        )
        .env(UNSTABLE.0, UNSTABLE.1)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("the standard library does not compile; the compiler's errors are above".into()),
        Err(error) => Err(format!("cannot run {}: {error}", toolchain.cargo.display())),
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
