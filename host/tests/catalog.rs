//! The library over real directories.
#![allow(
    clippy::unwrap_used,
    reason = "a test that unwraps says why it failed by where it failed"
)]

use std::fs;
use std::path::Path;

use callsheet::catalogs::{ChangeKind, Presence};
use callsheet::{Builder, Callsheet, Error, Place};
use tempfile::TempDir;

fn agent(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name} things\n---\nDo {name} things.\n")
}

fn world(names: &[&str]) -> TempDir {
    let world = TempDir::new().unwrap();
    let agents = world.path().join(".claude/agents");
    fs::create_dir_all(&agents).unwrap();
    for name in names {
        fs::write(agents.join(name).with_extension("md"), agent(name)).unwrap();
    }
    world
}

fn builder(world: &Path) -> Builder {
    Callsheet::builder()
        .project(Place::new(".", world))
        .without_home()
}

#[test]
fn reads_again_only_what_changed() {
    let world = world(&["one", "two"]);
    let mut catalog = builder(world.path())
        .build()
        .unwrap()
        .open("claude-code")
        .unwrap();
    let before = catalog.counters().unwrap().parsed;
    assert!(catalog.refresh().unwrap().is_empty());
    assert_eq!(catalog.counters().unwrap().parsed, before);
    fs::write(
        world.path().join(".claude/agents/two.md"),
        agent("two") + "And more.\n",
    )
    .unwrap();
    let changes = catalog.refresh().unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!((&*changes[0].name, changes[0].kind), ("two", ChangeKind::Changed));
    assert_eq!(catalog.counters().unwrap().parsed, before + 1);
}

#[test]
fn a_missing_directory_is_not_an_error() {
    let world = TempDir::new().unwrap();
    let mut catalog = builder(world.path())
        .build()
        .unwrap()
        .open("claude-code")
        .unwrap();
    assert!(catalog.diagnostics().unwrap().is_empty());
    assert!(
        catalog
            .visited()
            .unwrap()
            .iter()
            .all(|visited| visited.presence != Presence::Unreadable)
    );
}

#[test]
fn catalogs_are_independent_of_their_builder() {
    let world = world(&["one"]);
    let callsheet = builder(world.path()).build().unwrap();
    let mut first = callsheet.open("claude-code").unwrap();
    let mut second = callsheet.open("kode").unwrap();
    drop(callsheet);
    first.register("three", &agent("three")).unwrap();
    assert!(first.get("three").unwrap().is_some());
    assert!(second.get("three").unwrap().is_none());
    assert!(second.get("one").unwrap().is_some());
}

#[test]
fn every_read_is_counted() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let world = world(&["one", "two", "three"]);
    let reads = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&reads);
    let hook = move |_: &str| {
        counted.fetch_add(1, Ordering::Relaxed);
    };
    builder(world.path())
        .on_read(hook)
        .build()
        .unwrap()
        .open("claude-code")
        .unwrap();
    assert_eq!(reads.load(Ordering::Relaxed), 3);
}

#[test]
fn an_unknown_dialect_suggests_the_nearest() {
    let world = world(&[]);
    let failure = builder(world.path())
        .build()
        .unwrap()
        .open("claude-cod")
        .map(drop)
        .unwrap_err();
    assert!(
        matches!(&failure, Error::UnknownDialect { nearest: Some(nearest), .. } if nearest == "claude-code")
    );
}

#[test]
fn discovered_files_can_be_read() {
    let world = world(&["one"]);
    let mut callsheet = builder(world.path()).build().unwrap();
    let (found, diagnostics) = callsheet.discover(".").unwrap();
    assert!(diagnostics.is_empty());
    assert_eq!(found.len(), 1);
    let contents = callsheet.read(&found[0].path).unwrap();
    let parsed = callsheet
        .parse(&found[0].path, &contents, found[0].dialect.as_deref())
        .unwrap();
    assert!(parsed.loads);
    assert!(matches!(
        callsheet.discover("nothing-here"),
        Err(Error::Path { .. })
    ));
}

#[cfg(feature = "jit")]
#[test]
fn another_component_file_can_be_used() {
    let world = world(&["one"]);
    let file = world.path().join("other.wasm");
    fs::write(&file, callsheet::component()).unwrap();
    let mut catalog = builder(world.path())
        .component(&file)
        .build()
        .unwrap()
        .open("claude-code")
        .unwrap();
    assert!(catalog.get("one").unwrap().is_some());
    fs::write(&file, "not a component").unwrap();
    assert!(matches!(
        builder(world.path()).component(&file).build().map(drop),
        Err(Error::Component { .. })
    ));
}
