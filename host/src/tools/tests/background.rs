//! Commands in the background.

use std::fs::File;
use std::io::Read as _;
use std::process::Command;

use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{World, request};
use crate::lent::{AgentId, Caller, Tools as _};

/// Two agents whose commands run in the background.
struct Agents {
    runtime: Runtime,
    world: World,
}

impl Agents {
    fn new() -> Self {
        Self {
            runtime: Runtime::new().unwrap(),
            world: World::new(&[]),
        }
    }

    fn call(&self, run: u32, tool: &str, arguments: Value) -> Result<String, String> {
        let (agent, reach) = (Some(AgentId { session: 1, run }), None);
        let request = request(tool, arguments);
        let caller = Caller {
            agent,
            reach,
            printed: None,
        };
        let answer = self.runtime.block_on(self.world.tools.call(&request, &caller));
        let answer = answer.unwrap();
        if answer.is_error {
            Err(answer.text)
        } else {
            Ok(answer.text)
        }
    }

    fn start(&self, run: u32, command: &str) -> Result<String, String> {
        self.call(
            run,
            "Bash",
            json!({"command": command, "run_in_background": true}),
        )
    }

    fn output(&self, run: u32, arguments: Value) -> Result<String, String> {
        self.call(run, "TaskOutput", arguments)
    }

    /// A named pipe. Its end shows that all its writers have ended.
    fn pipe(&self, name: &str) -> std::path::PathBuf {
        let pipe = self.world.project().join(name);
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        pipe
    }
}

fn rest(mut pipe: File) -> String {
    let mut rest = String::new();
    pipe.read_to_string(&mut rest).unwrap();
    rest
}

#[test]
fn an_agent_waits_for_a_command() {
    let agents = Agents::new();
    let go = agents.pipe("go");
    let told = agents.start(1, "echo one; cat go; echo two; exit 3").unwrap();
    assert!(told.contains("ID 1."), "{told}");
    let shown = |output: &str| output.split_once('\n').unwrap().1.to_owned();
    let mut seen = String::new();
    while seen != "one\n" {
        let output = agents.output(1, json!({"task_id": "1", "block": false})).unwrap();
        assert!(output.starts_with("Still running\n"), "{output}");
        seen = shown(&output);
    }
    let nothing = agents.output(1, json!({"task_id": 1, "timeout": 1})).unwrap();
    assert_eq!(nothing, "Still running\n(no new output)");
    drop(File::options().write(true).open(go).unwrap());
    assert_eq!(
        agents.output(1, json!({"bash_id": "1"})).unwrap(),
        "Exit code 3\ntwo\n"
    );
    assert_eq!(
        agents.output(1, json!({"task_id": "1"})).unwrap(),
        "Exit code 3\n(no new output)"
    );
}

#[test]
fn an_agent_stops_a_command() {
    let agents = Agents::new();
    let pipe = agents.pipe("pipe");
    agents
        .start(1, "exec 3> pipe; sh -c 'while :; do sleep 100000; done' & wait")
        .unwrap();
    let pipe = File::open(pipe).unwrap();
    assert_eq!(
        agents.call(1, "TaskStop", json!({"shell_id": "1"})).unwrap(),
        "Stopped\n(no new output)"
    );
    assert_eq!(rest(pipe), "");
    assert_eq!(
        agents.call(1, "TaskStop", json!({"task_id": "1"})).unwrap(),
        "Stopped\n(no new output)"
    );
}

#[test]
fn commands_end_with_their_agent() {
    let agents = Agents::new();
    let (first, second) = (agents.pipe("first"), agents.pipe("second"));
    agents
        .start(1, "exec 3> first; while :; do sleep 100000; done")
        .unwrap();
    agents
        .start(2, "exec 3> second; while :; do sleep 100000; done")
        .unwrap();
    let (first, second) = (File::open(first).unwrap(), File::open(second).unwrap());
    agents.world.tools.ended(2, None);
    agents.world.tools.ended(1, Some(1));
    assert_eq!(rest(first), "");
    let others = agents.output(2, json!({"task_id": "1", "block": false})).unwrap();
    assert_eq!(others, "Still running\n(no new output)");
    let Agents { runtime, world } = agents;
    drop(world);
    assert_eq!(rest(second), "");
    drop(runtime);
}

#[test]
fn commands_end_at_their_time_limit() {
    let agents = Agents::new();
    agents
        .call(
            1,
            "Bash",
            json!({"command": "while :; do sleep 100000; done", "is_background": true, "timeout": 1}),
        )
        .unwrap();
    let output = agents.output(1, json!({"task_id": "1"})).unwrap();
    assert_eq!(output, "The command was ended after 1 ms\n(no new output)");
}

#[test]
fn wrong_calls_are_refused() {
    let agents = Agents::new();
    agents.start(1, "true").unwrap();
    for (run, id) in [(1, "0"), (1, "2"), (1, "one"), (1, "-1"), (1, ""), (2, "1")] {
        for tool in ["TaskOutput", "TaskStop"] {
            let refused = agents.call(run, tool, json!({"task_id": id})).unwrap_err();
            assert!(refused.starts_with("no command with the ID"), "{refused}");
        }
    }
    assert!(
        agents
            .output(1, json!({}))
            .unwrap_err()
            .contains("`task_id` is missing")
    );
    assert!(agents.start(1, "a\0b").unwrap_err().contains("cannot be started"));
    for _ in 0..16 {
        agents.start(3, "sleep 100000").unwrap();
    }
    assert!(agents.start(3, "true").unwrap_err().contains("stop one first"));
    agents.call(3, "TaskStop", json!({"task_id": "7"})).unwrap();
    agents.start(3, "true").unwrap();
    // Without a session that tells when its agent ends.
    let background = json!({"command": "true", "run_in_background": true});
    assert!(
        agents
            .world
            .refused("Bash", background)
            .contains("not supported here")
    );
}
