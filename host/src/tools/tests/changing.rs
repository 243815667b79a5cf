//! Tools that change files.

use std::fs;

use serde_json::json;

use super::{World, request};
use crate::lent::Tools as _;

#[test]
fn parent_directories_are_created() {
    let world = World::new(&[]);
    let made = world.done("Write", json!({"file_path": "a/b/c.txt", "content": "new\n"}));
    assert_eq!(made, "`a/b/c.txt` was created: 4 bytes");
    assert_eq!(world.contents("a/b/c.txt"), "new\n");
    let changed = world.done("Write", json!({"filePath": "a/b/c.txt", "content": "newer\n"}));
    assert!(changed.contains("-new\n+newer"), "{changed}");
    let same = world.done(
        "file_editor",
        json!({"command": "create", "path": "a/b/c.txt", "file_text": "newer\n"}),
    );
    assert_eq!(same, "`a/b/c.txt` is unchanged");
    assert_eq!(
        fs::read_dir(world.project().join("a/b")).unwrap().count(),
        1,
        "nothing is left over"
    );
}

#[test]
fn edits_need_a_unique_match() {
    let world = World::new(&[("a", "one two one\naaa\n")]);
    let edit = |old: &str, new: &str| json!({"file_path": "a", "old_string": old, "new_string": new});
    for (old, new, reason) in [
        ("one", "x", "2 times"),
        ("aa", "x", "2 times"),
        ("three", "x", "not found"),
        ("", "x", "is empty"),
        ("two", "two", "are the same"),
    ] {
        let answer = world.refused("Edit", edit(old, new));
        assert!(answer.contains(reason), "{old}: {answer}");
    }
    assert!(
        world
            .done("Edit", edit("two", "2"))
            .contains("-one two one\n+one 2 one")
    );
    let all = json!({"path": "a", "old_str": "one", "new_str": "1", "replace_all": true});
    world.done("Edit", all);
    assert_eq!(world.contents("a"), "1 2 1\naaa\n");
    let counted = json!({"path": "a", "old_string": "1", "new_string": "0", "expected_replacements": 3});
    assert!(world.refused("Edit", counted).contains("2 times, not 3"));
    assert!(
        world
            .refused(
                "Edit",
                json!({"file_path": "b", "old_string": "a", "new_string": "b"})
            )
            .contains("not found")
    );
}

#[test]
fn several_edits_apply_all_or_none() {
    let world = World::new(&[("a", "one two")]);
    let edits = |second: &str| {
        json!({"file_path": "a", "edits": [
            {"old_string": "one", "new_string": "1"},
            {"old_string": second, "new_string": "2"},
        ]})
    };
    world.refused("Edit", edits("three"));
    assert_eq!(world.contents("a"), "one two");
    world.done("Edit", edits("two"));
    assert_eq!(world.contents("a"), "1 2");
}

#[test]
fn binary_and_large_files_are_refused() {
    let world = World::new(&[]);
    fs::write(world.project().join("b"), b"a\0b").unwrap();
    let edit = json!({"file_path": "b", "old_string": "a", "new_string": "c"});
    assert!(world.refused("Edit", edit).contains("binary"));
    let large = "x".repeat((10 << 20) + 1);
    let write = json!({"file_path": "c", "content": large});
    assert!(world.refused("Write", write).contains("larger than"));
    assert!(!world.project().join("c").exists());
}

#[cfg(unix)]
#[test]
fn permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new(&[("run.sh", "echo a\n")]);
    let path = world.project().join("run.sh");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    world.done(
        "Edit",
        json!({"file_path": "run.sh", "old_string": "a", "new_string": "b"}),
    );
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o750);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let answer = world.refused("Write", json!({"file_path": "run.sh", "content": "c"}));
    assert!(answer.contains("read-only"), "{answer}");
}

#[test]
fn a_preview_changes_nothing() {
    let world = World::new(&[("a", "one\n")]);
    let preview = |tool: &str, arguments| world.tools.preview(&request(tool, arguments));
    let edit = json!({"file_path": "a", "old_string": "one", "new_string": "two"});
    assert!(preview("Edit", edit).unwrap().unwrap().ends_with("-one\n+two\n"));
    let new = preview("Write", json!({"file_path": "b", "content": "new\n"}))
        .unwrap()
        .unwrap();
    assert!(new.starts_with("--- /dev/null\n+++ b\n"), "{new}");
    let command = json!({"command": "rm a"});
    assert_eq!(preview("Bash", command), Some(Ok("rm a".into())));
    let failing = json!({"file_path": "a", "old_string": "three", "new_string": "two"});
    let reason = preview("Edit", failing).unwrap().unwrap_err();
    assert!(reason.contains("not found"), "{reason}");
    assert_eq!(preview("Read", json!({"file_path": "a"})), None);
    assert_eq!(world.contents("a"), "one\n");
    assert!(!world.project().join("b").exists());
}
