//! Files that `check` skips, and files that only standard input has.

use std::io::Write as _;
use std::process::{Command, Stdio};

use super::world::{Run, World};

const AGENT: &str = "---\nname: NAME\ndescription: Reviews changes as NAME\ntools: [Read\n---\nReview.\n";

fn agent(name: &str) -> String {
    AGENT.replace("NAME", name)
}

/// A repository in which git ignores one agent, and an `exclude` covers another.
fn world() -> World {
    let world = World::new()
        .file(".claude/agents/kept.md", agent("kept"))
        .file(".claude/agents/local.md", agent("local"))
        .file(".claude/agents/old/legacy.md", agent("legacy"))
        .file("callsheet.toml", "exclude = [\".claude/agents/old\"]\n")
        .file(".gitignore", "local*\n!local-not.md\n");
    let init = Command::new("git")
        .args(["init", "-q"])
        .arg(world.at(""))
        .status();
    assert!(init.expect("there is a `git`").success());
    world
}

fn checked(run: &Run) -> Vec<&str> {
    let files = run.out.lines().filter_map(|line| line.split(':').next());
    let mut files: Vec<&str> = files.collect();
    files.dedup();
    files
}

#[test]
fn excluded_and_ignored_files_are_skipped_and_counted() {
    let world = world();
    let run = world.run(&["check", "--format", "concise"]);
    assert_eq!(
        (run.code, checked(&run)),
        (Some(1), vec![".claude/agents/kept.md"])
    );
    let note = "note: skipped 2 files (1 excluded, 1 ignored by git); \
                name them to check them: `callsheet check .claude/agents/local.md`\n";
    assert_eq!(run.err, note);
    // An agent that is not checked can still be active.
    let list = world.run(&["list", "--format", "concise"]);
    assert!(list.out.contains("local.md"), "{}", list.out);
}

#[test]
fn named_files_are_checked() {
    let world = world();
    for (named, files) in [
        (".claude/agents/local.md", &[".claude/agents/local.md"][..]),
        (".claude/agents/old", &[".claude/agents/old/legacy.md"]),
        // The directory is not skipped, so that files skipped in it stay skipped.
        (".claude/agents", &[".claude/agents/kept.md"]),
    ] {
        let run = world.run(&["check", "--format", "concise", named]);
        assert_eq!((run.code, checked(&run)), (Some(1), files.to_vec()), "{named}");
    }
}

#[test]
fn files_in_an_ignored_directory_stay_ignored() {
    let world = world()
        .file(".gitignore", "/.claude/\n!kept.md\n")
        .file(".claude/.gitignore", "!*\n");
    let run = world.run(&["check", "--format", "concise"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""));
    assert!(
        run.err.contains("skipped 3 files (1 excluded, 2 ignored by git)"),
        "{}",
        run.err
    );
    let named = world.run(&["check", "--format", "concise", ".claude"]);
    assert_eq!(
        checked(&named),
        [".claude/agents/kept.md", ".claude/agents/local.md"]
    );
}

#[test]
fn skipped_files_are_not_fixed() {
    let world = world().file(
        ".claude/agents/local.md",
        agent("local").replace("[Read", "[Read]\n\tx: 1"),
    );
    let before = world.bytes(".claude/agents/local.md");
    world.run(&["check", "--fix", "--unsafe-fixes"]);
    assert_eq!(world.bytes(".claude/agents/local.md"), before);
}

#[test]
fn a_bad_pattern_is_located() {
    let run = World::new()
        .file("callsheet.toml", "exclude = [\"a[\"]\n")
        .run(&["check"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.err
            .contains("callsheet.toml:1:12: `a[` is not a path pattern"),
        "{}",
        run.err
    );
}

fn check_input(world: &World, arguments: &[&str], input: &str) -> Run {
    let mut command = world.callsheet(&[&["check"], arguments].concat());
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    Run::from(child.wait_with_output().expect("it ends"))
}

const UNQUOTED: &str = "---\nname: kept\ndescription: Reviews: all\ntools: Read\n---\nReview.\n";

#[test]
fn standard_input_replaces_a_file() {
    let world = world();
    // The saved file has another error. Neither the link to it nor an absolute path matters.
    let path = world.at(".claude/agents/kept.md");
    for name in [".claude/agents/kept.md", &path.to_string_lossy()] {
        let run = check_input(
            &world,
            &["-", "--stdin-filename", name, "--format", "concise"],
            UNQUOTED,
        );
        assert!(
            run.out
                .starts_with(".claude/agents/kept.md:3:21: warning[unquoted-value]"),
            "{}",
            run.out
        );
        assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    }
    // A file that does not exist yet is checked under its future path.
    let name = [".claude/agents/new.md"];
    let run = check_input(
        &world,
        &["--format", "concise", "--stdin-filename", name[0]],
        UNQUOTED,
    );
    let found: Vec<&str> = run
        .out
        .lines()
        .filter(|line| line.contains("duplicate-name"))
        .collect();
    assert_eq!((run.code, found.len()), (Some(1), 0), "{}", run.out);
    assert!(
        run.out.contains("new.md:3:21: warning[unquoted-value]"),
        "{}",
        run.out
    );
    assert!(!world.at(name[0]).exists());
    // Nor need its folders exist.
    let deeper = ".claude/agents/team/new.md";
    let run = check_input(
        &world,
        &["--format", "concise", "--stdin-filename", deeper],
        UNQUOTED,
    );
    assert!(
        run.out.contains("team/new.md:3:21: warning[unquoted-value]"),
        "{}",
        run.out
    );
    assert!(!world.at(".claude/agents/team").exists());
}

#[cfg(unix)]
#[test]
fn an_excerpt_shows_the_input_behind_a_linked_folder() {
    let world = World::new()
        .file(
            "shared/agents/kept.md",
            UNQUOTED.replace("Reviews: all", "Another text"),
        )
        .file(".claude/settings.json", "{}");
    std::os::unix::fs::symlink("../shared/agents", world.at(".claude/agents")).expect("a link");
    let name = ".claude/agents/kept.md";
    let run = check_input(&world, &["-", "--stdin-filename", name], UNQUOTED);
    assert!(run.out.contains("3 | description: Reviews: all\n"), "{}", run.out);
}

#[test]
fn the_fixed_file_is_printed() {
    let world = world();
    let saved = world.bytes(".claude/agents/kept.md");
    let options = ["-", "--fix", "--stdin-filename", ".claude/agents/kept.md"];
    let run = check_input(&world, &options, UNQUOTED);
    assert_eq!(run.out, UNQUOTED.replace("Reviews: all", "'Reviews: all'"));
    assert!(
        run.err.contains("checked 1 file: nothing to report"),
        "{}",
        run.err
    );
    assert_eq!(run.code, Some(0));
    let clean = check_input(&world, &options, &run.out);
    assert_eq!(clean.out, run.out);
    assert_eq!(world.bytes(".claude/agents/kept.md"), saved);
}

#[test]
fn standard_input_needs_a_path() {
    let world = world();
    for (arguments, message) in [
        (&["-"][..], "standard input needs a path"),
        (&["-", "a.md"], "cannot be checked together with files"),
        (
            &["a.md", "--stdin-filename", "b.md"],
            "cannot be checked together with files",
        ),
        (
            &["--stdin-filename", ".claude/agents/kept.md/b.md"],
            "cannot read .claude/agents/kept.md/b.md",
        ),
        (&["--stdin-filename", "b.md", "--watch"], "cannot be used with"),
    ] {
        let run = check_input(&world, arguments, UNQUOTED);
        assert_eq!(run.code, Some(2), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(message), "{arguments:?}: {}", run.err);
    }
    let unowned = check_input(&world, &["-", "--stdin-filename", "notes.md"], UNQUOTED);
    assert_eq!(unowned.code, Some(0));
    assert!(
        unowned.err.contains("notes.md is in no tool's agents folder"),
        "{}",
        unowned.err
    );
}
