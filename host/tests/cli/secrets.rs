//! Secrets are in no output that may be kept, and fixes beside them still apply.

use super::world::World;

const FILE: &str = ".claude/agents/a.md";
const KEY: &str = concat!("ghp_", "Kq3vN8zT1bYw5rX7mL2pD9sF4gH6jC0aE8uR");

fn world() -> World {
    let text = format!("---\nname: a\ndescription: Use it: with {KEY}\nmodel: {KEY}\n---\nGo.\n");
    World::new().file(FILE, text)
}

#[test]
fn no_output_shows_a_secret() {
    for format in ["text", "concise", "json", "sarif", "github", "gitlab"] {
        let run = world().run(&["check", "--format", format]);
        assert!(
            run.out.contains("secret") && run.out.contains("unquoted-value"),
            "{format}: {}",
            run.out
        );
        assert!(!run.out.contains(KEY), "{format}: {}", run.out);
    }
    for arguments in [
        &["check", "--diff"][..],
        &["check", "--fix"],
        &["check", "--fix", "--format", "json"],
    ] {
        let run = world().run(arguments);
        assert!(
            !run.out.contains(KEY) && !run.out.is_empty(),
            "{arguments:?}: {}",
            run.out
        );
    }
    let world = world();
    assert_eq!(world.run(&["check", "--fix", "--quiet"]).code, Some(1));
    assert!(
        String::from_utf8_lossy(&world.bytes(FILE)).contains(&format!("description: 'Use it: with {KEY}'\n"))
    );
    let run = world.run(&["edit", "a", "--set", "color=red", "--diff"]);
    assert!(
        run.out.contains("+color: red") && run.out.contains("****"),
        "{}",
        run.out
    );
    assert!(!run.out.contains(KEY), "{}", run.out);
    let run = world.run(&["convert", "a", "--to", "codex", "--allow-loss"]);
    assert!(!run.err.contains(KEY), "{}", run.err);
}

/// Also in files that are no agents.
#[test]
fn no_diff_of_a_rename_shows_a_secret() {
    let agent = "---\nname: a\ndescription: Does it.\n---\nGo.\n";
    let settings = format!("{{\n  \"env\": {{ \"GITHUB_TOKEN\": \"{KEY}\" }},\n  \"agent\": \"a\"\n}}\n");
    let world = World::new()
        .file(FILE, agent)
        .file(".claude/settings.json", settings);
    let run = world.run(&["rename", "a", "b", "--diff"]);
    assert!(
        run.out.contains("+  \"agent\": \"b\"") && run.out.contains("****"),
        "{}",
        run.out
    );
    assert!(!run.out.contains(KEY), "{}", run.out);
}

#[test]
fn a_private_key_is_masked_to_its_end() {
    let key = "  -----BEGIN RSA PRIVATE KEY-----\n  MIIEowIBAAKCAQEA7\n  q3vN8zT1bYw5rX7mL\n  -----END RSA PRIVATE KEY-----\n";
    let text = format!("---\nname: a\ndescription: D\ninitialPrompt: |\n{key}colour: red\n---\nGo.\n");
    let run = World::new().file(FILE, text).run(&["check"]);
    assert!(
        run.out.contains("secret") && run.out.contains("colour"),
        "{}",
        run.out
    );
    assert!(
        !run.out.contains("MIIE") && !run.out.contains("q3vN"),
        "{}",
        run.out
    );
}

#[test]
fn edits_in_json_apply() {
    let world = world();
    let run = world.run(&["check", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("it is JSON");
    let findings = json["diagnostics"].as_array().expect("a list");
    let quote = findings
        .iter()
        .find(|found| found["rule"] == "unquoted-value")
        .expect("it is found");
    let mut edits = quote["fixes"][0]["edits"].as_array().expect("a list").clone();
    edits.reverse();
    let mut text = String::from_utf8(world.bytes(FILE)).expect("it is text");
    for edit in edits {
        let at = |end: &str| usize::try_from(edit["span"][end].as_u64().expect("a number")).expect("it fits");
        text.replace_range(at("start")..at("end"), edit["text"].as_str().expect("text"));
    }
    assert!(
        text.contains(&format!("description: 'Use it: with {KEY}'\n")),
        "{text}"
    );
}
