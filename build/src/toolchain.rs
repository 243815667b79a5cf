//! Compilers that can build for WebAssembly.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use crate::{Failure, WASM_TARGET};

/// Where `cargo xtask setup` records the toolchain that it installed.
const PREPARED: &str = "toolchain";

/// A compiler that can build for WebAssembly.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// Its name in folders.
    pub name: String,
    /// Its cargo.
    pub cargo: PathBuf,
    /// Its compiler.
    pub rustc: PathBuf,
    /// A standard library that is not the compiler's own.
    pub sysroot: Option<PathBuf>,
    /// A linker that the compiler would not find alone.
    pub linker: Option<PathBuf>,
    /// Flags that the standard library requires.
    pub flags: Vec<&'static str>,
    /// Variables that the flags require.
    pub variables: Vec<(&'static str, &'static str)>,
}

impl Toolchain {
    /// The toolchain in use. It may lack the target.
    pub fn in_use() -> Self {
        // Cargo names itself and its compiler to build scripts.
        let program =
            |variable, name| env::var_os(variable).map_or_else(|| PathBuf::from(name), PathBuf::from);
        Self {
            name: "own".into(),
            cargo: program("CARGO", "cargo"),
            rustc: program("RUSTC", "rustc"),
            sysroot: None,
            linker: None,
            flags: Vec::new(),
            variables: Vec::new(),
        }
    }

    /// The toolchain in use if it has the target, else the one that `cargo xtask setup` installed.
    pub fn find() -> Result<Self, Failure> {
        let in_use = Self::in_use();
        if has_target(&in_use.rustc) {
            return Ok(in_use);
        }
        let missing = || format!("this compiler cannot build for {WASM_TARGET}; run `cargo xtask setup`");
        Self::prepared().ok_or_else(missing)
    }

    /// The toolchain that `cargo xtask setup` installed, unless its compiler has changed since.
    pub fn prepared() -> Option<Self> {
        let text = fs::read_to_string(cache().join(PREPARED)).ok()?;
        let mut lines = text.lines();
        let mut path = || lines.next().map(PathBuf::from);
        let (cargo, rustc, linker, sysroot) = (path()?, path()?, path()?, path()?);
        let of_release = release(&rustc).ok()? == lines.next()?;
        (of_release && sysroot.is_dir()).then(|| Self {
            name: sysroot
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            cargo,
            rustc,
            sysroot: Some(sysroot),
            linker: Some(linker),
            flags: Vec::new(),
            variables: Vec::new(),
        })
    }

    /// Records this toolchain for [`Toolchain::prepared`].
    pub fn keep(&self) -> io::Result<()> {
        let paths = [
            Some(&self.cargo),
            Some(&self.rustc),
            self.linker.as_ref(),
            self.sysroot.as_ref(),
        ];
        let paths = paths.map(|path| path.map(|path| path.display().to_string()).unwrap_or_default());
        let release = release(&self.rustc).map_err(io::Error::other)?;
        fs::create_dir_all(cache())?;
        fs::write(
            cache().join(PREPARED),
            format!("{}\n{release}\n", paths.join("\n")),
        )
    }
}

/// Whether a compiler has a standard library for the target.
pub fn has_target(rustc: &Path) -> bool {
    let library = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", WASM_TARGET])
        .output();
    library.is_ok_and(|output| {
        output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim_end()).is_dir()
    })
}

/// A compiler's version and commit: a library only fits the compiler that built it.
pub fn release(rustc: &Path) -> Result<String, Failure> {
    let output = Command::new(rustc)
        .arg("-vV")
        .output()
        .map_err(|error| format!("cannot run {}: {error}", rustc.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = |key: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(key))
            .unwrap_or("unknown")
    };
    let commit: String = line("commit-hash: ").chars().take(9).collect();
    Ok(format!("{}-{commit}", line("release: ")))
}

/// The user's cache folder.
pub fn cache() -> PathBuf {
    let folder = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let cache = folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
    cache.unwrap_or_else(env::temp_dir).join("callsheet")
}
