//! The figures that Callsheet promises, as ratios measured in one run: `cargo bench -p callsheet-tests`, or
//! `cargo bench -p callsheet-tests -- sessions` for some of them.
//!
//! Whole processes are compared with `floor`, which only reads the same files and parses their YAML. CPU time is the lowest of
//! several alternating runs. Exits with 1 if a target is missed.

mod component;
mod editor;
mod flat;
mod models;
mod node;
mod processes;
mod reload;
mod sessions;
mod table;

use std::process::ExitCode;

use self::table::Table;

type Part = (&'static str, fn(&mut Table));

/// All of them. Processes first: a child process reports at least the memory of its parent.
const PARTS: [Part; 8] = [
    ("processes", processes::measure),
    ("flat", flat::measure),
    ("component", component::measure),
    ("editor", editor::measure),
    ("models", models::measure),
    ("node", node::measure),
    ("reload", reload::measure),
    ("sessions", sessions::measure),
];

fn main() -> ExitCode {
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let mut table = Table::default();
    for (name, measure) in PARTS {
        if named.is_empty() || named.iter().any(|wanted| wanted == name) {
            measure(&mut table);
        }
    }
    table.print();
    ExitCode::from(u8::from(table.missed()))
}
