//! Fixes: only what has to change, once, and never where they should not.

use super::world::World;

const FILE: &str = ".claude/agents/porter.md";
const PORTER: &[u8] = b"---\nname: porter # a comment\ndescription: Says bye: to all\n---\nSay bye.\n";
const FIXED: &[u8] = b"---\nname: porter # a comment\ndescription: 'Says bye: to all'\n---\nSay bye.\n";

fn porter() -> World {
    World::new().file(FILE, PORTER)
}

#[track_caller]
fn check(before: &[u8], arguments: &[&str], after: &[u8]) {
    let world = World::new().file(FILE, before);
    let arguments = [&["check"], arguments].concat();
    world.run(&arguments);
    let shown = String::from_utf8_lossy;
    assert_eq!(shown(&world.bytes(FILE)), shown(after));
    world.run(&arguments);
    assert_eq!(world.bytes(FILE), after, "once is enough");
}

#[test]
fn only_the_fix_changes_the_file() {
    check(PORTER, &["--fix"], FIXED);
    check(PORTER, &["--fix", FILE], FIXED);
    check(PORTER, &["--diff"], PORTER);
}

#[test]
fn line_endings_and_invalid_utf8_are_kept() {
    check(
        b"---\r\nname: porter\r\ndescription: Says bye: to all\r\n---\r\nSay \xff\xfe bye.",
        &["--fix"],
        b"---\r\nname: porter\r\ndescription: 'Says bye: to all'\r\n---\r\nSay \xff\xfe bye.",
    );
}

#[test]
fn several_fixes_apply_at_once() {
    check(
        b"\xef\xbb\xbf---\nname: porter\ndescription: Says bye: to all\n--- \nSay bye.\n",
        &["--fix"],
        b"---\nname: porter\ndescription: 'Says bye: to all'\n--- \nSay bye.\n",
    );
}

#[test]
fn unsafe_fixes_are_opt_in() {
    let unclosed = b"---\nname: porter\ndescription: Says bye\n\nSay bye.\n";
    let closed = b"---\nname: porter\ndescription: Says bye\n---\n\nSay bye.\n";
    check(unclosed, &["--fix"], unclosed);
    check(unclosed, &["--fix", "--unsafe-fixes"], closed);
}

#[test]
fn the_summary_counts_safe_and_unsafe_fixes() {
    let tools = "---\nname: porter\ndescription: Says bye\ntools: Read, Grepp\n---\nSay bye.\n";
    for (world, expected) in [
        (porter(), "2 warnings, 0 notes; 1 fixable with --fix\n"),
        (
            World::new().file(FILE, tools),
            "1 warning, 0 notes; 1 fixable with --fix --unsafe-fixes\n",
        ),
        (
            porter().file(".claude/agents/other.md", tools.replace("porter", "other")),
            "3 warnings, 0 notes; 1 fixable with --fix, 1 more with --unsafe-fixes\n",
        ),
    ] {
        let out = world.run(&["check"]).out;
        assert!(out.ends_with(expected), "{out}");
    }
}

#[test]
fn applied_fixes_and_remaining_findings_are_printed() {
    let run = porter().run(&["check", "--fix"]);
    let expected = "fixed .claude/agents/porter.md\n  unquoted-value: Quote the value\n\n\
                    checked 1 file: nothing to report\n";
    assert_eq!((run.code, run.out.as_str()), (Some(0), expected), "{}", run.err);
    let broken = porter().file(
        ".claude/agents/broken.md",
        "---\ndescription: Porter\n---\nHello.\n",
    );
    let run = broken.run(&["check", "--fix", "--format", "concise", "--as", "claude-code"]);
    assert_eq!(run.code, Some(1));
    let expected = ".claude/agents/porter.md: fixed[unquoted-value]: Quote the value\n\
                    .claude/agents/broken.md:1:1: error[missing-field]: `name` is missing\n";
    assert_eq!(run.out, expected);
}

#[test]
fn json_lists_what_was_fixed() {
    let run = porter().run(&["check", "--fix", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("it is JSON");
    let expected = serde_json::json!([
        {"path": FILE, "rule": "unquoted-value", "title": "Quote the value", "safe": true}
    ]);
    assert_eq!(document["fixed"], expected);
    assert_eq!(document["diagnostics"], serde_json::json!([]));
    let run = porter().run(&["check", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("it is JSON");
    assert_eq!(document.get("fixed"), None);
}

#[test]
fn a_diff_writes_nothing_and_exits_like_check() {
    let world = porter().file("agents/crlf.md", b"---\r\nname: x: y\r\n---\r\n\x1b[2J");
    let run = world.run(&["check", "--diff", FILE]);
    let expected = "--- .claude/agents/porter.md\n+++ .claude/agents/porter.md\n\
                    @@ -1,5 +1,5 @@\n ---\n name: porter # a comment\n\
                    -description: Says bye: to all\n+description: 'Says bye: to all'\n ---\n Say bye.\n";
    assert_eq!((run.code, run.out.as_str()), (Some(1), expected));
    assert_eq!(world.bytes(FILE), PORTER);
    let run = world.run(&["check", "--diff", "agents/crlf.md", "--as", "claude-code"]);
    assert!(run.out.contains("+name: 'x: y'\r\n"), "{:?}", run.out);
    assert!(
        run.out.ends_with(" ␛[2J\n\\ No newline at end of file\n"),
        "{:?}",
        run.out
    );
}

#[test]
fn inline_agents_are_not_fixed() {
    let inline = r#"{"porter": {"description": ""}}"#;
    let run = World::new().run(&["check", "--fix", "--agents", inline, "--as", "claude-code"]);
    assert!(!run.out.contains("fixed"), "{}", run.out);
}

#[test]
fn conflicting_options_are_refused() {
    for (arguments, expected) in [
        (&["--unsafe-fixes"][..], "<--fix|--diff>"),
        (&["--fix", "--diff"], "cannot be used with"),
        (&["--diff", "--format", "json"], "supports no other format"),
    ] {
        let run = porter().run(&[&["check"], arguments].concat());
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains(expected), "{}", run.err);
    }
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn permissions_are_kept_and_no_temporary_files_are_left() {
        let world = porter();
        fs::set_permissions(world.at(FILE), fs::Permissions::from_mode(0o640)).expect("it is ours");
        world.run(&["check", "--fix"]);
        let metadata = fs::metadata(world.at(FILE)).expect("it is there");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o640);
        let beside = fs::read_dir(world.at(".claude/agents")).expect("a directory");
        assert_eq!(beside.count(), 1);
    }

    #[test]
    fn a_link_within_the_project_stays_a_link() {
        let world = World::new()
            .file("shared/porter.md", PORTER)
            .file(".claude/agents/.keep", "");
        symlink("../../shared/porter.md", world.at(FILE)).expect("a link");
        let run = world.run(&["check", "--fix"]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
        assert!(world.at(FILE).is_symlink());
        assert_eq!(world.bytes("shared/porter.md"), FIXED);
    }

    #[test]
    fn links_out_of_the_project_are_not_followed() {
        let other = porter();
        let world = World::new().file(".claude/agents/.keep", "");
        symlink(other.at(FILE), world.at(FILE)).expect("a link");
        for arguments in [&["--follow-links"][..], &[FILE]] {
            let run = world.run(&[&["check", "--fix"], arguments].concat());
            assert_eq!(run.code, Some(2), "{}", run.out);
            let expected = "error: cannot write .claude/agents/porter.md: it is a link that leads out, to ";
            assert!(run.err.starts_with(expected), "{}", run.err);
            assert_eq!(other.bytes(FILE), PORTER);
            assert!(run.out.contains("unquoted-value"), "{}", run.out);
        }
    }
}

#[test]
fn files_outside_the_project_are_fixed_only_by_name() {
    let world = porter();
    let home = world.at("../home/.claude/agents/guard.md");
    std::fs::create_dir_all(home.parent().expect("a file is in a directory")).expect("a directory");
    std::fs::write(&home, PORTER).expect("a file");
    let run = world.run(&["check", "--fix"]);
    assert_eq!(
        run.err,
        "note: 1 file outside the project is only fixed by name, such as `callsheet check --fix ~/.claude/agents`\n"
    );
    assert_eq!(
        (world.bytes(FILE), std::fs::read(&home).expect("it is there")),
        (FIXED.to_vec(), PORTER.to_vec())
    );
    let path = home.to_string_lossy().into_owned();
    let run = world.run(&["check", "--fix", &path]);
    let real = home.canonicalize().expect("it is there");
    assert_eq!(
        run.err,
        format!(
            "note: {} is outside the project: other projects may read it, too\n",
            real.display()
        )
    );
    assert_eq!(std::fs::read(&home).expect("it is there"), FIXED);
}
