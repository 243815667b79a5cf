//! `check --add-ignore`: comments for the problems found, in the files of the project.

use super::world::World;

const FILE: &str = ".claude/agents/porter.md";
const PORTER: &str =
    "---\nname: porter\ndescription: Says bye: to all\ntools: Grepp\neffort: big\n---\nSay bye.\n";

#[test]
fn comments_suppress_the_problems() {
    let world = World::new().file(FILE, PORTER);
    let run = world.run(&["check", "--add-ignore"]);
    assert_eq!(run.err, "note: added comments to 1 file\n");
    let summary = "checked 1 file: nothing to report (3 suppressed by comments)\n";
    assert_eq!((run.code, &*run.out), (Some(0), summary));
    let commented = world.bytes(FILE);
    let expected = "---\nname: porter\n# callsheet: ignore[unquoted-value]\ndescription: Says bye: to all\n\
                    # callsheet: ignore[unknown-tool]\ntools: Grepp\n# callsheet: ignore[unknown-value]\neffort: big\n---\nSay bye.\n";
    assert_eq!(String::from_utf8_lossy(&commented), expected);
    let run = world.run(&["check", "--add-ignore"]);
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    assert_eq!(world.bytes(FILE), commented, "once is enough");
}

#[test]
fn only_selected_problems_are_suppressed() {
    let world = World::new()
        .file(FILE, PORTER)
        .file("callsheet.toml", "[rules]\nunknown-tool = \"off\"\n")
        .file("kept/.claude/agents/porter.md", PORTER);
    let run = world.run(&["check", "--add-ignore", "--ignore", "unquoted-value", ".claude"]);
    assert_eq!(run.code, Some(0), "{}", run.out);
    let expected = PORTER.replace("effort", "# callsheet: ignore[unknown-value]\neffort");
    assert_eq!(String::from_utf8_lossy(&world.bytes(FILE)), expected);
    assert_eq!(world.bytes("kept/.claude/agents/porter.md"), PORTER.as_bytes());
}

#[test]
fn the_home_directory_is_left_alone() {
    let world = World::new();
    let home = world.at("../home/.claude/agents/porter.md");
    std::fs::create_dir_all(home.parent().expect("a file is in a directory")).expect("a directory");
    std::fs::write(&home, PORTER).expect("a file");
    assert_eq!(world.run(&["check", "--add-ignore"]).code, Some(0));
    assert_eq!(std::fs::read_to_string(&home).expect("it is there"), PORTER);
}

#[test]
fn problems_between_files_are_suppressed() {
    let twin = "---\nname: porter\ndescription: Says bye\n---\nSay bye.\n";
    let world = World::new().file(FILE, twin).file(".claude/agents/twin.md", twin);
    let run = world.run(&["check", "--add-ignore"]);
    assert_eq!(run.code, Some(0), "{}", run.out);
    assert!(run.err.starts_with("note: added comments to "), "{}", run.err);
    assert_eq!(world.run(&["check"]).code, Some(0));
}

#[test]
fn settings_manifests_and_instructions_have_no_comments() {
    let files = [
        (".claude/settings.json", "{\"agent\": \"nope\"}\n"),
        (".claude-plugin/plugin.json", "{\"name\": \"a b\"}\n"),
        (".codex/config.toml", "model = 5\n"),
        ("CLAUDE.md", "See @nope.md.\n"),
    ];
    let mut world = World::new().file(FILE, PORTER);
    for (path, text) in files {
        world = world.file(path, text);
    }
    let run = world.run(&["check", "--add-ignore"]);
    assert_eq!(
        (run.code, &*run.err),
        (Some(1), "note: added comments to 1 file\n")
    );
    for (path, text) in files {
        assert_eq!(String::from_utf8_lossy(&world.bytes(path)), text);
        assert!(run.out.contains(path), "{path} is still reported: {}", run.out);
    }
}
