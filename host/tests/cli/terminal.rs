//! Color, width, hostile text and readers that go away.

use std::process::Stdio;

use super::world::{Run, World};

const HOSTILE: &str = "---\nname: hostile\ndescription: \"a \\e[31mred\\e[0m \\x9b31m \\u202e word\"\nkey: \"\\x07\"\n---\n\x1b[2J gone\n";
const LONG: &str = "---\nname: reviewer-of-everything-there-is\ndescription: Reviews all the code there is, and then says \
                    what it thinks of it at a length that no terminal holds\ntools: Read, Grep, Glob, Bash\n---\nReview.\n";

fn world() -> World {
    World::new()
        .file(".claude/agents/hostile.md", HOSTILE)
        .file(".claude/agents/long.md", LONG)
        .file(".claude/agents/broken.md", "---\ndescription: Porter\n---\n")
}

fn run(arguments: &[&str], environment: &[(&str, &str)]) -> Run {
    let world = world();
    let output = world
        .callsheet(arguments)
        .envs(environment.iter().copied())
        .output();
    Run::from(output.expect("the program starts"))
}

#[test]
fn color_can_be_forced_and_disabled() {
    let colored = |arguments: &[&str], environment| run(arguments, environment).out.contains("\x1b[");
    for command in ["list", "check"] {
        assert!(!colored(&[command], &[]));
        assert!(colored(&[command, "--color", "always"], &[]));
        assert!(colored(&[command], &[("CLICOLOR_FORCE", "1")]));
        assert!(!colored(
            &[command],
            &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]
        ));
        assert!(!colored(
            &[command, "--color", "never"],
            &[("CLICOLOR_FORCE", "1")]
        ));
    }
}

#[test]
fn tables_fit_the_terminal() {
    for (stated, columns) in [
        (&[][..], 80),
        (&[("COLUMNS", "40")], 40),
        (&[("COLUMNS", "120")], 120),
    ] {
        for arguments in [
            &["list"][..],
            &["list", "--all"],
            &["inventory"],
            &["dialects"],
            &["dialects", "kode"],
        ] {
            for line in run(arguments, stated).out.lines() {
                assert!(
                    line.chars().count() <= columns,
                    "{arguments:?} at {columns}: {line}"
                );
            }
        }
    }
}

#[test]
fn a_narrow_list_keeps_names_and_descriptions() {
    let run = run(&["list", "--as", "neovate"], &[("COLUMNS", "40")]);
    assert!(
        run.out.contains("NAME                  DESCRIPTION\n"),
        "{}",
        run.out
    );
}

#[test]
fn files_cannot_send_control_sequences() {
    let commands: [&[&str]; 7] = [
        &["list", "--all"],
        &["check"],
        &["show", "hostile", "--prompt", "--as", "claude-code"],
        &["why", "hostile"],
        &["search", "word"],
        &["inventory"],
        &["check", ".claude/agents"],
    ];
    for format in ["text", "concise", "json", "sarif", "github", "gitlab"] {
        let known =
            |command: &&&[&str]| command[0] == "check" || matches!(format, "text" | "concise" | "json");
        for command in commands.iter().filter(known) {
            let run = run(&[*command, &["--format", format]].concat(), &[]);
            let obeyed =
                |character: char| character.is_control() && character != '\n' || character == '\u{202e}';
            assert!(!run.out.contains(obeyed), "{format} {command:?}: {:?}", run.out);
        }
    }
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
    let world = world();
    for command in ["list", "check", "dialects"] {
        let mut child = world
            .callsheet(&[command])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let run = Run::from(child.wait_with_output().expect("the program ends"));
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    }
}
