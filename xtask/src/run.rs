//! Commands that run cargo.

use std::process::Command;

use callsheet_build::Failure;

use crate::{component, setup, target, workspace};

const EXAMPLE: [&str; 4] = ["--project", "examples/workspace", "--home", "examples/home"];

/// Builds Callsheet and shows its output on the example project.
pub(crate) fn demo() -> Result<(), Failure> {
    setup::toolchain()?;
    eprintln!("building Callsheet; the first build takes several minutes");
    cargo(&["build", "--locked", "--package", "callsheet"])?;
    let callsheet = target().join("debug/callsheet");
    for command in ["list", "check"] {
        println!("\n$ callsheet {command} {}", EXAMPLE.join(" "));
        let status = Command::new(&callsheet)
            .arg(command)
            .args(EXAMPLE)
            .current_dir(workspace())
            .status()
            .map_err(|error| format!("cannot run {}: {error}", callsheet.display()))?;
        // 1: the example has problems to show.
        if !matches!(status.code(), Some(0 | 1)) {
            return Err(format!("`callsheet {command}` failed: {status}"));
        }
    }
    println!(
        "\nThe program is {}; `cargo install --path host` installs it.",
        callsheet.display()
    );
    Ok(())
}

/// Runs every test of the workspace.
pub(crate) fn test(arguments: &[&str]) -> Result<(), Failure> {
    component::ship(false)?;
    cargo(&[&["test", "--workspace", "--locked"], arguments].concat())
}

pub(crate) fn bench() -> Result<(), Failure> {
    cargo(&["bench", "--locked", "--package", "callsheet-tests"])
}

/// Returns whether nothing was left behind.
pub(crate) fn soak(arguments: &[&str]) -> Result<bool, Failure> {
    let (soak, program) = ("soak", "callsheet-under-test");
    let package = ["build", "--locked", "--package", "callsheet-tests"];
    cargo(&[&package[..], &["--bin", soak, "--bin", program]].concat())?;
    let built = |name: &str| target().join("debug").join(name);
    let mut command = Command::new(built(soak));
    command.arg("--program").arg(built(program)).args(arguments);
    let status = command.status();
    let status = status.map_err(|error| format!("cannot run {soak}: {error}"))?;
    match status.code() {
        Some(0) => Ok(true),
        Some(1) => Ok(false),
        _ => Err(format!("{soak} failed: {status}")),
    }
}

pub(crate) fn sample(arguments: &[&str]) -> Result<(), Failure> {
    cargo(
        &[
            &[
                "run",
                "--quiet",
                "--locked",
                "--package",
                "callsheet-sample",
                "--",
            ],
            arguments,
        ]
        .concat(),
    )
}

fn cargo(arguments: &[&str]) -> Result<(), Failure> {
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(workspace())
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`cargo {}` failed", arguments.join(" ")))
    }
}
