//! Builds core modules, the guest's above all.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::toolchain::Toolchain;
use crate::{Failure, WASM_TARGET, library, nested, paths};

const PROFILE: &str = "component";

/// Numbers as short as they can be: the linker else leaves five bytes for each address and each called function.
const COMPACT: &str = "-Clink-arg=--compress-relocations";

/// Loops as they are written, without addresses that are counted along, and copies of more than eight bytes as one instruction.
/// Runtimes make of both what suits their processor.
const PLAIN: [&str; 2] = ["-Cllvm-args=-disable-lsr", "-Cllvm-args=-max-store-memcpy=1"];

/// Sixteen bytes at a time are searched instead of four.
const SIMD: &str = "-Ctarget-feature=+simd128";

/// Builds these packages and says where their modules are.
pub(crate) fn build(toolchain: &Toolchain, packages: &[&str]) -> Result<PathBuf, Failure> {
    // A target folder of its own: cargo holds a lock on the one in use. Named after the toolchain because cargo
    // does not notice when the standard library is another one.
    let folder = paths::target().join("guest").join(&toolchain.name);
    let mut cargo = nested::cargo(toolchain);
    if toolchain.sysroot.is_some() {
        cargo.env(library::UNSTABLE.0, library::UNSTABLE.1);
    }
    let status = cargo
        .current_dir(paths::workspace())
        .args(["build", "--quiet", "--locked", "--lib"])
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .args(["--profile", PROFILE, "--target", WASM_TARGET, "--target-dir"])
        .arg(&folder)
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            flags(toolchain).join(&OsString::from("\u{1f}")),
        )
        .status()
        .map_err(|error| format!("cannot run {}: {error}", toolchain.cargo.display()))?;
    if !status.success() {
        return Err("the component could not be built; the compiler's own words are above".into());
    }
    Ok(folder.join(WASM_TARGET).join(PROFILE))
}

/// Where the standard library is, and names that stand for this machine's folders in panic messages.
fn flags(toolchain: &Toolchain) -> Vec<OsString> {
    let mut flags: Vec<OsString> = Vec::new();
    if let Some(sysroot) = &toolchain.sysroot {
        flags.push(flag("--sysroot=", sysroot, ""));
        flags.extend(library::PANIC.map(OsString::from));
    }
    let cargo_home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".cargo")));
    flags.extend(cargo_home.map(|home| flag("--remap-path-prefix=", &home, "=cargo")));
    flags.push(flag("--remap-path-prefix=", &paths::workspace(), "=callsheet"));
    // Warnings are for those who work on the guest, and they have clippy.
    flags.extend([COMPACT.into(), SIMD.into(), "-Awarnings".into()]);
    flags.extend(PLAIN.map(OsString::from));
    flags
}

fn flag(before: &str, path: &Path, after: &str) -> OsString {
    let mut flag = OsString::from(before);
    flag.push(path);
    flag.push(after);
    flag
}
