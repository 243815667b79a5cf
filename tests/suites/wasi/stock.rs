//! The stock runtime, and what it runs.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// What is tried.
const COMPONENTS: [&str; 3] = ["callsheet-files", "callsheet-cli", "callsheet-http"];

/// A stock `wasmtime`, and the folder of what is built for it.
pub(crate) struct Stock {
    wasmtime: PathBuf,
    built: PathBuf,
}

/// The stock runtime, with everything built and compiled; none if the tests should skip.
pub(crate) fn stock() -> Option<&'static Stock> {
    static STOCK: OnceLock<Option<Stock>> = OnceLock::new();
    let stock = STOCK.get_or_init(|| {
        let wasmtime = env::var_os("CALLSHEET_WASMTIME").filter(|value| !value.is_empty())?;
        Some(Stock::build(wasmtime.into()))
    });
    if stock.is_none() {
        eprintln!(
            "skipped: CALLSHEET_WASMTIME names no wasmtime; `.ci/wasmtime` installs one and says where"
        );
    }
    stock.as_ref()
}

impl Stock {
    fn build(wasmtime: PathBuf) -> Self {
        let built = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--package", "xtask", "--", "wasi"])
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .output()
            .expect("cargo runs these tests, too");
        let told = String::from_utf8_lossy(&built.stdout);
        assert!(
            built.status.success(),
            "{}",
            String::from_utf8_lossy(&built.stderr)
        );
        // Each line starts with the path of a file.
        let file = told.lines().next().and_then(|line| line.split(" (").next());
        let built = Path::new(file.expect("it says what it wrote")).parent();
        let stock = Self {
            wasmtime,
            built: built.expect("a file is in a folder").to_owned(),
        };
        COMPONENTS.iter().for_each(|name| stock.compile(name));
        stock
    }

    fn compile(&self, name: &str) {
        let (from, to) = (format!("{name}.wasm"), self.compiled(name));
        let done = self.wasmtime(&self.built, &["compile", &from, "-o", &to]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    /// Where a component is, compiled.
    pub(crate) fn compiled(&self, name: &str) -> String {
        let path = self.built.join(format!("{name}.stock.cwasm"));
        path.to_str()
            .expect("the target folder has a name of text")
            .to_owned()
    }

    /// The runtime.
    pub(crate) fn program(&self) -> &Path {
        &self.wasmtime
    }

    /// Cargo's target folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.built
    }

    /// A command of the runtime, in a folder.
    pub(crate) fn wasmtime(&self, folder: &Path, arguments: &[&str]) -> Output {
        let mut command = Command::new(&self.wasmtime);
        command.current_dir(folder).args(arguments);
        command.output().expect("CALLSHEET_WASMTIME can be run")
    }
}
