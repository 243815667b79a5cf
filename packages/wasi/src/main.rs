//! Builds components for WASI runtimes, by composing the Callsheet component with WASI file access.
//!
//! - `callsheet-wasi.wasm` has the exports of `callsheet.wasm` and reads the directories that the runtime opens.
//! - `callsheet-cli.wasm` is a command line.
//! - `callsheet-http.wasm` is an HTTP server.
//! - `callsheet-files.wasm` reads the files, for other compositions.

#[path = "../../../host/build/alike/mod.rs"]
mod alike;
#[path = "../../../host/build/debian.rs"]
mod debian;
#[path = "../../../host/build/encode.rs"]
mod encode;
#[path = "../../../host/build/guest.rs"]
mod guest;
#[path = "../../../host/build/library.rs"]
mod library;
#[path = "../../../host/build/nested.rs"]
mod nested;
#[path = "../../../host/build/strip.rs"]
mod strip;
#[path = "../../../host/build/toolchain.rs"]
mod toolchain;

mod compose;
mod paths;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use self::compose::Composition;

/// An error message.
type Failure = String;

/// The target of all parts; their worlds list the system interfaces that they need.
const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// The packages to build besides the component.
const PARTS: [&str; 4] = [
    "callsheet-wasi-files",
    "callsheet-wasi-command",
    "callsheet-http",
    "callsheet-http-store",
];

/// A component to use instead of building one.
const READY_MADE: &str = "CALLSHEET_COMPONENT";

const CONVERSATION: &str = "callsheet:agents/conversation@0.1.0";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failure> {
    let callsheet = env::var_os(READY_MADE);
    let mut packages = PARTS.to_vec();
    if callsheet.is_none() {
        packages.push("callsheet-guest");
    }
    let modules = guest::build(&toolchain::choose()?, &packages)?;
    let part = |name: &str| component(&read(&modules.join(name).with_extension("wasm"))?);
    let callsheet = match callsheet {
        Some(path) => read(path.as_ref())?,
        None => part("callsheet_guest")?,
    };
    let files = part("callsheet_wasi_files")?;
    let command = part("callsheet_wasi_command")?;
    write("callsheet-files.wasm", &files)?;
    write("callsheet-wasi.wasm", &library(&files, &callsheet)?)?;
    write("callsheet-cli.wasm", &command_line(&files, &callsheet, &command)?)?;
    let (store, front) = (part("callsheet_http_store")?, part("callsheet_http")?);
    write("callsheet-http.wasm", &server(&store, &callsheet, &front)?)
}

/// The exports of `callsheet.wasm`, with the directories that the runtime opens.
fn library(files: &[u8], callsheet: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut composition = Composition::default();
    let files = composition.add("callsheet:files", files, &[])?;
    let callsheet = composition.add("callsheet:component", callsheet, &[&files])?;
    // Delegation uses these types, so they must be exported too.
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

fn server(store: &[u8], callsheet: &[u8], front: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut composition = Composition::default();
    let store = composition.add("callsheet:store", store, &[])?;
    let callsheet = composition.add("callsheet:component", callsheet, &[&store])?;
    let front = composition.add("callsheet:front", front, &[&callsheet, &store])?;
    composition.encode(&front)
}

fn component(module: &[u8]) -> Result<Vec<u8>, Failure> {
    let module = alike::rewrite(&strip::names(module)?)?;
    strip::component_names(&encode::component(&module)?)
}

fn tell(what: &str) {
    eprintln!("note: {what}");
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn write(name: &str, bytes: &[u8]) -> Result<(), Failure> {
    let path = paths::target().join(name);
    fs::write(&path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    println!("{} ({} bytes)", path.display(), bytes.len());
    Ok(())
}
