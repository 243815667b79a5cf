//! Packages to core modules.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::{Failure, Toolchain, WASM_TARGET, nested};

/// Numbers as short as possible: by default the linker uses five bytes for each address and each called function.
const COMPACT: &str = "-Clink-arg=--compress-relocations";

/// Loops without strength reduction, and copies of more than eight bytes as one instruction: runtimes optimize both for their
/// processor.
const PLAIN: [&str; 2] = ["-Cllvm-args=-disable-lsr", "-Cllvm-args=-max-store-memcpy=1"];

/// Searches 16 bytes at a time instead of 4.
const SIMD: &str = "-Ctarget-feature=+simd128";

/// What a component is optimized for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// The download: for browsers and packages.
    Small,
    /// Speed: for native programs that embed it.
    Fast,
}

impl Recipe {
    /// The profile in the workspace's `Cargo.toml`.
    const fn profile(self) -> &'static str {
        match self {
            Self::Small => "component",
            Self::Fast => "component-fast",
        }
    }

    fn flags(self) -> Vec<&'static str> {
        let small = [&[COMPACT][..], &PLAIN].concat();
        match self {
            Self::Small => small,
            Self::Fast => Vec::new(),
        }
    }
}

/// Builds these packages of a workspace below `target`, and returns the folder with their modules.
pub fn modules(
    workspace: &Path,
    target: &Path,
    toolchain: &Toolchain,
    recipe: Recipe,
    packages: &[&str],
) -> Result<PathBuf, Failure> {
    // Cargo does not notice a different standard library.
    let target = target.join(&toolchain.name);
    let status = nested::cargo(toolchain)
        .current_dir(workspace)
        .args(["build", "--quiet", "--locked", "--lib"])
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .args([
            "--profile",
            recipe.profile(),
            "--target",
            WASM_TARGET,
            "--target-dir",
        ])
        .arg(&target)
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            flags(workspace, toolchain, recipe).join(&OsString::from("\u{1f}")),
        )
        .envs(toolchain.variables.iter().copied())
        .status()
        .map_err(|error| format!("cannot run {}: {error}", toolchain.cargo.display()))?;
    if !status.success() {
        return Err("the component does not build; the compiler's errors are above".into());
    }
    Ok(target.join(WASM_TARGET).join(recipe.profile()))
}

/// Where the standard library is, and names that replace this machine's folders in panic messages.
fn flags(workspace: &Path, toolchain: &Toolchain, recipe: Recipe) -> Vec<OsString> {
    let mut flags: Vec<OsString> = Vec::new();
    if let Some(sysroot) = &toolchain.sysroot {
        flags.push(flag("--sysroot=", sysroot, ""));
    }
    flags.extend(toolchain.flags.iter().map(OsString::from));
    let cargo_home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".cargo")));
    flags.extend(cargo_home.map(|home| flag("--remap-path-prefix=", &home, "=cargo")));
    flags.push(flag("--remap-path-prefix=", workspace, "=callsheet"));
    // Warnings are for people who work on the guest, and they run clippy.
    flags.extend([SIMD, "-Awarnings"].map(OsString::from));
    flags.extend(recipe.flags().into_iter().map(OsString::from));
    flags
}

fn flag(before: &str, path: &Path, after: &str) -> OsString {
    let mut flag = OsString::from(before);
    flag.push(path);
    flag.push(after);
    flag
}
