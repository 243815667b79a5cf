//! Tools that change nothing.

use std::fs;

use serde_json::json;

use super::World;

#[test]
fn lines_are_numbered() {
    let world = World::new(&[("a", "\u{feff}one\r\ntwo\nthree"), ("empty", "")]);
    let read = |arguments| world.done("Read", arguments);
    assert_eq!(
        read(json!({"file_path": "a"})),
        "     1\tone\n     2\ttwo\n     3\tthree"
    );
    assert_eq!(
        read(json!({"path": "a", "offset": 2, "limit": "1"})),
        "     2\ttwo\n[lines 2 to 2 of 3; continue from line 3]"
    );
    assert_eq!(
        read(json!({"filePath": "a", "offset": 9})),
        "`a` has 3 lines; there is no line 9"
    );
    assert_eq!(read(json!({"file_path": "empty"})), "`empty` is empty");
    let view = json!({"command": "view", "path": "a", "view_range": [3, -1]});
    assert_eq!(world.done("file_editor", view), "     3\tthree");
    assert_eq!(
        world.done("file_editor", json!({"command": "view", "path": "."})),
        "a\nempty"
    );
}

#[test]
fn large_files_are_truncated() {
    let world = World::new(&[]);
    let at = |name: &str| world.project().join(name);
    fs::write(at("lines"), "x\n".repeat(5000)).unwrap();
    fs::write(at("line"), "é".repeat(3000)).unwrap();
    fs::write(at("wide"), format!("{}\n", "w".repeat(1990)).repeat(100)).unwrap();
    fs::write(at("binary"), b"a\0b").unwrap();
    fs::write(at("latin"), b"caf\xe9").unwrap();
    fs::File::create(at("huge")).unwrap().set_len(11 << 20).unwrap();
    let read = |name: &str| world.call("Read", json!({"file_path": name})).text;
    assert!(read("lines").ends_with("[lines 1 to 2000 of 5000; continue from line 2001]"));
    assert!(read("line").ends_with("… [2000 more bytes]"));
    assert!(read("wide").len() < 60_000);
    assert_eq!(read("binary"), "`binary` is a binary file of 3 bytes");
    assert!(read("latin").contains("caf\u{fffd}"));
    assert_eq!(read("huge"), "`huge` is larger than the limit of 10 MB");
}

fn tree() -> World {
    World::new(&[
        ("b.rs", "fn b() {}\n"),
        ("src/a.rs", "fn a() {}\nlet x = 1;\nfn c() {}\n"),
        ("src/deep/d.rs", "none"),
        ("src/notes.md", "fn in words\n"),
        ("target/out.rs", "fn out() {}\n"),
        (".hidden/h.rs", "fn h() {}\n"),
        (".git/x.rs", "fn x() {}\n"),
        (".gitignore", "target/\n"),
    ])
}

#[test]
fn globs_list_files_in_order() {
    let world = tree();
    for (arguments, found) in [
        (json!({"pattern": "**/*.rs"}), "b.rs\nsrc/a.rs\nsrc/deep/d.rs"),
        (json!({"pattern": "*.rs"}), "b.rs"),
        (json!({"pattern": "*.rs", "path": "src"}), "src/a.rs"),
        (json!({"pattern": "src/*.{rs,md}"}), "src/a.rs\nsrc/notes.md"),
        (json!({"pattern": ".hidden/*"}), ".hidden/h.rs"),
        (json!({"pattern": ".git/*"}), "No files found"),
        (json!({"pattern": "*.py"}), "No files found"),
    ] {
        assert_eq!(world.done("Glob", arguments.clone()), found, "{arguments}");
    }
    world.refused(
        "Glob",
        json!({"pattern": format!("{}a{}", "{".repeat(300), "}".repeat(300))}),
    );
    let bad = world.refused("Glob", json!({"pattern": "[a"}));
    assert!(bad.contains("not a path pattern"), "{bad}");
}

#[test]
fn matches_have_file_and_line() {
    let world = tree();
    for (arguments, found) in [
        (
            json!({"pattern": r"fn \w\("}),
            "b.rs:1:fn b() {}\nsrc/a.rs:1:fn a() {}\nsrc/a.rs:3:fn c() {}",
        ),
        (json!({"pattern": "FN A", "-i": true}), "src/a.rs:1:fn a() {}"),
        (
            json!({"pattern": "words", "path": "src/notes.md"}),
            "src/notes.md:1:fn in words",
        ),
        (
            json!({"pattern": "fn", "glob": "*.md"}),
            "src/notes.md:1:fn in words",
        ),
        (
            json!({"pattern": "fn", "output_mode": "count"}),
            "b.rs:1\nsrc/a.rs:2\nsrc/notes.md:1",
        ),
        (
            json!({"pattern": "fn", "output_mode": "files_with_matches", "head_limit": 1}),
            "b.rs\n[there are more; narrow the search]",
        ),
        (
            json!({"pattern": "let", "-C": 1}),
            "src/a.rs-1-fn a() {}\nsrc/a.rs:2:let x = 1;\nsrc/a.rs-3-fn c() {}",
        ),
        (json!({"pattern": "nowhere"}), "No matches found"),
    ] {
        assert_eq!(world.done("Grep", arguments.clone()), found, "{arguments}");
    }
    assert!(
        world
            .refused("Grep", json!({"pattern": "("}))
            .contains("not a regular expression")
    );
    assert!(
        world
            .refused("Grep", json!({"pattern": "x{900}{900}{900}"}))
            .contains("not a regular expression")
    );
}

#[test]
fn directories_are_listed() {
    let world = tree();
    assert_eq!(
        world.done("LS", json!({"path": "."})),
        "b.rs\nsrc/\n[4 hidden or ignored]"
    );
    assert_eq!(world.done("LS", json!({"path": "src"})), "a.rs\ndeep/\nnotes.md");
    assert!(
        world
            .refused("LS", json!({"path": "b.rs"}))
            .contains("is not a directory")
    );
    assert!(
        world
            .refused("LS", json!({"path": "x"}))
            .contains("directory `x` not found")
    );
}
