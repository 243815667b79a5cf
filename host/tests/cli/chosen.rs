//! Which findings `check` shows, counts and writes.

use super::world::{Run, World};

const BROKEN: &str = "---\nname: NAME\ndescription: NAME says hello: to all\nzzz: 1\n---\nHello.\n";

/// A dozen agents, each with one warning, which can be fixed, and with one note.
fn world() -> World {
    (10..22).fold(World::new(), |world, number| {
        let name = format!("a{number}");
        world.file(
            &format!(".claude/agents/{name}.md"),
            BROKEN.replace("NAME", &name),
        )
    })
}

fn check(world: &World, options: &[&str]) -> Run {
    world.run(&[&["check", "--no-home"], options].concat())
}

#[test]
fn repeated_findings_are_summarized() {
    let world = world();
    let run = check(&world, &[]);
    assert_eq!(run.out.matches("\n --> ").count(), 5 + 2, "{}", run.out);
    let rest =
        "warning[unquoted-value]: 7 more\n  .claude/agents/a15.md:3:28: unquoted `description` contains";
    assert!(run.out.contains(rest), "{}", run.out);
    assert!(
        run.out.contains("  and 4 more: `--show-all` shows them"),
        "{}",
        run.out
    );
    assert!(
        run.out
            .ends_with("12 warnings, 12 notes; 12 fixable with --fix\n"),
        "{}",
        run.out
    );
    let all = check(&world, &["--show-all"]);
    assert_eq!(all.out.matches("\n --> ").count(), 24, "{}", all.out);
}

#[test]
fn unselected_rules_do_not_count() {
    let world = world();
    for (options, code, count) in [
        (&["--select", "unquoted-value"][..], 1, 12),
        (&["--ignore", "unquoted-value"], 0, 12),
        (&["--ignore", "all"], 0, 0),
        (
            &["--ignore", "all", "--select", "no-frontmatter,unquoted-value"],
            1,
            12,
        ),
        (&["--select", "all", "--severity", "warning"], 1, 12),
        (&["--severity", "error"], 0, 0),
        (&["--exit-zero"], 0, 24),
    ] {
        let run = check(&world, &[options, &["--format", "concise"]].concat());
        assert_eq!(
            (run.code, run.out.lines().count()),
            (Some(code), count),
            "{options:?}: {}",
            run.out
        );
    }
    let unknown = check(&world, &["--select", "unquoted-valu"]);
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown.err.contains("did you mean `unquoted-value`?"),
        "{}",
        unknown.err
    );
}

#[test]
fn only_selected_rules_are_fixed() {
    let world = world();
    let before = world.bytes(".claude/agents/a10.md");
    check(&world, &["--fix", "--ignore", "unquoted-value"]);
    assert_eq!(world.bytes(".claude/agents/a10.md"), before);
    check(&world, &["--fix", "--select", "unquoted-value"]);
    assert_ne!(world.bytes(".claude/agents/a10.md"), before);
}

#[test]
fn findings_are_counted_and_written_to_a_file() {
    let world = world();
    let run = check(&world, &["--statistics"]);
    assert!(run.out.starts_with("    12  "), "{}", run.out);
    assert!(
        run.out.contains("    12  warning  unquoted-value (12 fixable)\n"),
        "{}",
        run.out
    );
    let refused = check(&world, &["--statistics", "--format", "json"]);
    assert_eq!(refused.code, Some(2));
    let path = world.at("report.json");
    let written = check(
        &world,
        &["--format", "json", "--output-file", &path.to_string_lossy()],
    );
    assert_eq!((written.code, written.out.as_str()), (Some(1), ""));
    assert_eq!(
        world.bytes("report.json"),
        check(&world, &["--format", "json"]).out.into_bytes()
    );
    let nowhere = check(&world, &["--output-file", "no/such/folder/report"]);
    assert_eq!(nowhere.code, Some(2));
    assert!(
        nowhere.err.contains("cannot write no/such/folder/report"),
        "{}",
        nowhere.err
    );
}
