//! Where commands read and write that are started below the project's root, or are given a directory.

use super::world::{Run, World};

const OWN: &str = ".claude/agents/porter.md";
const BELOW: &str = "packages/a/.claude/agents/guide.md";

/// A repository with a directory below it, and a package with a tool's folder.
fn world() -> World {
    let agent = |name: &str| {
        format!("---\nname: {name}\ndescription: Says bye: to all\ntools: Read\n---\nSay bye.\n")
    };
    World::new()
        .file(".git/HEAD", "")
        .file(OWN, agent("porter"))
        .file(BELOW, agent("guide"))
        .file("src/deep/main.rs", "")
}

fn run_in(world: &World, directory: &str, arguments: &[&str]) -> Run {
    let mut command = world.callsheet(arguments);
    command.current_dir(world.at(directory));
    Run::from(command.output().expect("the program starts"))
}

#[track_caller]
fn wrote(world: &World, directory: &str, arguments: &[&str], file: &str) {
    let run = run_in(world, directory, arguments);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(world.at(file).is_file(), "{arguments:?}: {}", run.out);
}

#[test]
fn new_files_are_in_the_project() {
    let world = world();
    let new = [
        "new",
        "greeter",
        "--description",
        "Says hello to all",
        "--prompt",
        "Say hello.",
    ];
    wrote(&world, "src/deep", &new, ".claude/agents/greeter.md");
    let convert = ["convert", "greeter", "--to", "copilot", "--write"];
    wrote(&world, "src/deep", &convert, ".github/agents/greeter.agent.md");
    let again = ["convert", "../../.claude/agents", "--to", "opencode", "--write"];
    wrote(&world, "src/deep", &again, ".opencode/agents/greeter.md");
    wrote(&world, ".claude/agents", &["init"], "callsheet.toml");
    let below = [
        "new",
        "waiter",
        "--description",
        "Serves the guests",
        "--prompt",
        "Serve them.",
        "--as",
        "claude-code",
    ];
    wrote(
        &world,
        "packages/a",
        &below,
        "packages/a/.claude/agents/waiter.md",
    );
}

#[test]
fn a_directory_is_all_that_is_checked() {
    let world = world();
    let before = world.bytes(OWN);
    for (directory, path) in [
        (".", "packages/a"),
        (".", "packages/a/"),
        ("packages/a", "."),
        ("packages", "a"),
    ] {
        let run = run_in(&world, directory, &["check", path, "--format", "concise"]);
        assert_eq!(run.out.lines().count(), 1, "{directory} {path}: {}", run.out);
        assert!(run.out.contains("guide.md:3:"), "{directory} {path}: {}", run.out);
    }
    let fixed = run_in(&world, ".", &["check", "--fix", "packages/a"]);
    assert_eq!(fixed.code, Some(0), "{}", fixed.out);
    assert_eq!(world.bytes(OWN), before);
    let commented = run_in(&world, ".", &["check", "--add-ignore", "packages/a"]);
    assert_eq!(commented.code, Some(0), "{}", commented.out);
    assert_eq!(world.bytes(OWN), before);
}

#[test]
fn a_named_directory_must_be_there() {
    let world = world();
    for option in [["--agents-dir", "nowhere"], ["--plugin", "x=nowhere"]] {
        let run = world.run(&[&["list"], &option[..]].concat());
        assert_eq!(
            (run.code, &*run.err),
            (Some(2), "error: directory not found: nowhere\n")
        );
    }
}

#[test]
fn accepted_findings_stay_accepted_wherever_the_command_runs() {
    let world = world();
    let written = run_in(&world, "", &["check", "--baseline", "accepted.json"]);
    assert_eq!(written.code, Some(0), "{}", written.err);
    for (directory, file) in [
        ("src/deep", "../../accepted.json"),
        (".claude", "../accepted.json"),
    ] {
        let run = run_in(&world, directory, &["check", "--baseline", file]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
        assert!(
            run.out.ends_with("(2 suppressed by the baseline)\n"),
            "{directory}: {}",
            run.out
        );
    }
}

/// Platforms know files by their paths in the repository.
#[test]
fn reports_for_platforms_do_not_depend_on_the_directory() {
    let world = world();
    for format in ["sarif", "gitlab", "github"] {
        let arguments = ["check", "--format", format];
        let whole = run_in(&world, "", &arguments);
        assert!(whole.out.contains(BELOW), "{}", whole.out);
        for directory in ["src/deep", ".claude/agents"] {
            assert_eq!(run_in(&world, directory, &arguments).out, whole.out);
        }
        let named = run_in(
            &world,
            "packages/a",
            &[&arguments[..], &[".claude/agents/guide.md"]].concat(),
        );
        assert!(
            named.out.contains(BELOW) && !named.out.contains(OWN),
            "{}",
            named.out
        );
    }
}
