//! `trust`: what it shows, keeps and forgets.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use super::world::World;

const AGENT: &str =
    "---\nname: porter\ndescription: Says bye\nmcpServers:\n  - bell:\n      command: ring\n---\nSay bye.\n";

fn world() -> World {
    World::new()
        .file(".claude/agents/porter.md", AGENT)
        .file(
            ".claude/agents/plain.md",
            "---\nname: plain\ndescription: x\n---\nSay it.\n",
        )
        .file("callsheet.toml", "[run]\nallow = [\"Bash\"]\n")
}

#[test]
fn trust_ends_when_the_file_changes() {
    let world = world();
    let run = world.run(&["trust", "porter", "--yes"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.out.contains("MCP servers that are started:") && run.out.contains("command: ring"),
        "{}",
        run.out
    );
    assert!(run.err.contains("is trusted until it changes"), "{}", run.err);
    let list = || world.run(&["trust", "--list"]).out;
    assert!(list().ends_with("/.claude/agents/porter.md\n"), "{}", list());
    let again = world.run(&["trust", ".claude/agents/porter.md", "--yes"]);
    assert!(again.err.contains("is already trusted"), "{}", again.err);
    let world = world.file(".claude/agents/porter.md", AGENT.replace("ring", "other"));
    let list = || world.run(&["trust", "--list"]).out;
    assert!(list().ends_with("deleted: not trusted)\n"), "{}", list());
    let run = world.run(&["trust", "porter", "--revoke"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(list(), "");
    assert_eq!(world.run(&["trust", "porter", "--revoke"]).code, Some(1));
}

#[test]
fn trust_needs_confirmation() {
    let world = world();
    let run = world.run(&["trust", "porter"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.err.contains("not a terminal") && run.err.contains("--yes"),
        "{}",
        run.err
    );
    for (arguments, code, said) in [
        (&["trust", "plain", "--yes"][..], 0, "nothing in"),
        (&["trust", "prter", "--yes"], 1, "porter"),
        (&["trust"], 2, "WHAT"),
        (&["trust", "porter", "--list"], 2, "--list"),
    ] {
        let run = world.run(arguments);
        assert_eq!(run.code, Some(code), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(said), "{arguments:?}: {}", run.err);
    }
    assert_eq!(world.run(&["trust", "--list"]).out, "");
}

#[test]
fn a_configuration_can_be_trusted() {
    let world = world();
    let run = world.run(&["trust", "callsheet.toml", "--yes"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("allow = [\"Bash\"]"), "{}", run.out);
}

#[test]
fn models_and_severities_need_no_trust() {
    let world = World::new().file(
        "callsheet.toml",
        "[models]\nsonnet = \"anthropic:x\"\n\n[rules]\nsecret = \"off\"\n",
    );
    let run = world.run(&["trust", "callsheet.toml", "--yes"]);
    assert_eq!((run.code, &*run.out), (Some(0), ""));
    assert_eq!(run.err, "nothing in callsheet.toml needs trust\n");
}

#[test]
fn secrets_are_not_shown() {
    let token = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
    let agent = AGENT.replace(
        "command: ring",
        &format!("command: ring\n    env:\n      TOKEN: {token}"),
    );
    let run = world()
        .file(".claude/agents/porter.md", agent)
        .run(&["trust", "porter", "--yes"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.out.contains("TOKEN: ***") && !run.out.contains(&token),
        "{}",
        run.out
    );
}

/// What is printed for programs, and the exit code.
fn json(world: &World, arguments: &[&str]) -> (serde_json::Value, Option<i32>) {
    let run = world.run(&[arguments, &["--format", "json"]].concat());
    let document: serde_json::Value =
        serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    assert_eq!(document["command"], "trust");
    (document["files"].clone(), run.code)
}

#[test]
fn json_output_does_not_ask() {
    let world = world();
    let (files, code) = json(&world, &["trust", "porter"]);
    assert_eq!(code, Some(1));
    assert_eq!(files[0]["path"], ".claude/agents/porter.md");
    assert_eq!(files[0]["trusted"], false);
    assert_eq!(files[0]["stakes"][1]["value"], "bell: run `ring`");
    assert_eq!(
        json(&world, &["trust", "--list"]),
        (serde_json::json!([]), Some(0))
    );
    let (files, code) = json(&world, &["trust", "porter", "--yes"]);
    assert_eq!((&files[0]["trusted"], code), (&true.into(), Some(0)));
    let (files, code) = json(&world, &["trust", "--list"]);
    assert_eq!((&files[0]["trusted"], code), (&true.into(), Some(0)));
    let (files, code) = json(&world, &["trust", "plain"]);
    assert_eq!(
        (files[0]["stakes"].clone(), code),
        (serde_json::json!([]), Some(0))
    );
    let (files, code) = json(&world, &["trust", "porter", "--revoke"]);
    assert_eq!((&files[0]["trusted"], code), (&false.into(), Some(0)));
    assert_eq!(
        world
            .run(&["trust", "--list", "--format", "json"])
            .out
            .matches("path")
            .count(),
        0
    );
}

/// Trust does not cover hooks, although "trusted" might suggest it.
#[test]
fn hooks_never_run() {
    let hooks =
        "hooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: touch ran\n";
    let keys = |keys: &str| format!("---\nname: porter\ndescription: Says bye\n{keys}---\nSay bye.\n");
    let world = world().file(".claude/agents/porter.md", keys(hooks));
    let run = world.run(&["trust", "porter", "--yes"]);
    assert!(
        run.err
            .contains("porter.md never run, whether it is trusted or not"),
        "{}",
        run.err
    );
    assert!(run.err.contains("nothing in"), "{}", run.err);
    let world = world.file(
        ".claude/agents/porter.md",
        keys(&format!("{hooks}mcpServers:\n  - bell:\n      command: ring\n")),
    );
    let run = world.run(&["trust", "porter", "--yes"]);
    assert!(run.err.contains("porter.md never run"), "{}", run.err);
    assert!(run.err.contains("is trusted until it changes"), "{}", run.err);
}

/// Servers only start with the program: trusting one later prints a note.
#[test]
fn a_server_reports_that_trust_has_changed() {
    let world = world();
    let mut command = world.callsheet(&["mcp", "--http", "127.0.0.1:0", "--as", "claude-code"]);
    let mut child = command
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    let mut says = |part: &str| {
        let found = lines
            .by_ref()
            .map_while(Result::ok)
            .any(|line| line.contains(part));
        assert!(found, "it does not say {part}");
    };
    says("clients must send the header `Authorization: Bearer ");
    says("serving at");
    let trusted = world.run(&["trust", "porter", "--yes"]);
    assert_eq!(trusted.code, Some(0), "{}", trusted.err);
    says("trust has changed");
    child.kill().expect("it is ours");
    child.wait().expect("it ends");
}

#[test]
fn a_missing_file_is_not_taken_for_an_agent() {
    let run = world().run(&["trust", "nowhere.md", "--yes"]);
    assert_eq!(
        (run.code, run.err.as_str()),
        (Some(2), "error: file not found: nowhere.md\n")
    );
}

#[test]
fn only_servers_of_trusted_files_that_want_it_are_signed_in_to() {
    let file = r#"{"mcpServers": {
        "program": {"command": "true"},
        "given": {"url": "http://127.0.0.1:1/mcp", "headers": {"authorization": "Bearer x"}},
        "unset": {"url": "http://127.0.0.1:1/${CALLSHEET_NOWHERE}"},
        "open": {"url": "http://mcp.example/mcp"},
        "away": {"url": "http://127.0.0.1:1/mcp"}
    }}"#;
    let world = World::new().file(".mcp.json", file);
    for command in ["login", "logout"] {
        let run = world.run(&[command, "away"]);
        assert_eq!(run.code, Some(1), "{}", run.err);
        assert!(
            run.err.contains("no trusted file has an MCP server `away`"),
            "{}",
            run.err
        );
    }
    world.run(&["trust", ".mcp.json", "--yes"]);
    for (arguments, status, reason) in [
        (
            ["login", "unknown"],
            1,
            "there are: away, given, open, program, unset",
        ),
        (["login", "program"], 2, "needs no sign-in"),
        (["login", "given"], 2, "remove its `Authorization` header"),
        (
            ["login", "unset"],
            2,
            "the variable `CALLSHEET_NOWHERE` is not set",
        ),
        (["login", "open"], 2, "use an `https` URL"),
        (["login", "away"], 2, "not signed in to away: "),
        (["logout", "away"], 1, "you are not signed in to away"),
        (["logout", "program"], 2, "needs no sign-in"),
    ] {
        let run = world.run(&arguments);
        assert_eq!(run.code, Some(status), "{}", run.err);
        assert!(run.err.contains(reason), "{}", run.err);
        assert_eq!(run.out, "");
    }
}
