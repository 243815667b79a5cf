//! The extension for Zed as a component. Zed compiles it itself, with a standard library for WASI that other compilers lack.

use callsheet_build::{Failure, WASM_TARGET, cargo, component};
use wasmparser::{Parser, Payload};

use crate::{read, setup, target, workspace, write};

/// Its own workspace, below this one.
pub(crate) const FOLDER: &str = "editors/zed";

/// What Zed looks for to know the release of its interface.
const VERSION: &str = "zed:api-version";

/// Builds it into the target folder, and prints its size and the release of Zed's interface.
pub(crate) fn build() -> Result<(), Failure> {
    let toolchain = setup::toolchain()?;
    let folder = target().join("zed");
    let status = cargo(&toolchain)
        .current_dir(workspace().join(FOLDER))
        .args([
            "build",
            "--quiet",
            "--locked",
            "--release",
            "--target",
            WASM_TARGET,
            "--target-dir",
        ])
        .arg(&folder)
        .env("CARGO_ENCODED_RUSTFLAGS", setup::flags(&toolchain))
        .status()
        .map_err(|error| format!("cannot run {}: {error}", toolchain.cargo.display()))?;
    if !status.success() {
        return Err("the extension for Zed does not build; the compiler's errors are above".into());
    }
    let module = folder.join(WASM_TARGET).join("release/callsheet_zed.wasm");
    let component = component(&read(&module)?)?;
    let [major, minor, patch] = version(&component)?;
    let path = target().join("callsheet-zed.wasm");
    write(&path, &component)?;
    let size = component.len();
    println!(
        "{} ({size} bytes), for zed_extension_api {major}.{minor}.{patch}",
        path.display()
    );
    Ok(())
}

/// The release, in a section of the module in the component: three numbers of two bytes, the high one first.
fn version(component: &[u8]) -> Result<[u16; 3], Failure> {
    let mut sections = Parser::new(0).parse_all(component);
    let found = sections.find_map(|part| match part {
        Ok(Payload::CustomSection(section)) if section.name() == VERSION => Some(section.data()),
        _ => None,
    });
    match found {
        Some([a, b, c, d, e, f]) => Ok([[*a, *b], [*c, *d], [*e, *f]].map(u16::from_be_bytes)),
        _ => Err(format!(
            "the extension has no section `{VERSION}`, so Zed does not load it"
        )),
    }
}
