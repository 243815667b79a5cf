//! How the program ends: 0 all is well, 1 findings or nothing found, 2 it could not be done.

use super::world::World;

const GOOD: &str = "---\nname: reviewer\ndescription: Reviews code\n---\nReview the code.\n";
const BROKEN: &str = "---\ndescription: Porter\n---\nHello.\n";

fn one_good() -> World {
    World::new().file(".claude/agents/reviewer.md", GOOD)
}

fn one_broken() -> World {
    one_good().file(".claude/agents/broken.md", BROKEN)
}

#[test]
fn no_findings_exit_with_0() {
    let run = one_good().run(&["check", ".claude/agents"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(0), "checked 1 file: nothing to report\n")
    );
    assert_eq!(run.err, "");
}

#[test]
fn findings_exit_with_1() {
    let run = one_broken().run(&["check", "--format", "concise", "--as", "claude-code"]);
    assert_eq!(run.code, Some(1));
    let line = ".claude/agents/broken.md:1:1: error[missing-field]: `name` is missing\n";
    assert!(run.out.contains(line), "{}", run.out);
}

#[test]
fn a_missing_path_hides_no_findings() {
    let run = one_broken().run(&["check", "nowhere.md", ".claude/agents", "--format", "concise"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.err.starts_with("error: cannot read nowhere.md: "),
        "{}",
        run.err
    );
    assert!(run.out.contains("missing-field"), "{}", run.out);
}

#[test]
fn an_unknown_command_suggests_the_nearest() {
    let run = one_good().run(&["chekc"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.err.contains("a similar subcommand exists: 'check'"),
        "{}",
        run.err
    );
}

#[test]
fn an_unknown_dialect_suggests_the_nearest() {
    for arguments in [["list", "--as", "claud-code"], ["check", "--as", "claud-code"]] {
        let run = one_good().run(&arguments);
        assert_eq!(run.code, Some(2));
        let expected = "error: unknown dialect `claud-code`; did you mean `claude-code`?\n\
                        help: run `callsheet dialects` for the list\n";
        assert_eq!(run.err, expected);
    }
}

#[test]
fn an_unknown_agent_suggests_the_nearest() {
    for command in ["show", "why"] {
        let run = one_good().run(&[command, "reviewr", "--as", "claude-code"]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
        let expected = "error: no active agent `reviewr` in claude-code\n\
                        help: did you mean `reviewer` (.claude/agents/reviewer.md)?\n\
                        help: claude-code says: Agent type 'reviewr' not found. Available agents: Explore, Plan, general-purpose, reviewer\n";
        assert_eq!(run.err, expected);
    }
}

#[test]
fn a_broken_agent_refers_to_why() {
    let run = one_broken().run(&["show", "broken", "--as", "claude-code"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.contains("help: `callsheet why broken` explains why"),
        "{}",
        run.err
    );
}

#[test]
fn a_query_without_matches_exits_with_1() {
    let run = one_good().run(&["search", "zzzzzzzz"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert!(
        run.err.starts_with("error: no active agent matches `zzzzzzzz`\n"),
        "{}",
        run.err
    );
}

#[test]
fn a_project_with_only_settings_was_checked() {
    let world = World::new()
        .file(".claude/settings.json", "{}")
        .file("CLAUDE.md", "Read me.");
    let run = world.run(&["check"]);
    assert_eq!(
        (run.code, &*run.out),
        (Some(0), "checked 2 files: nothing to report\n"),
        "{}",
        run.err
    );
    let run = world.run(&["check", "CLAUDE.md"]);
    assert_eq!(
        (run.code, &*run.out, &*run.err),
        (Some(0), "checked 1 file: nothing to report\n", "")
    );
}

#[test]
fn an_empty_project_shows_the_searched_folders() {
    let run = World::new().run(&["list"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    for directory in [".claude/agents", "~/.kode/agents", ".openhands/agents"] {
        assert!(run.out.contains(directory), "{}", run.out);
    }
    let check = World::new().run(&["check"]);
    assert_eq!(check.code, Some(0));
    assert!(check.out.starts_with("nothing to check"), "{}", check.out);
}

#[test]
fn inline_agents_need_a_dialect_and_valid_json() {
    let run = World::new().run(&["list", "--agents", "{}"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("`--as claude-code`"), "{}", run.err);
    let run = World::new().run(&["list", "--agents", "{", "--as", "claude-code"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("--agents '{"), "{}", run.err);
}

#[test]
fn missing_files_are_reported() {
    let world = one_good();
    let run = world.run(&["check", "nowhere.md"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    let run = world.run(&["convert", "nowhere.md", "--to", "codex"]);
    assert_eq!(
        (run.code, run.err.as_str()),
        (Some(2), "error: file not found: nowhere.md\n")
    );
    let run = world.run(&["convert", "nowhere.md", "--to", "codx"]);
    assert!(run.err.contains("did you mean `codex`?"), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn pipes_and_broken_links_are_reported() {
    let world = one_good();
    let agents = world.at(".claude/agents");
    let pipe = std::process::Command::new("mkfifo")
        .arg(agents.join("pipe.md"))
        .status();
    assert!(pipe.expect("there is mkfifo").success());
    std::os::unix::fs::symlink("nowhere", agents.join("link.md")).expect("links can be made");
    for arguments in [
        &["check", "--format", "concise"][..],
        &["check", ".", "--format", "concise"],
    ] {
        let run = world.run(arguments);
        assert_eq!(run.code, Some(1));
        for rule in [
            "link.md:1:1: warning[unfollowed-link]",
            "pipe.md:1:1: error[unreadable-file]",
        ] {
            assert!(run.out.contains(rule), "{}", run.out);
        }
    }
}

#[test]
fn the_summary_counts_findings_without_files() {
    let world = World::new().file(".codex/agents/keeper.md", GOOD);
    let run = world.run(&["check"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.starts_with("note[unread-file]"), "{}", run.out);
    assert!(
        run.out
            .ends_with("checked 0 files: 0 errors, 0 warnings, 1 note\n"),
        "{}",
        run.out
    );
}

/// Its target is not read, not even to find the owner.
#[test]
#[cfg(unix)]
fn a_linked_agents_folder_outside_is_not_followed() {
    let outside = World::new().file("agents/one.md", GOOD);
    let world = one_good();
    std::os::unix::fs::symlink(outside.at("agents"), world.at("agents")).expect("links can be made");
    let run = world.run(&["list", "--format", "json"]);
    assert!(!run.out.contains("\"dialect\": \"kodelet\""), "{}", run.out);
    assert!(!run.out.contains("one.md"), "{}", run.out);
}

#[test]
fn compiled_files_are_changed_in_their_source() {
    let world = World::new()
        .file(
            "callsheet.toml",
            "[build]\nfrom = \"agents\"\nto = [\"claude-code\"]\n",
        )
        .file(
            "agents/rust.md",
            "---\nname: rust\ndescription: Reviews Rust.\n---\n\nYou know Rust.\n",
        )
        .file(
            ".claude/agents/plain.md",
            "---\nname: plain\ndescription: Reviews text.\n---\n\nYou know text.\n",
        );
    assert_eq!(world.run(&["build"]).code, Some(0));
    for command in [
        &["edit", "rust", "--set", "model=haiku"][..],
        &["rename", "rust", "other"],
        &["rm", "rust", "--yes"],
    ] {
        let run = world.run(command);
        let expected = "error: .claude/agents/rust.md is compiled from agents/rust.md\nhelp: change agents/rust.md, then run `callsheet build`\n";
        assert_eq!((run.code, run.err.as_str()), (Some(2), expected), "{command:?}");
    }
    assert_eq!(
        world.run(&["edit", "plain", "--set", "model=haiku"]).code,
        Some(0)
    );
    assert_eq!(world.run(&["build", "--check"]).code, Some(0));
}

#[test]
fn what_a_command_does_not_support_is_said() {
    let world = one_good()
        .file(
            ".claude/skills/tea/SKILL.md",
            "---\nname: tea\ndescription: Makes tea.\n---\n\nBoil water.\n",
        )
        .file(
            ".opencode/agents/asks.md",
            "---\ndescription: Asks.\npermission:\n  bash: ask\n---\n\nAsk.\n",
        );
    for (command, message) in [
        (
            &["rm", "skill:tea", "--yes"][..],
            "error: `rm` does not support skills\n",
        ),
        (
            &["copy", "skill:tea", "--to", "user"],
            "error: `copy` does not support skills\n",
        ),
        (
            &["convert", ".claude/skills", "--to", "skill:kode"],
            "error: no rules are known for skills of kode\n",
        ),
        (
            &["edit", "asks", "--set", "permission.bash=deny"],
            "keys inside a field cannot be set",
        ),
    ] {
        let run = world.run(command);
        assert_eq!(run.code, Some(2), "{command:?}: {}", run.err);
        assert!(run.err.contains(message), "{command:?}: {}", run.err);
    }
}

#[test]
fn output_replaces_no_file_that_is_read() {
    const OWN: &str = ".claude/agents/reviewer.md";
    const CONFIG: &str = "[rules]\nunknown-key = \"off\"\n";
    let world = one_good()
        .file("CLAUDE.md", "Be kind.\n")
        .file("callsheet.toml", CONFIG);
    for (command, file, text) in [
        (&["check"][..], OWN, GOOD),
        (&["check", "--readers"], OWN, GOOD),
        (&["inventory"], OWN, GOOD),
        (&["check"], "CLAUDE.md", "Be kind.\n"),
        (&["check"], "callsheet.toml", CONFIG),
    ] {
        let run = world.run(&[command, &["--output-file", file]].concat());
        let message = format!("error: {file} is one of the files that are read\n");
        assert_eq!(run.code, Some(2), "{command:?} {file}: {}", run.err);
        assert!(run.err.contains(&message), "{command:?} {file}: {}", run.err);
        assert_eq!(world.bytes(file), text.as_bytes(), "{command:?}");
    }
}

#[test]
fn a_report_is_replaced_only_by_another() {
    let world = one_good().file("report.json", "kept");
    let report = || std::fs::read_to_string(world.at("report.json")).expect("it is there");
    let failed = world.run(&[
        "check",
        "--output-file",
        "report.json",
        "--format",
        "json",
        "--baseline",
        ".claude",
    ]);
    assert_eq!((failed.code, &*report()), (Some(2), "kept"), "{}", failed.err);
    let failed = world.run(&["check", "--output-file", "new", "--baseline", ".claude"]);
    assert_eq!(
        (failed.code, world.at("new").exists()),
        (Some(2), false),
        "{}",
        failed.err
    );
    let run = world.run(&["check", "--output-file", "report.json", "--format", "json"]);
    assert!(run.code == Some(0) && report().starts_with('{'), "{}", report());
}

#[test]
fn a_folder_inside_a_project_is_said_to_be_one() {
    let world = one_good()
        .file("callsheet.toml", "")
        .file("src/deep/notes.txt", "");
    let inside = |arguments: &[&str]| {
        let mut command = world.callsheet(arguments);
        let output = command
            .current_dir(world.at("src/deep"))
            .output()
            .expect("the program starts");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let note = "this folder is inside the project ../..";
    for command in [&["list"][..], &["show", "missing"]] {
        assert!(inside(command).contains(note), "{}", inside(command));
        assert!(!world.run(command).err.contains(note));
    }
}

/// Skipped for root, who can read everything.
#[cfg(unix)]
#[test]
fn unreadable_directories_are_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = one_good();
    let agents = world.at(".claude/agents");
    let set = |mode| std::fs::set_permissions(&agents, std::fs::Permissions::from_mode(mode));
    set(0o000).expect("it is ours");
    let run = std::fs::read_dir(&agents).is_err().then(|| world.run(&["list"]));
    set(0o700).expect("it is ours");
    match run {
        None => eprintln!("skipped: this user can read every directory"),
        Some(run) => assert!(
            run.code == Some(2) && run.err.contains("cannot read the directory .claude/agents"),
            "{}",
            run.err
        ),
    }
}
