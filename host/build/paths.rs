//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

/// The folder for this build's results.
pub(crate) fn out() -> PathBuf {
    PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts"))
}

/// The workspace.
pub(crate) fn workspace() -> PathBuf {
    let host = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR for build scripts");
    Path::new(&host)
        .parent()
        .expect("the host crate lies in the workspace")
        .to_owned()
}

/// Cargo's target folder: shared by all profiles, so that the guest is built once for all of them.
pub(crate) fn target() -> PathBuf {
    // OUT_DIR is TARGET_FOLDER/[TRIPLE/]PROFILE/build/PACKAGE/out.
    out()
        .ancestors()
        .nth(4)
        .expect("OUT_DIR lies four levels deep")
        .to_owned()
}

/// The user's cache folder, or the target folder for a user without one.
pub(crate) fn cache() -> PathBuf {
    let folder = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    folder("XDG_CACHE_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".cache")))
        .map_or_else(target, |cache| cache.join("callsheet"))
}
