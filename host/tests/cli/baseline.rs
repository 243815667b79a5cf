//! The baseline: what was there is accepted, what is new is reported.

use super::world::World;

const FILE: &str = ".claude/agents/porter.md";
const PORTER: &str = "---\nname: porter\ndescription: Says bye: to all\n---\nSay bye.\n";
const BASELINE: [&str; 3] = ["check", "--baseline", "accepted.json"];

/// A project whose only finding is accepted.
fn accepted() -> World {
    let world = World::new().file(FILE, PORTER);
    let run = world.run(&BASELINE);
    let note = "note: wrote accepted.json (accepted findings: 1)\n";
    assert_eq!((run.code, run.err.as_str()), (Some(0), note));
    world
}

#[track_caller]
fn check(world: &World, code: i32, out: &str, err: &str) {
    let run = world.run(&BASELINE);
    assert_eq!((run.code, run.err.as_str()), (Some(code), err), "{}", run.out);
    assert!(run.out.ends_with(out), "{}", run.out);
}

const SUPPRESSED: &str = "checked 1 file: nothing to report (1 suppressed by the baseline)\n";

#[test]
fn existing_findings_are_accepted() {
    check(&accepted(), 0, SUPPRESSED, "");
}

#[test]
fn moved_lines_stay_accepted() {
    let moved = PORTER.replace("name", "# one\n# two\nname");
    check(&accepted().file(FILE, moved), 0, SUPPRESSED, "");
}

#[test]
fn new_findings_are_reported() {
    let world = accepted().file(
        ".claude/agents/new.md",
        PORTER.replace("porter", "new").replace("bye", "hello"),
    );
    let summary = "checked 2 files: 0 errors, 1 warning, 0 notes (1 suppressed by the baseline); 1 fixable with --fix\n";
    check(&world, 1, summary, "");
}

#[test]
fn a_changed_line_is_reported_and_its_entry_stale() {
    let world = accepted().file(FILE, PORTER.replace("bye:", "hello:"));
    let summary = "checked 1 file: 0 errors, 1 warning, 0 notes; 1 fixable with --fix\n";
    let stale = "note: accepted.json accepts `unquoted-value` in .claude/agents/porter.md, which is no longer found\n";
    check(&world, 1, summary, stale);
    let narrow = world.run(&[&BASELINE[..], &["--format", "concise", FILE]].concat());
    assert_eq!(narrow.err, "", "other files were not looked at");
}

#[test]
fn json_lists_what_was_suppressed() {
    let run = accepted().run(&[&BASELINE[..], &["--format", "json"]].concat());
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("it is JSON");
    assert_eq!(
        document["baseline"],
        serde_json::json!({"suppressed": 1, "stale": []})
    );
}

#[test]
fn an_invalid_baseline_is_not_overwritten() {
    for (contents, expected) in [
        ("{}", "error: cannot read accepted.json: not a baseline: "),
        (
            r#"{"version": 2, "findings": []}"#,
            "error: cannot read accepted.json: version 2 is not supported by this release\n",
        ),
    ] {
        let world = World::new().file(FILE, PORTER).file("accepted.json", contents);
        let run = world.run(&BASELINE);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
        assert!(run.err.starts_with(expected), "{}", run.err);
        assert_eq!(world.bytes("accepted.json"), contents.as_bytes());
    }
}

#[test]
fn an_incomplete_check_writes_no_baseline() {
    let world = World::new().file(FILE, PORTER);
    let run = world.run(&[&BASELINE[..], &["nowhere.md", FILE]].concat());
    assert_eq!(run.code, Some(2));
    assert!(run.out.contains("unquoted-value"), "{}", run.out);
    assert!(!world.at("accepted.json").exists());
}

#[cfg(unix)]
#[test]
fn a_baseline_must_be_a_regular_file() {
    let world = World::new().file(
        ".claude/agents/a.md",
        "---\nname: a\ndescription: D\n---\nHello.\n",
    );
    let made = std::process::Command::new("mkfifo")
        .arg(world.at("b.json"))
        .status();
    assert!(made.expect("mkfifo starts").success());
    let run = world.run(&["check", "--baseline", "b.json"]);
    let expected = "error: cannot read b.json: not a regular file\n";
    assert_eq!((run.code, run.err.as_str()), (Some(2), expected));
}
