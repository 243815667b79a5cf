//! What the component can and cannot reach.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::Callsheet;
use crate::bindings::callsheet::agents::files::Kind;

/// A project with `agents/one.md` and, beside it, what it must not reach.
fn world() -> TempDir {
    let world = TempDir::new().unwrap();
    let at = |path: &str| world.path().join(path);
    fs::create_dir_all(at("project/agents/deep")).unwrap();
    fs::create_dir_all(at("home/shared")).unwrap();
    fs::write(at("project/agents/one.md"), "one").unwrap();
    fs::write(at("project/agents/deep/two.md"), "two").unwrap();
    fs::write(at("project/other.md"), "other").unwrap();
    fs::write(at("home/shared/kept.md"), "kept").unwrap();
    fs::write(at("secret.md"), "secret").unwrap();
    world
}

fn files_with(world: &TempDir, change: impl FnOnce(Builder) -> Builder) -> Files {
    let settings = Callsheet::builder()
        .project(Place::new(".", world.path().join("project")))
        .home(Place::new("~", world.path().join("home")));
    let settings = change(settings);
    let mut files = Files::new(&settings, &settings.project.ancestors()).unwrap();
    for directory in ["./agents", "~/agents", "~/shared"] {
        files.grant(&location(directory));
    }
    files
}

fn files(world: &TempDir) -> Files {
    files_with(world, |settings| settings)
}

fn location(directory: &str) -> Location {
    Location {
        level: Level::Project,
        directory: directory.into(),
        recursive: true,
        owned: true,
    }
}

fn kinds(entries: &[Entry]) -> Vec<(&str, Kind)> {
    entries.iter().map(|entry| (&*entry.name, entry.kind)).collect()
}

fn read(files: &mut Files, path: &str) -> Result<Vec<u8>, FileError> {
    files.begin();
    files.read(path.into())
}

fn refused(answer: Result<Vec<u8>, FileError>, how: &str) {
    assert_eq!(format!("{:?}", answer.unwrap_err()), format!("FileError::{how}"));
}

#[test]
fn lists_and_reads_below_a_location() {
    let world = world();
    let mut files = files(&world);
    let entries = files.list_directory("./agents".into()).unwrap();
    assert_eq!(
        kinds(&entries),
        [("deep", Kind::Directory), ("one.md", Kind::File)]
    );
    assert_eq!(entries[1].size, 3);
    assert!(entries[1].modified.is_some());
    assert_eq!(read(&mut files, "./agents/one.md").unwrap(), b"one");
    assert_eq!(read(&mut files, "agents/deep/two.md").unwrap(), b"two");
    assert_eq!(read(&mut files, "~/shared/kept.md").unwrap(), b"kept");
}

#[test]
fn sorts_by_bytes() {
    let world = world();
    for name in ["b.md", "B.md", "é.md", "a.md"] {
        fs::write(world.path().join("home/shared").join(name), "").unwrap();
    }
    let entries = files(&world).list_directory("~/shared".into()).unwrap();
    let names: Vec<_> = entries.iter().map(|entry| &*entry.name).collect();
    assert_eq!(names, ["B.md", "a.md", "b.md", "kept.md", "é.md"]);
}

#[test]
fn denies_paths_outside_of_its_locations() {
    let world = world();
    let mut files = files(&world);
    let absolute = world.path().join("project/agents/one.md");
    for path in [
        ".",
        "other.md",
        "./other.md",
        "~",
        "",
        "/",
        "..",
        "../secret.md",
        "agents/../other.md",
        "./agents/../../secret.md",
        "~/shared/../../secret.md",
        "~/shared/..",
        "/etc/passwd",
        "agents//etc/../../..",
        "shared/kept.md",
        "agentsx/one.md",
        absolute.to_str().unwrap(),
    ] {
        refused(read(&mut files, path), "Denied");
        assert!(
            matches!(files.list_directory(path.into()), Err(FileError::Denied)),
            "{path}"
        );
    }
}

#[test]
fn distinguishes_missing_files_from_non_directories() {
    let world = world();
    let mut files = files(&world);
    refused(read(&mut files, "./agents/none.md"), "NotFound");
    assert!(matches!(
        files.list_directory("~/agents".into()),
        Err(FileError::NotFound)
    ));
    assert!(matches!(
        files.list_directory("./agents/one.md".into()),
        Err(FileError::NotADirectory)
    ));
    assert!(matches!(
        files.read("./agents/deep".into()),
        Err(FileError::Other(_))
    ));
}

#[test]
fn does_not_follow_a_link_out_of_its_root() {
    let world = world();
    let agents = world.path().join("project/agents");
    symlink("../../secret.md", agents.join("relative.md")).unwrap();
    symlink(world.path().join("secret.md"), agents.join("absolute.md")).unwrap();
    symlink("../..", agents.join("up")).unwrap();
    symlink("nowhere", agents.join("dangling.md")).unwrap();
    symlink("loop.md", agents.join("loop.md")).unwrap();
    let mut files = files(&world);
    let entries = files.list_directory("./agents".into()).unwrap();
    for name in ["relative.md", "absolute.md", "up", "dangling.md", "loop.md"] {
        assert!(kinds(&entries).contains(&(name, Kind::Link)), "{name}");
    }
    refused(read(&mut files, "./agents/relative.md"), "Denied");
    refused(read(&mut files, "./agents/absolute.md"), "Denied");
    refused(read(&mut files, "./agents/up/secret.md"), "Denied");
    assert!(matches!(
        files.list_directory("./agents/up".into()),
        Err(FileError::Denied)
    ));
}

#[test]
fn follows_a_link_out_of_its_root_if_allowed() {
    let world = world();
    let agents = world.path().join("project/agents");
    symlink("../../secret.md", agents.join("relative.md")).unwrap();
    symlink(world.path().join("home/shared"), agents.join("shared")).unwrap();
    let mut files = files_with(&world, |settings| settings.follow_links(true));
    let entries = files.list_directory("./agents".into()).unwrap();
    assert!(kinds(&entries).contains(&("relative.md", Kind::File)));
    assert!(kinds(&entries).contains(&("shared", Kind::Directory)));
    assert_eq!(read(&mut files, "./agents/relative.md").unwrap(), b"secret");
    assert_eq!(read(&mut files, "./agents/shared/kept.md").unwrap(), b"kept");
    assert_eq!(files.list_directory("./agents/shared".into()).unwrap().len(), 1);
    refused(read(&mut files, "./agents/../../secret.md"), "Denied");
}

#[test]
fn follows_a_link_that_stays_inside() {
    let world = world();
    let home = world.path().join("home");
    symlink("shared", home.join("agents")).unwrap();
    symlink(home.join("shared/kept.md"), home.join("shared/again.md")).unwrap();
    let mut files = files(&world);
    let entries = files.list_directory("~/agents".into()).unwrap();
    assert_eq!(
        kinds(&entries),
        [("again.md", Kind::File), ("kept.md", Kind::File)]
    );
    assert_eq!(read(&mut files, "~/agents/again.md").unwrap(), b"kept");
    assert_eq!(read(&mut files, "~/shared/again.md").unwrap(), b"kept");
}

#[test]
fn follows_a_link_within_the_repository() {
    let world = world();
    fs::create_dir(world.path().join(".git")).unwrap();
    symlink("../../secret.md", world.path().join("project/agents/linked.md")).unwrap();
    let mut files = files(&world);
    assert_eq!(read(&mut files, "./agents/linked.md").unwrap(), b"secret");
    refused(read(&mut files, "../secret.md"), "Denied");
    files.grant(&location(".."));
    assert_eq!(read(&mut files, "../secret.md").unwrap(), b"secret");
}

#[test]
fn never_blocks_on_a_pipe() {
    let world = world();
    let pipe = world.path().join("project/agents/pipe.md");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut files = files(&world);
    let entries = files.list_directory("./agents".into()).unwrap();
    assert!(kinds(&entries).contains(&("pipe.md", Kind::Other)));
    assert!(matches!(
        read(&mut files, "./agents/pipe.md"),
        Err(FileError::Other(_))
    ));
}

#[test]
fn refuses_files_above_the_size_limit() {
    let world = world();
    let mut files = files_with(&world, |settings| settings.max_file_size(3));
    assert_eq!(read(&mut files, "./agents/one.md").unwrap(), b"one");
    fs::write(world.path().join("project/agents/one.md"), "four").unwrap();
    refused(read(&mut files, "./agents/one.md"), "TooLarge(4)");
}

#[test]
fn denies_unreadable_files() {
    let world = world();
    let closed = world.path().join("project/agents/one.md");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    // An administrator may read it anyway.
    if fs::read(&closed).is_err() {
        refused(read(&mut files(&world), "./agents/one.md"), "Denied");
    }
}

#[test]
fn replaces_bytes_that_are_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let world = world();
    fs::write(
        world
            .path()
            .join("home/shared")
            .join(OsStr::from_bytes(b"\xff.md")),
        "",
    )
    .unwrap();
    let entries = files(&world).list_directory("~/shared".into()).unwrap();
    assert_eq!(entries[1].name, "\u{fffd}.md");
}

#[test]
fn opens_only_the_file_that_the_user_names() {
    let world = world();
    let mut files = files(&world);
    let secret = world.path().join("secret.md");
    let name = secret.to_str().unwrap();
    refused(read(&mut files, name), "Denied");
    files.grant_explicitly(name).unwrap();
    assert_eq!(read(&mut files, name).unwrap(), b"secret");
    refused(
        read(&mut files, &format!("{name}/../home/shared/kept.md")),
        "Denied",
    );
    files.grant_explicitly("other.md").unwrap();
    assert_eq!(read(&mut files, "other.md").unwrap(), b"other");
    assert!(files.grant_explicitly("none.md").is_err());
}

#[test]
fn follows_the_link_that_the_user_names() {
    let world = world();
    symlink("../secret.md", world.path().join("project/named.md")).unwrap();
    let mut files = files(&world);
    files.grant_explicitly("named.md").unwrap();
    assert_eq!(read(&mut files, "named.md").unwrap(), b"secret");
}

#[test]
fn files_of_the_host_are_not_open_to_the_component() {
    let world = world();
    symlink("../secret.md", world.path().join("project/named.md")).unwrap();
    let mut files = files(&world);
    assert_eq!(files.named("other.md").unwrap(), b"other");
    refused(read(&mut files, "other.md"), "Denied");
    assert_eq!(files.named("named.md").unwrap(), b"secret");
    let real = world.path().canonicalize().unwrap();
    assert_eq!(files.real_path("other.md"), Some(real.join("project/other.md")));
    assert_eq!(files.real_path("named.md"), Some(real.join("secret.md")));
    assert!(files.named("none.md").is_err());
}

#[test]
fn a_replaced_directory_is_read_again() {
    let world = world();
    let mut files = files(&world);
    assert_eq!(read(&mut files, "./agents/one.md").unwrap(), b"one");
    let agents = world.path().join("project/agents");
    fs::remove_dir_all(&agents).unwrap();
    fs::create_dir(&agents).unwrap();
    fs::write(agents.join("one.md"), "new").unwrap();
    assert_eq!(read(&mut files, "./agents/one.md").unwrap(), b"new");
}

#[test]
fn a_missing_project_is_a_path_error() {
    let settings = Callsheet::builder().project("no/such/project");
    assert!(matches!(Files::new(&settings, &[]), Err(Error::Path { .. })));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let settings = Callsheet::builder().project(Place::new("file", file));
    assert!(matches!(Files::new(&settings, &[]), Err(Error::Path { .. })));
}

#[cfg(unix)]
#[test]
fn reports_a_name_that_is_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let world = world();
    let name = OsStr::from_bytes(b"project/agents/\xff.md");
    fs::write(world.path().join(name), "x").unwrap();
    let refusal = read(&mut files(&world), "./agents/\u{fffd}.md");
    assert!(matches!(refusal, Err(FileError::Other(reason)) if reason.contains("not UTF-8")));
}

/// A large directory with every kind of file, and what reading each of them directly gives.
fn large(world: &TempDir) -> Vec<(String, Result<Vec<u8>, String>)> {
    let at = |name: &str| world.path().join("project/agents").join(name);
    for number in 0..600 {
        let text = match number % 50 {
            7 => "large ".repeat(10_000),
            _ => number.to_string(),
        };
        fs::write(at(&format!("a{number:03}.md")), text).unwrap();
    }
    for number in (100..600).step_by(100) {
        fs::write(at(&format!("a{number:03}.txt")), "not asked for").unwrap();
        let link = at(&format!("a{number:03}-link.md"));
        let target = if number == 300 {
            "../../secret.md"
        } else {
            "../other.md"
        };
        symlink(target, link).unwrap();
    }
    let mut files = files(world);
    let entries = files.list_directory("./agents".into()).unwrap();
    let names = entries.into_iter().map(|entry| entry.name);
    let asked = names.filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "md"));
    asked
        .map(|name| {
            let path = format!("./agents/{name}");
            // Without a listing, nothing is read ahead.
            files.begin();
            let contents = files.read(path.clone());
            (path, contents.map_err(|error| format!("{error:?}")))
        })
        .collect()
}

#[test]
fn read_ahead_files_are_the_same() {
    let world = world();
    let expected = large(&world);
    assert!(expected.iter().any(|(_, contents)| contents.is_err()));
    let reversed: Vec<_> = expected.iter().rev().cloned().collect();
    let some: Vec<_> = expected.iter().step_by(3).cloned().collect();
    let twice: Vec<_> = expected
        .iter()
        .flat_map(|one| [one.clone(), one.clone()])
        .collect();
    let again: Vec<_> = expected[..300].iter().chain(&expected).cloned().collect();
    for order in [expected, reversed, some, twice, again] {
        let mut files = files(&world);
        files.list_directory("./agents".into()).unwrap();
        for (path, expected) in order {
            let contents = files.read(path.clone()).map_err(|error| format!("{error:?}"));
            assert_eq!(contents, expected, "{path}");
        }
    }
}

#[test]
fn the_next_call_reads_files_again() {
    let world = world();
    let expected = large(&world);
    let mut files = files(&world);
    files.list_directory("./agents".into()).unwrap();
    for (path, _) in &expected[..100] {
        files.read(path.clone()).unwrap();
    }
    let (path, _) = &expected[100];
    fs::write(world.path().join("project").join(path), "changed").unwrap();
    files.begin();
    assert_eq!(files.read(path.clone()).unwrap(), b"changed");
}
