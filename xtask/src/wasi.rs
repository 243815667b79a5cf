//! What runs in WASI runtimes: the component composed with parts that give it files.
//!
//! - `callsheet-wasi.wasm` exports what `callsheet.wasm` exports and reads the directories that the runtime opens.
//! - `callsheet-cli.wasm` is a command line.
//! - `callsheet-http.wasm` is a server.
//! - `callsheet-files.wasm` reads files for both, and for other compositions.

use callsheet_build::{Failure, Recipe, modules};

use crate::component::{self, small};
use crate::compose::Composition;
use crate::{read, target, workspace, write};

/// The packages beside the component and the command line, which only build for WebAssembly.
pub(crate) const PACKAGES: [&str; 3] = ["callsheet-wasi-files", "callsheet-http", "callsheet-http-store"];

const CONVERSATION: &str = "callsheet:agents/conversation@0.1.0";

/// Builds all of them into the target folder, and prints their paths.
pub(crate) fn build() -> Result<(), Failure> {
    let toolchain = component::toolchain()?;
    let folder = target().join("component");
    let build = |packages: &[&str]| modules(&workspace(), &folder, &toolchain, Recipe::Small, packages);
    build(&PACKAGES)?;
    // Apart, so that they are those of the shipped components.
    let modules = build(&component::PACKAGES)?;
    let part = |name: &str| small(&read(&modules.join(name).with_extension("wasm"))?);
    let callsheet = part("callsheet_guest")?;
    let files = part("callsheet_wasi_files")?;
    let command = part("callsheet_wasi_command")?;
    keep("callsheet-files.wasm", &files)?;
    keep("callsheet-wasi.wasm", &library(&files, &callsheet)?)?;
    keep("callsheet-cli.wasm", &command_line(&files, &callsheet, &command)?)?;
    let (store, front) = (part("callsheet_http_store")?, part("callsheet_http")?);
    keep("callsheet-http.wasm", &server(&store, &callsheet, &front)?)
}

/// What `callsheet.wasm` exports, over the directories that the runtime opens.
fn library(files: &[u8], callsheet: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut composition = Composition::default();
    let files = composition.add("callsheet:files", files, &[])?;
    let callsheet = composition.add("callsheet:component", callsheet, &[&files])?;
    // Delegation uses these types, so they need an exported name.
    composition.export(&files, CONVERSATION)?;
    composition.encode(&callsheet)
}

fn command_line(files: &[u8], callsheet: &[u8], command: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut composition = Composition::default();
    let files = composition.add("callsheet:files", files, &[])?;
    let callsheet = composition.add("callsheet:component", callsheet, &[&files])?;
    let command = composition.add("callsheet:command", command, &[&callsheet, &files])?;
    composition.encode(&command)
}

/// The command line with the component's imports: its host provides the files.
pub(crate) fn command_without_files(callsheet: &[u8], command: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut composition = Composition::default();
    let callsheet = composition.add("callsheet:component", callsheet, &[])?;
    let command = composition.add("callsheet:command", command, &[&callsheet])?;
    // Hosts need `projects` to know which files to provide. Each uses types of those before it.
    for name in ["types", "documents", "projects", "catalogs"] {
        composition.export(&callsheet, &format!("callsheet:agents/{name}@0.1.0"))?;
    }
    composition.encode(&command)
}

/// The language server and the command line around one component, for editors in a browser.
pub(crate) fn editor(callsheet: &[u8], command: &[u8], server: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut composition = Composition::default();
    let callsheet = composition.add("callsheet:component", callsheet, &[])?;
    let command = composition.add("callsheet:command", command, &[&callsheet])?;
    let server = composition.add("callsheet:server", server, &[&callsheet])?;
    composition.export(&command, "callsheet:command/main")?;
    composition.encode(&server)
}

fn server(store: &[u8], callsheet: &[u8], front: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut composition = Composition::default();
    let store = composition.add("callsheet:store", store, &[])?;
    let callsheet = composition.add("callsheet:component", callsheet, &[&store])?;
    let front = composition.add("callsheet:front", front, &[&callsheet, &store])?;
    composition.encode(&front)
}

fn keep(name: &str, bytes: &[u8]) -> Result<(), Failure> {
    let path = target().join(name);
    write(&path, bytes)?;
    println!("{} ({} bytes)", path.display(), bytes.len());
    Ok(())
}
