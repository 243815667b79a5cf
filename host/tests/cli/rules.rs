//! The rules and their pages.

use serde_json::Value;

use super::world::World;

#[test]
fn every_rule_is_listed_and_explained() {
    let world = World::new();
    let run = world.run(&["rules", "--format", "json"]);
    let document: Value = serde_json::from_str(&run.out).expect("it is JSON");
    let rules = document["rules"].as_array().expect("it is a list");
    let listed = world.run(&["rules", "--format", "concise"]).out;
    assert_eq!(listed.lines().count(), rules.len());
    for rule in rules {
        let name = rule["name"].as_str().expect("it is a text");
        let run = world.run(&["explain", name, "--format", "json"]);
        let one: Value = serde_json::from_str(&run.out).expect("it is JSON");
        assert_eq!((run.code, &one["rule"]), (Some(0), rule));
    }
}

#[test]
fn a_page_fits_the_terminal() {
    let world = World::new();
    let mut command = world.callsheet(&["explain", "unquoted-value"]);
    let out = command
        .env("COLUMNS", "60")
        .output()
        .expect("the program starts")
        .stdout;
    let out = String::from_utf8(out).expect("it is UTF-8");
    assert!(
        out.starts_with("unquoted-value: A value that must be quoted.\n"),
        "{out}"
    );
    assert!(out.lines().all(|line| line.chars().count() <= 60), "{out}");
    assert!(out.contains("\n    description: "), "{out}");
}

#[test]
fn a_misspelled_rule_suggests_the_nearest() {
    let run = World::new().run(&["explain", "unquoted_vaule"]);
    let expected = "error: unknown rule `unquoted_vaule`; did you mean `unquoted-value`?\n\
                    help: run `callsheet rules` for the list\n";
    assert_eq!((run.code, run.err.as_str()), (Some(2), expected));
}
