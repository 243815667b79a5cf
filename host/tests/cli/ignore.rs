//! Comments that suppress findings, as the command line tells of them.

use serde_json::Value;

use super::world::World;

const FILE: &str = ".kode/agents/porter.md";

/// A duplicated key, three times at the same column; `above` comes before the second.
fn world(above: &str) -> World {
    World::new().file(
        FILE,
        format!("---\nname: porter\n{above}description: D\ndescription: D\ndescription: D\n---\nSay bye.\n"),
    )
}

fn fingerprints(world: &World) -> Vec<String> {
    let run = world.run(&["check", "--as", "kode", "--format", "gitlab"]);
    let report: Vec<Value> = serde_json::from_str(&run.out).expect("it is JSON");
    let issues = report
        .iter()
        .filter(|issue| issue["check_name"] == "duplicate-key");
    issues.map(|issue| issue["fingerprint"].to_string()).collect()
}

#[test]
fn suppressed_findings_count_in_fingerprints() {
    let all = fingerprints(&world(""));
    assert!(all.len() > 1, "{all:?}");
    let some = fingerprints(&world("").file(
        FILE,
        "---\nname: porter\ndescription: D\n# callsheet: ignore[duplicate-key]\ndescription: D\ndescription: D\n---\nSay bye.\n",
    ));
    assert_eq!(some, all[1..]);
}

#[test]
fn the_summary_counts_suppressed_findings() {
    let world = World::new().file(
        FILE,
        "---\nname: porter\n# callsheet: ignore[unquoted-value]\ndescription: Says bye: to all\nmemory: user\n---\nSay bye.\n",
    );
    let run = world.run(&["check", "--as", "kode"]);
    let summary = "checked 1 file: 0 errors, 0 warnings, 1 note (1 suppressed by comments)\n";
    assert!(run.out.ends_with(summary), "{}", run.out);
    let world = world.file("callsheet.toml", "rules.unknown-key = \"off\"\n");
    let run = world.run(&["check", "--as", "kode"]);
    let summary = "checked 1 file: nothing to report (1 suppressed by comments, 1 by the configuration)\n";
    assert_eq!((run.code, run.out.as_str()), (Some(0), summary));
}

#[test]
fn comments_can_be_disabled() {
    let text = "---\nname: porter\ndescription: Says bye: to all # callsheet: ignore[unquoted-value]\n---\nSay bye.\n";
    let run = World::new()
        .file(FILE, text)
        .run(&["check", "--as", "kode", "--no-ignore"]);
    let summary = "checked 1 file: 1 error, 0 warnings, 0 notes; 1 fixable with --fix\n";
    assert!(run.code == Some(1) && run.out.ends_with(summary), "{}", run.out);
}

#[test]
fn suppressed_findings_are_not_fixed() {
    let text = "---\nname: porter\ndescription: Says bye: to all # callsheet: ignore[unquoted-value]\n---\nSay bye.\n";
    let world = World::new().file(FILE, text);
    let run = world.run(&["check", "--fix"]);
    assert_eq!(run.code, Some(0), "{}", run.out);
    assert_eq!(world.bytes(FILE), text.as_bytes());
}
