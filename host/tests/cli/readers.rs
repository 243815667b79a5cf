//! Which releases are asked what they make of files.

use super::world::World;

const AGENT: &str = "---\nname: a\ndescription: A\n---\nGo.\n";

fn world() -> World {
    World::new().file(".claude/agents/a.md", AGENT)
}

#[test]
fn targets_and_names_select_the_readers() {
    let readers = |world: &World, arguments: &[&str]| {
        let run = world.run(&[arguments, &["--format", "concise"]].concat());
        assert_eq!(run.err, "");
        let lines = run
            .out
            .lines()
            .map(|line| line.split(": ").nth(1).expect("a reader").to_owned());
        lines.collect::<Vec<_>>()
    };
    let all = readers(&world(), &["check", "--readers"]);
    assert!(all.len() > 5, "{all:?}");
    let named = readers(&world(), &["check", "--readers=neovate,kode@2.0.2"]);
    assert_eq!(named, ["kode@2.0.2", "neovate@0.27.1"]);
    let shown = readers(&world(), &["show", "a", "--readers=kode@2.0.2"]);
    assert_eq!(shown, ["kode@2.0.2"]);
    let world = world().file("callsheet.toml", "targets = [\"claude-code\", \"kode@2.0.2\"]\n");
    let targets = readers(&world, &["check", "--readers"]);
    assert_eq!(targets.len(), 2, "{targets:?}");
    assert_eq!(readers(&world, &["show", "a", "--readers"]), targets);
    assert_eq!(
        readers(&world, &["check", "--readers=neovate"]),
        ["neovate@0.27.1"]
    );
}

#[test]
fn unknown_readers_are_reported() {
    let run = world().run(&["check", "--readers=neovat"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("did you mean `neovate`?"), "{}", run.err);
    let world = world().file("callsheet.toml", "targets = [\"cursor\"]\n");
    let run = world.run(&["check", "--readers"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert!(run.err.contains("no reader data for cursor"), "{}", run.err);
}

#[test]
fn a_bare_folder_is_read_the_same_from_outside() {
    let key = "---\nname: a\ndescription: A\nprovider: openai\nmodel: x\nmax_tokens: 9\n---\nGo.\n";
    let world = World::new().file("x/agents/a.md", key);
    let fates = |arguments: &[&str]| {
        let run = world.run(&[arguments, &["--format", "concise", "--as", "kodelet"]].concat());
        let lines = run
            .out
            .lines()
            .map(|line| line.split(": ").skip(1).collect::<Vec<_>>().join(": "));
        lines.collect::<Vec<_>>()
    };
    let below = fates(&["check", "--readers", "--project", "x"]);
    assert!(
        below.iter().any(|line| line.ends_with("not-looked-at")),
        "{below:?}"
    );
    assert!(
        below
            .iter()
            .any(|line| line.starts_with("kodelet") && line.ends_with("loads")),
        "{below:?}"
    );
}

#[test]
fn unreadable_paths_are_reported() {
    let world = world();
    let run = world.run(&["check", "--readers", "nofile.md"]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert!(run.err.contains("cannot read nofile.md"), "{}", run.err);
    let run = World::new().run(&["check", "--readers"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert!(run.out.starts_with("nothing to check"), "{}", run.out);
}
