//! The short form of `cargo xtask soak`.
#![cfg(target_os = "linux")]

use std::process::Command;

/// With the time limit, enough for each kind of disturbance.
const RUNS: &str = "30";

const SECONDS: &str = "40";

#[test]
fn disturbed_runs_leave_nothing_behind() {
    let mut soak = Command::new(env!("CARGO_BIN_EXE_soak"));
    soak.args(["--program", env!("CARGO_BIN_EXE_callsheet-under-test")]);
    let run = soak.args(["--runs", RUNS, "--seconds", SECONDS]).output();
    let run = run.expect("it was built");
    let (out, err) = (
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr),
    );
    assert!(run.status.success(), "{out}{err}");
    eprintln!("{out}");
}
