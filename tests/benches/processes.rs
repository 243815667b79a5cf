//! Whole processes: `list` and `check` compared with the floor.

use std::path::Path;
use std::process::Command;

use callsheet_tests::generate;
use callsheet_tests::measure::{self, Usage};
use tempfile::TempDir;

use super::table::Table;

const CALLSHEET: &str = env!("CARGO_BIN_EXE_callsheet-under-test");
const FLOOR: &str = env!("CARGO_BIN_EXE_floor");

const MEGABYTE: f64 = 1e6;

/// What three programs cost on the same files.
struct Costs {
    floor: Usage,
    list: Usage,
    check: Usage,
}

pub(crate) fn measure(table: &mut Table) {
    let ten = costs(10, 40);
    // A process has a fixed cost, which three floors of a hundredth of a millisecond each would not cover.
    let allowed = ten.floor.cpu.as_secs_f64() * 3.0 + 0.003;
    table.at_most(
        "cold `list` of 10 agents, CPU (3 × floor + 3 ms)",
        ten.list.cpu.as_secs_f64() * 1e3,
        allowed * 1e3,
        " ms",
    );
    let thousand = costs(1_000, 30);
    let ratio = |usage: Usage, base: Usage| usage.cpu.as_secs_f64() / base.cpu.as_secs_f64();
    table.report(
        "floor on 1,000 agents, CPU",
        thousand.floor.cpu.as_secs_f64() * 1e3,
        " ms",
    );
    table.at_most(
        "`list` of 1,000 agents, CPU",
        ratio(thousand.list, thousand.floor),
        3.0,
        " × floor",
    );
    table.at_most(
        "`check` of 1,000 agents, CPU",
        ratio(thousand.check, thousand.floor),
        6.0,
        " × floor",
    );
    let many = costs(10_000, 5);
    table.at_most(
        "`list` of 10,000 agents, CPU",
        ratio(many.list, thousand.list),
        11.0,
        " × that of 1,000",
    );
    table.report(
        "`list` of 10,000 agents, CPU",
        ratio(many.list, many.floor),
        " × floor",
    );
    table.at_most(
        "`check` of 10,000 agents, CPU",
        ratio(many.check, thousand.check),
        11.0,
        " × that of 1,000",
    );
    table.report(
        "`check` of 10,000 agents, CPU",
        ratio(many.check, many.floor),
        " × floor",
    );
    table.at_most(
        "`list` of 10,000 agents, peak memory",
        many.list.peak as f64 / MEGABYTE,
        60.0,
        " MB",
    );
    table.at_most(
        "`check` of 10,000 agents, peak memory",
        many.check.peak as f64 / MEGABYTE,
        60.0,
        " MB",
    );
}

fn costs(agents: usize, rounds: usize) -> Costs {
    let folder = project(agents);
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder.path()).env_clear();
        measure::process(&mut command).unwrap_or_else(|error| panic!("{program}: {error}"))
    };
    let home = ["--home", "nobody"];
    let [floor, list, check] = measure::least(
        rounds,
        [
            &mut || run(FLOOR, &["."]),
            &mut || run(CALLSHEET, &["list", home[0], home[1]]),
            &mut || run(CALLSHEET, &["check", home[0], home[1]]),
        ],
        |now, best| now.cpu < best.cpu,
    );
    Costs { floor, list, check }
}

fn project(agents: usize) -> TempDir {
    let folder = tempfile::tempdir().expect("there is room for the files");
    write(folder.path(), agents);
    folder
}

fn write(folder: &Path, agents: usize) {
    generate::write(folder, agents, false).expect("the files can be written");
}
