//! `init` and `doctor`.

use super::world::World;

const AGENT: &str =
    "---\nname: a\ndescription: Reviews changes after each commit\ntools: Read\n---\nReview.\n";

#[test]
fn init_lists_the_tools_in_use_and_never_overwrites() {
    let world = World::new().file(".claude/agents/a.md", AGENT);
    let run = world.run(&["init"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let written = String::from_utf8(world.bytes("callsheet.toml")).expect("it is UTF-8");
    assert!(written.contains("# targets = [\"claude-code\"]\n"), "{written}");
    // What it proposes is valid, too.
    let proposed = written
        .replace("# targets", "targets")
        .replace("# unknown-key", "unknown-key");
    std::fs::write(world.at("callsheet.toml"), proposed).expect("it can be written");
    assert_eq!(world.run(&["check"]).code, Some(0));
    let again = world.run(&["init"]);
    assert_eq!(again.code, Some(2));
    assert_eq!(
        again.err,
        "error: callsheet.toml already exists\nhelp: edit it, or delete it first\n"
    );
}

#[test]
fn init_works_without_a_tool_in_use() {
    let world = World::new();
    assert_eq!(world.run(&["init"]).code, Some(0));
    assert_eq!(world.run(&["check"]).code, Some(0));
    let nowhere = world.run(&["init", "--project", "no-such-folder"]);
    assert_eq!(nowhere.code, Some(2), "{}", nowhere.err);
}

#[test]
fn doctor_shows_what_is_read_and_what_is_wrong() {
    let settings = r#"{"agent": {"lead": {}, "other": {}}}"#;
    let world = World::new()
        .file(".claude/agents/a.md", AGENT)
        .file("opencode.json", settings);
    let run = world.run(&["doctor"]);
    assert_eq!(run.code, Some(0), "{}", run.out);
    for part in [
        "configuration       none",
        "claude-code         .claude/agents (1 file)",
        "opencode            opencode.json\n",
        "ANTHROPIC_API_KEY",
        "2 files: 0 errors, 0 warnings",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    let untrusted = world.file("callsheet.toml", "[run]\nallow = [\"Bash(ls)\"]\n");
    let run = untrusted.run(&["doctor", "--format", "json"]);
    assert_eq!(run.code, Some(1));
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("it is JSON");
    let facts = document["sections"][1]["facts"].as_array().expect("facts");
    let problem = facts
        .iter()
        .find(|fact| fact["is_problem"] == true)
        .expect("a problem");
    assert_eq!(problem["name"], "trust");
}

#[test]
fn doctor_works_with_a_broken_configuration_and_shows_no_key() {
    let world = World::new().file("callsheet.toml", "[rulez]\n");
    let mut command = world.callsheet(&["doctor"]);
    let output = command
        .env("OPENAI_API_KEY", "sk-secret-value")
        .output()
        .expect("it runs");
    let out = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert_eq!(output.status.code(), Some(1));
    assert!(out.contains("callsheet.toml:1:2"), "{out}");
    assert!(
        out.contains("OPENAI_API_KEY is set") && !out.contains("sk-secret"),
        "{out}"
    );
}
