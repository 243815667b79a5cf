//! The shipped components: small, and the same wherever they are built.
//!
//! - `callsheet.wasm` is the component.
//! - `callsheet-command.wasm` is a command line around it, for packages that provide the files.
//! - `callsheet-editor.wasm` is that command line and a language server around it, for editors in a browser.
//!
//! And `callsheet-fast.wasm`, which release programs embed.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use callsheet_build::{Failure, Recipe, Toolchain, modules};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use crate::{alike, library, read, setup, strip, target, wasi, workspace, write};

/// The largest component, in bytes: what a browser may be asked to fetch. The targets are 400 KB compressed for agents alone, and 520 KB
/// with skills, commands and references; both are missed.
const RAW: usize = 2_078_000;
const COMPRESSED: usize = 764_000;

/// The package of the language server for editors in a browser, which only builds for WebAssembly.
pub(crate) const EDITOR: &str = "callsheet-editor";

/// The packages of the component and the command line, which are built together: features of their dependencies depend on both.
pub(crate) const PACKAGES: [&str; 2] = ["callsheet-guest", "callsheet-wasi-command"];

/// The shipped components.
struct Shipped {
    component: Vec<u8>,
    command: Vec<u8>,
    editor: Vec<u8>,
}

/// Builds them into the target folder, and prints the size and hash of the component. `twice` builds the component from a copy of the
/// sources, too.
pub(crate) fn ship(twice: bool) -> Result<(), Failure> {
    let toolchain = toolchain()?;
    let shipped = build(&toolchain, &workspace(), &target().join("component"))?;
    write(&target().join("callsheet-command.wasm"), &shipped.command)?;
    write(&target().join("callsheet-editor.wasm"), &shipped.editor)?;
    let component = &shipped.component;
    let path = target().join("callsheet.wasm");
    write(&path, component)?;
    let (hash, compressed) = (hash(component), compressed(component));
    println!(
        "{}: {} bytes, {compressed} gzipped, SHA-256 {hash}",
        path.display(),
        component.len()
    );
    if component.len() > RAW || compressed > COMPRESSED {
        return Err(format!(
            "the component is larger than {RAW} bytes, or {COMPRESSED} gzipped"
        ));
    }
    if twice {
        repeat(&toolchain, component)
    } else {
        Ok(())
    }
}

/// Builds the component that release programs embed, into the target folder.
pub(crate) fn fast() -> Result<(), Failure> {
    let folder = target().join("component");
    let toolchain = setup::toolchain()?;
    let modules = modules(
        &workspace(),
        &folder,
        &toolchain,
        Recipe::Fast,
        &["callsheet-guest"],
    )?;
    let component = callsheet_build::component(&read(&modules.join("callsheet_guest.wasm"))?)?;
    let path = target().join("callsheet-fast.wasm");
    write(&path, &component)?;
    println!("{}: {} bytes", path.display(), component.len());
    Ok(())
}

/// The compiler, with a standard library compiled for size if its source is here.
pub(crate) fn toolchain() -> Result<Toolchain, Failure> {
    let toolchain = setup::toolchain()?;
    if library::source(&toolchain) {
        library::small(toolchain)
    } else {
        eprintln!(
            "the standard library's source is missing (`rustup component add rust-src`): the component will be about 30 KB \
                 larger, gzipped"
        );
        Ok(toolchain)
    }
}

/// A module as a component, without data that only debugging needs.
pub(crate) fn small(module: &[u8]) -> Result<Vec<u8>, Failure> {
    let module = alike::rewrite(&strip::names(module)?)?;
    strip::component_names(&callsheet_build::component(&module)?)
}

fn build(toolchain: &Toolchain, workspace: &Path, target: &Path) -> Result<Shipped, Failure> {
    let build = |packages: &[&str]| modules(workspace, target, toolchain, Recipe::Small, packages);
    let modules = build(&PACKAGES)?;
    let component = small(&read(&modules.join("callsheet_guest.wasm"))?)?;
    let command = small(&read(&modules.join("callsheet_wasi_command.wasm"))?)?;
    // Apart: it needs more features of the others' dependencies, which would make them larger.
    let server = small(&read(&build(&[EDITOR])?.join("callsheet_editor.wasm"))?)?;
    let editor = wasi::editor(&component, &command, &server)?;
    let command = wasi::command_without_files(&component, &command)?;
    Ok(Shipped {
        component,
        command,
        editor,
    })
}

/// Fails unless a copy of the sources in another folder gives the same bytes.
fn repeat(toolchain: &Toolchain, first: &[u8]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| format!("cannot copy the sources: {error}");
    let folder = tempfile::tempdir().map_err(failed)?;
    let copy = folder.path().join("elsewhere");
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(workspace())
        .output()
        .map_err(failed)?;
    if !listed.status.success() {
        return Err("cannot copy the sources: this is not a clone of the repository".into());
    }
    let listed = String::from_utf8_lossy(&listed.stdout);
    for file in listed.split_terminator('\0') {
        let (from, to) = (workspace().join(file), copy.join(file));
        if from.is_file() {
            fs::create_dir_all(to.parent().unwrap_or(&copy)).map_err(failed)?;
            fs::copy(&from, &to).map_err(failed)?;
        } else if from.is_dir() {
            // A link to a directory of files, such as `contract/wit`.
            fs::create_dir_all(&to).map_err(failed)?;
            for entry in fs::read_dir(&from).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                fs::copy(entry.path(), to.join(entry.file_name())).map_err(failed)?;
            }
        }
    }
    let folder = folder.path().join("target");
    let modules = modules(&copy, &folder, toolchain, Recipe::Small, &PACKAGES)?;
    let second = small(&read(&modules.join("callsheet_guest.wasm"))?)?;
    if first == second {
        println!("{}: identical", copy.display());
        Ok(())
    } else {
        Err(format!(
            "not reproducible: built in {}, the SHA-256 is {}",
            copy.display(),
            hash(&second)
        ))
    }
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut hash, byte| {
            let _ = write!(hash, "{byte:02x}");
            hash
        })
}

fn compressed(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let _ = encoder.write_all(bytes);
    encoder.finish().map_or(usize::MAX, |compressed| compressed.len())
}
