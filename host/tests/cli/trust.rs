//! `trust`: what it shows, keeps and forgets.

use super::world::World;

const AGENT: &str =
    "---\nname: porter\ndescription: Says bye\nmcpServers:\n  bell:\n    command: ring\n---\nSay bye.\n";

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
fn a_file_is_trusted_as_it_is() {
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
    assert!(again.err.contains("is trusted already"), "{}", again.err);
    let world = world.file(".claude/agents/porter.md", AGENT.replace("ring", "other"));
    let list = || world.run(&["trust", "--list"]).out;
    assert!(list().ends_with("(changed or gone: not trusted)\n"), "{}", list());
    let run = world.run(&["trust", "porter", "--revoke"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(list(), "");
    assert_eq!(world.run(&["trust", "porter", "--revoke"]).code, Some(1));
}

#[test]
fn nothing_is_trusted_without_a_yes() {
    let world = world();
    let run = world.run(&["trust", "porter"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.err.contains("nobody can be asked") && run.err.contains("--yes"),
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
fn a_configuration_is_trusted_too() {
    let world = world();
    let run = world.run(&["trust", "callsheet.toml", "--yes"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("allow = [\"Bash\"]"), "{}", run.out);
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
fn programs_are_told_and_not_asked() {
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
