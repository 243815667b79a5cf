//! The user's own editor, on a terminal that `script` of util-linux makes.

use std::process::{Command, Stdio};

use super::world::World;

const FILE: &str = ".claude/agents/porter.md";
const PORTER: &str = "---\nname: porter\ndescription: Says bye\n---\nSay bye.\n";

/// What the terminal showed, or nothing if the program is missing.
fn on_terminal(world: &World, arguments: &[&str], editor: &str, keys: &str) -> Option<String> {
    let plain = world.callsheet(arguments);
    let words = std::iter::once(plain.get_program()).chain(plain.get_args());
    let words: Vec<String> = words
        .map(|word| format!("'{}'", word.to_string_lossy()))
        .collect();
    let mut command = Command::new("script");
    command.args(["-qec", &words.join(" "), "/dev/null"]);
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(world.at("."));
    command.env("VISUAL", editor).env_remove("EDITOR");
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        println!("skipped: `script` is missing");
        return None;
    };
    let mut input = child.stdin.take().expect("it is piped");
    std::io::Write::write_all(&mut input, keys.as_bytes()).expect("it is read");
    let output = child.wait_with_output().expect("it ends");
    drop(input);
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(unix)]
#[test]
fn an_edit_in_the_editor_is_saved() {
    let world = World::new().file(FILE, PORTER);
    let Some(shown) = on_terminal(&world, &["edit", "porter"], "sed -i s/bye/hello/", "") else {
        return;
    };
    assert!(shown.contains("changed .claude/agents/porter.md"), "{shown}");
    assert_eq!(world.bytes(FILE), PORTER.replace("bye", "hello").into_bytes());
}

#[cfg(unix)]
#[test]
fn an_invalid_edit_can_be_discarded() {
    let world = World::new().file(FILE, PORTER);
    // Down to the second choice.
    let Some(shown) = on_terminal(&world, &["edit", "porter"], "sed -i /^description/d", "\x1b[B\r") else {
        return;
    };
    assert!(
        shown.contains("It would not load") && shown.contains("missing-field"),
        "{shown}"
    );
    assert!(shown.contains("nothing was written"), "{shown}");
    assert_eq!(world.bytes(FILE), PORTER.as_bytes());
}

#[cfg(unix)]
#[test]
fn a_new_file_can_be_edited_first() {
    let world = World::new();
    let new = [
        "new",
        "porter",
        "--description",
        "Says bye",
        "--prompt",
        "Say bye.",
        "--edit",
    ];
    let Some(shown) = on_terminal(&world, &new, "sed -i s/porter/doorman/", "") else {
        return;
    };
    assert!(
        shown.contains("`doorman` resolves to .claude/agents/porter.md"),
        "{shown}"
    );
}

#[cfg(unix)]
#[test]
fn a_failed_editor_changes_nothing() {
    let world = World::new().file(FILE, PORTER);
    let Some(shown) = on_terminal(&world, &["edit", "porter"], "false", "") else {
        return;
    };
    assert!(
        shown.contains("the editor `false` failed: exit status: 1"),
        "{shown}"
    );
    assert_eq!(world.bytes(FILE), PORTER.as_bytes());
}
