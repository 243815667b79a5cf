//! The adapter answers as the native host's own provider does.
#![cfg(unix)]

use std::fs::{self, File, FileTimes};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

use tempfile::TempDir;

use super::stock::{Stock, stock};

/// `project` is opened as `.`, `home` as `~`, and `secret.md` is beside them.
struct World {
    folder: TempDir,
    stock: &'static Stock,
    files: String,
}

impl World {
    fn new() -> Option<Self> {
        let stock = stock()?;
        let world = Self {
            folder: TempDir::new().expect("there is room"),
            stock,
            files: stock.compiled("callsheet-files"),
        };
        for directory in ["project/agents/deep", "home/shared"] {
            fs::create_dir_all(world.at(directory)).expect("it can be done");
        }
        for (path, text) in [
            ("project/agents/one.md", "one"),
            ("project/agents/deep/two.md", "two"),
            ("home/shared/kept.md", "kept"),
            ("secret.md", "secret"),
        ] {
            fs::write(world.at(path), text).expect("it can be done");
            let file = File::options()
                .write(true)
                .open(world.at(path))
                .expect("it can be done");
            let then = UNIX_EPOCH + Duration::new(1_767_225_600, 123_456_789);
            file.set_times(FileTimes::new().set_modified(then))
                .expect("it can be done");
        }
        Some(world)
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// What a call says, in the notation of the runtime.
    fn ask(&self, call: &str) -> String {
        let home = format!("{}::~", self.at("home").display());
        let arguments = [
            "run",
            "--allow-precompiled",
            "--dir",
            ".",
            "--dir",
            &home,
            "--invoke",
            call,
            &self.files,
        ];
        let output = self.stock.wasmtime(&self.at("project"), &arguments);
        let said = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        assert!(
            output.status.success(),
            "{call}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        said
    }

    fn read(&self, path: &str) -> String {
        self.ask(&format!("read(\"{path}\")"))
    }

    fn list(&self, path: &str) -> String {
        self.ask(&format!("list-directory(\"{path}\")"))
    }
}

fn entry(name: &str, kind: &str) -> String {
    format!("{{name: \"{name}\", kind: {kind}, size: 0}}")
}

fn bytes(text: &str) -> String {
    let bytes: Vec<String> = text.bytes().map(|byte| byte.to_string()).collect();
    format!("ok([{}])", bytes.join(", "))
}

#[test]
fn lists_and_reads_opened_directories() {
    let Some(world) = World::new() else { return };
    let one = "{name: \"one.md\", kind: file, size: 3, modified: some(1767225600123456789)}";
    let deep = entry("deep", "directory");
    for directory in ["agents", "./agents", "agents/", "./agents/."] {
        assert_eq!(
            world.list(directory),
            format!("ok([{deep}, {one}])"),
            "{directory}"
        );
    }
    assert_eq!(world.list("."), format!("ok([{}])", entry("agents", "directory")));
    assert_eq!(world.read("./agents/deep/two.md"), bytes("two"));
    assert_eq!(world.read("~/shared/kept.md"), bytes("kept"));
}

#[test]
fn sorts_by_bytes() {
    let Some(world) = World::new() else { return };
    for name in ["b.md", "B.md", "é.md", "a.md"] {
        fs::write(world.at("home/shared").join(name), "").expect("it can be done");
    }
    let listed = world.list("~/shared");
    let names: Vec<&str> = listed
        .split("name: \"")
        .skip(1)
        .filter_map(|it| it.split('"').next())
        .collect();
    assert_eq!(names, ["B.md", "a.md", "b.md", "kept.md", "é.md"]);
}

#[test]
fn unopened_and_outside_paths_are_not_readable() {
    let Some(world) = World::new() else { return };
    let absolute = world.at("project/agents/one.md");
    for path in [
        "/",
        "/etc/passwd",
        "~x/kept.md",
        absolute.to_str().expect("it can be done"),
        "./agents/none.md",
    ] {
        assert_eq!(world.read(path), "err(not-found)", "{path}");
    }
    for path in [
        "../secret.md",
        "agents/../../secret.md",
        "~/../secret.md",
        "~/shared/../../secret.md",
    ] {
        assert_eq!(world.read(path), "err(denied)", "{path}");
    }
    assert_eq!(world.list(".."), "err(denied)");
    assert_eq!(world.list("./none"), "err(not-found)");
    assert_eq!(world.list("./agents/one.md"), "err(not-a-directory)");
    assert_eq!(world.read("./agents/one.md/more"), "err(not-a-directory)");
    assert_eq!(world.read("./agents/deep"), "err(other(\"not a regular file\"))");
}

#[test]
fn follows_only_links_that_stay_inside() {
    let Some(world) = World::new() else { return };
    let link = |to: &str, at: &str| symlink(to, world.at("project/agents").join(at)).expect("it can be done");
    link("one.md", "inside.md");
    link("deep", "down");
    link("../../secret.md", "out.md");
    link("../../home", "home");
    link(".", "loop");
    link("..", "up");
    link("nowhere", "dangling.md");
    link("itself.md", "itself.md");
    let listed = world.list("agents");
    let file = "kind: file, size: 3, modified: some(1767225600123456789)}";
    assert!(
        listed.contains(&format!("{{name: \"inside.md\", {file}")),
        "{listed}"
    );
    assert!(listed.contains(&entry("down", "directory")), "{listed}");
    for name in ["out.md", "home", "loop", "up", "dangling.md", "itself.md"] {
        assert!(listed.contains(&entry(name, "link")), "{name}: {listed}");
    }
    assert_eq!(world.read("agents/inside.md"), bytes("one"));
    assert_eq!(world.read("agents/down/two.md"), bytes("two"));
    assert_eq!(world.read("agents/out.md"), "err(denied)");
    assert_eq!(world.read("agents/home/shared/kept.md"), "err(denied)");
    assert_eq!(world.list("agents/home"), "err(denied)");
    assert_eq!(world.read("agents/dangling.md"), "err(not-found)");
}

#[test]
fn never_blocks_on_a_pipe() {
    let Some(world) = World::new() else { return };
    let made = Command::new("mkfifo")
        .arg(world.at("project/agents/pipe.md"))
        .status();
    assert!(made.expect("it can be done").success());
    assert!(world.list("agents").contains(&entry("pipe.md", "other")));
    assert_eq!(world.read("agents/pipe.md"), "err(other(\"not a regular file\"))");
}

#[test]
fn refuses_files_above_the_size_limit() {
    let Some(world) = World::new() else { return };
    const MOST: u64 = 8 << 20;
    let sized = |size: u64| {
        let path: &Path = &world.at("project/large.md");
        File::create(path)
            .and_then(|file| file.set_len(size))
            .expect("it can be done");
    };
    sized(MOST + 1);
    assert_eq!(world.read("large.md"), format!("err(too-large({}))", MOST + 1));
}

#[test]
fn model_and_tools_are_denied() {
    let Some(world) = World::new() else { return };
    let call = "{id: \"1\", name: \"Read\", arguments: \"{}\"}";
    let said = world.ask(&format!("call({{agent: [], call: {call}, permitted: true}})"));
    assert!(said.starts_with("err(denied("), "{said}");
}
