//! Commands.
#![cfg(unix)]

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Command;
#[cfg(target_os = "linux")]
use std::{sync::Arc, time::Instant};

use serde_json::json;

use super::{World, dialect, request};
#[cfg(target_os = "linux")]
use crate::confine::{Confinement, Extras, no_reach};
use crate::delegation::Reach;
#[cfg(target_os = "linux")]
use crate::lent::{Caller, Tools as _};
use crate::tools::{LocalTools, Options};

fn run(world: &World, command: &str) -> (bool, String) {
    let answer = world.call("Bash", json!({"command": command}));
    (answer.is_error, answer.text)
}

#[test]
fn commands_report_their_exit_status() {
    let world = World::new(&[("a", "")]);
    for (command, is_error, text) in [
        ("echo out; echo", false, "out\n\n"),
        ("ls", false, "a\n"),
        ("true", false, "(no output)"),
        ("echo oh; exit 3", true, "Exit code 3\noh\n"),
        ("echo oh >&2; false", true, "Exit code 1\noh\n"),
        ("cat", false, "(no output)"),
        ("test -t 0", true, "Exit code 1\n(no output)"),
        ("printf 'caf\\351'", false, "caf\u{fffd}"),
    ] {
        assert_eq!(run(&world, command), (is_error, text.into()), "{command}");
    }
    assert!(run(&world, "kill -9 $$").1.starts_with("Ended by signal"));
    assert!(run(&world, "no-such-program").1.starts_with("Exit code 127"));
    assert!(
        world
            .refused("Bash", json!({"command": "a\0b"}))
            .contains("cannot be started")
    );
}

#[test]
fn the_environment_has_only_listed_variables() {
    let world = World::new(&[]);
    // Cargo sets these for every test.
    let (_, text) = run(&world, "env");
    assert!(text.contains("TERM=dumb") && text.contains("PATH="), "{text}");
    assert!(!text.contains("CARGO_PKG_NAME"), "{text}");
    let options = Options {
        environment: ["CARGO_PKG_NAME".into()].into(),
        ..Options::default()
    };
    let tools = LocalTools::new(&world.project(), &dialect(), options).unwrap();
    let request = request("Bash", json!({"command": "echo $CARGO_PKG_NAME"}));
    let answer = futures_executor::block_on(tools.call(&request, &Caller::default())).unwrap();
    assert_eq!(answer.text, "callsheet\n");
}

#[test]
fn long_output_is_cut_in_the_middle() {
    let world = World::new(&[]);
    let (is_error, text) = run(&world, "echo first; yes flood | head -c 3000000; echo last");
    assert!(!is_error && text.len() < 31_000);
    assert!(text.starts_with("first\nflood") && text.ends_with("flood\nlast\n"));
    assert!(text.contains("bytes are not shown]"));
}

#[test]
fn a_gigabyte_of_output_is_not_kept() {
    let world = World::new(&[]);
    let (is_error, text) = run(&world, "head -c 1000000000 /dev/zero; echo last");
    assert!(!is_error && text.len() < 31_000 && text.ends_with("last\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_that_starts_processes_without_end_is_ended() {
    let world = World::new(&[]);
    // Appends: a process ended after it emptied a file and before it wrote would leave it empty.
    let line =
        "export c='echo $$ >> ids; sleep 0.01; setsid sh -c \"$c\" &'; setsid sh -c \"$c\" & sleep 100000";
    world.refused("Bash", json!({"command": line, "timeout": 1000}));
    let ids = || std::fs::read_to_string(world.project().join("ids")).unwrap();
    let before = ids();
    assert!(!before.is_empty());
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(ids(), before);
}

#[test]
fn a_command_ends_at_its_timeout() {
    let world = World::new(&[]);
    let endless = json!({"command": "while :; do :; done", "timeout": 1});
    assert!(
        world
            .refused("Bash", endless)
            .starts_with("The command was ended after 1 ms")
    );
}

#[test]
fn background_processes_are_ended() {
    let world = World::new(&[]);
    assert_eq!(run(&world, "sleep 100000 & echo done"), (false, "done\n".into()));
}

/// The end of the pipe shows that its writer has ended.
#[test]
fn cancelling_ends_grandchildren() {
    let world = World::new(&[]);
    let pipe = world.project().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let reader = std::thread::spawn(move || {
        let mut pipe = BufReader::new(File::open(pipe).unwrap());
        let mut line = String::new();
        pipe.read_line(&mut line).unwrap();
        begun.send(line).unwrap();
        let mut rest = String::new();
        pipe.read_to_string(&mut rest).unwrap();
        rest
    });
    let command = "sh -c 'exec 3>pipe; echo begun >&3; while :; do sleep 100000; done' & wait";
    let request = request("Bash", json!({"command": command}));
    let caller = Caller::default();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        tokio::select! {
            _ = world.tools.call(&request, &caller) => panic!("it never ends by itself"),
            line = has_begun => assert_eq!(line.unwrap(), "begun\n"),
        }
    });
    assert_eq!(reader.join().unwrap(), "");
}

/// Whether a process of this number is there, and not only waits to be forgotten.
#[cfg(target_os = "linux")]
fn is_there(id: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", id.trim()));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

#[cfg(target_os = "linux")]
#[test]
fn processes_outside_the_group_are_ended_with_the_command() {
    for line in [
        "setsid sleep 100000 & echo $! > id; wait",
        // Its parent has ended.
        "setsid sh -c 'echo $$ > id; exec sleep 100000' & sleep 100000",
        // Without the mark, but below the command.
        "env -i setsid sh -c 'echo $$ > id; exec sleep 100000' & sleep 100000",
    ] {
        let world = World::new(&[]);
        world.refused("Bash", json!({"command": line, "timeout": 1000}));
        let id = std::fs::read_to_string(world.project().join("id")).unwrap();
        assert!(!is_there(&id), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn detached_processes_survive_a_finished_command() {
    let world = World::new(&[]);
    let line =
        "setsid sh -c 'echo $$ > id; exec sleep 100000' > /dev/null 2>&1 & while [ ! -s id ]; do :; done";
    assert!(!run(&world, line).0);
    let id = std::fs::read_to_string(world.project().join("id")).unwrap();
    assert!(is_there(&id));
    assert!(
        Command::new("kill")
            .args(["-9", id.trim()])
            .status()
            .unwrap()
            .success()
    );
}

/// Prints the time that confinement adds to a command, which depends on the machine.
#[test]
#[ignore = "a measurement"]
#[cfg(target_os = "linux")]
fn the_cost_of_confinement() {
    let world = World::new(&[]);
    let home = std::env::home_dir();
    let confinement = Confinement::new(&world.project(), home.as_deref(), Extras::default());
    let confined = LocalTools::new(
        &world.project(),
        &dialect(),
        Options {
            confinement: Some(Arc::new(confinement.expect("it can be done here"))),
            ..Options::default()
        },
    );
    let confined = confined.unwrap();
    let request = request("Bash", json!({"command": "true"}));
    let caller = Caller {
        agent: None,
        reach: Some(Reach {
            writes: vec![world.project().display().to_string()],
            ..no_reach()
        }),
        ..Caller::default()
    };
    let time = |tools: &LocalTools| {
        let started = Instant::now();
        futures_executor::block_on(tools.call(&request, &caller)).unwrap();
        started.elapsed().as_secs_f64() * 1e3
    };
    let (mut without, mut with): (Vec<f64>, Vec<f64>) =
        (0..300).map(|_| (time(&world.tools), time(&confined))).unzip();
    without.sort_by(f64::total_cmp);
    with.sort_by(f64::total_cmp);
    eprintln!(
        "median of 300: {:.2} ms unconfined, {:.2} ms confined",
        without[150], with[150]
    );
    eprintln!(
        "95th percentile: {:.2} ms unconfined, {:.2} ms confined",
        without[285], with[285]
    );
}
