//! The figures that Callsheet promises, as ratios measured in one run: `cargo bench -p callsheet-tests`.
//!
//! Whole processes are compared with `floor`, which only reads the same files and parses their YAML. CPU time, the least of
//! several runs taken in turns. Ends with 1 if a target is missed.

mod component;
mod models;
mod processes;
mod reload;
mod sessions;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut table = table::Table::default();
    // First: a process that is started reports at least the memory of the one that started it.
    processes::measure(&mut table);
    component::measure(&mut table);
    models::measure(&mut table);
    reload::measure(&mut table);
    sessions::measure(&mut table);
    table.print();
    ExitCode::from(u8::from(table.missed()))
}
