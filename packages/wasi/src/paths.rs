//! Paths, as in the host's build script.

use std::env;
use std::path::{Path, PathBuf};

/// The workspace.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the package is in packages")
        .to_owned()
}

/// Cargo's target folder, which contains this program at PROFILE/callsheet-wasi.
pub(crate) fn target() -> PathBuf {
    let program = env::current_exe().unwrap_or_default();
    program
        .ancestors()
        .nth(2)
        .map_or_else(|| workspace().join("target"), Path::to_owned)
}

/// The user's cache folder, or the target folder if there is none.
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
