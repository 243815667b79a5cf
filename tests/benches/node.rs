//! The component in Node, compared with wasmtime: the whole check of a thousand files, once everything is compiled.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use callsheet::Callsheet;
use callsheet_tests::{generate, measure};

use crate::table::Table;

const AGENTS: usize = 1_000;

pub(crate) fn measure(table: &mut Table) {
    let folder = tempfile::tempdir().expect("there is room for the files");
    generate::write(folder.path(), AGENTS, false).expect("the files can be written");
    let Some(node) = node(folder.path()) else {
        eprintln!("Node is not measured: run .ci/node to build its package.");
        return;
    };
    let project = folder.path().to_string_lossy().into_owned();
    let callsheet = Callsheet::builder()
        .project(project)
        .without_home()
        .check(true)
        .build();
    let callsheet = callsheet.expect("the project is there");
    let check = || {
        let mut catalog = callsheet.open("claude-code").expect("the dialect is known");
        catalog.diagnostics().expect("it does not trap")
    };
    let [host] = measure::least(15, [&mut || measure::thread(check).0], |now, best| now < best);
    table.report(
        "library: `check` of 1,000 agents",
        host.as_secs_f64() * 1e3,
        " ms",
    );
    table.at_most(
        "Node: the same",
        node.as_secs_f64() / host.as_secs_f64(),
        3.0,
        " × library",
    );
}

fn node(project: &Path) -> Option<Duration> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/node.mjs");
    let output = Command::new("node").arg(script).arg(project).output().ok()?;
    let milliseconds: f64 = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    Some(Duration::from_secs_f64(milliseconds / 1e3))
}
