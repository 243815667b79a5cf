//! Paths that try to leave the project, or to name what is no file.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use futures_executor::block_on;

use super::{World, request};
use crate::confine::no_reach;
use crate::delegation::Reach;
use crate::lent::{Caller, Tools as _};

const SECRET: &str = "the secret of others";

fn world() -> World {
    let world = World::new(&[("src/a.txt", "inside\n"), (".git/config", "[core]\n")]);
    for directory in ["outside", "project-evil"] {
        fs::create_dir(world.path().join(directory)).unwrap();
        fs::write(world.path().join(directory).join("secret"), SECRET).unwrap();
    }
    let at = |name: &str| world.project().join(name);
    symlink("../outside", at("link-out")).unwrap();
    symlink("../outside/secret", at("link-file")).unwrap();
    symlink("/etc", at("link-absolute")).unwrap();
    symlink("src", at("link-in")).unwrap();
    symlink("../project", at("link-around")).unwrap();
    symlink("loop", at("loop")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    symlink("../outside/new", at("dangling-out")).unwrap();
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    drop(UnixListener::bind(at("socket")).unwrap());
    world
}

#[test]
fn no_path_leads_out_of_the_project() {
    let world = world();
    let at = |below: &str| world.path().join(below).display().to_string();
    let (up, long) = ("../".repeat(40), "a/".repeat(3000));
    let name = "n".repeat(300);
    let outside = "outside of the project";
    let table = [
        ("../outside/secret", outside),
        ("./../outside/secret", outside),
        ("src/../../outside/secret", outside),
        ("src/./../../outside/secret", outside),
        ("src/../src/../../outside/secret", outside),
        ("src/a.txt/../../../outside/secret", outside),
        ("nothing/../../outside/secret", outside),
        ("link-in/../../outside/secret", outside),
        ("link-out/../../outside/secret", outside),
        ("..", outside),
        ("../", outside),
        ("/", outside),
        (&format!("{up}etc/passwd"), outside),
        (&at("outside/secret"), outside),
        (&at("project-evil/secret"), outside),
        (&at("project/../outside/secret"), outside),
        (&at("project/src/../../outside/secret"), outside),
        ("/etc/passwd", outside),
        ("//etc/passwd", outside),
        ("/../etc/passwd", outside),
        ("/proc/self/environ", outside),
        ("/proc/self/root/etc/passwd", outside),
        ("/proc/self/cwd/Cargo.toml", outside),
        ("/dev/zero", outside),
        ("/dev/stdin", outside),
        ("/dev/fd/0", outside),
        ("/dev/tty", outside),
        ("~", "not in the project"),
        ("~/.ssh/id_rsa", "not in the project"),
        ("~root/.profile", "not in the project"),
        ("", "is empty"),
        ("src/a.txt\0", "not a path"),
        ("\0", "not a path"),
        (&long, "not a path"),
        (&name, "cannot be read"),
        ("link-out", "leads out"),
        ("link-out/secret", "leads out"),
        ("link-file", "leads out"),
        ("link-absolute/passwd", "leads out"),
        ("link-in/a.txt", "is `src/a.txt`, use that name"),
        ("link-around/src/a.txt", "is `src/a.txt`, use that name"),
        ("loop", "broken link"),
        ("loop/x", "broken link"),
        ("dangling", "broken link"),
        ("dangling-out", "broken link"),
        ("pipe", "not a regular file"),
        ("socket", "cannot be read"),
        (".", "is a directory"),
        ("src", "is a directory"),
        ("src/a.txt/x", "not found"),
        ("src\\..\\..\\outside\\secret", "not found"),
        ("%2e%2e/outside/secret", "not found"),
        ("..%2foutside/secret", "not found"),
        (".../outside/secret", "not found"),
        ("file:///etc/passwd", "not found"),
        ("$HOME/secret", "not found"),
        ("src/a.txt ", "not found"),
    ];
    for (path, reason) in table {
        let answer = world.refused("Read", json!({"file_path": path}));
        assert!(answer.contains(reason), "{path:?}: {answer}");
        assert!(!answer.contains(SECRET), "{path:?}");
        for tool in ["Glob", "Grep", "LS"] {
            if reason == outside || reason == "leads out" {
                let answer = world.refused(tool, json!({"path": path, "pattern": "secret"}));
                assert!(answer.contains(reason), "{tool} {path:?}: {answer}");
            }
        }
    }
}

#[test]
fn files_inside_are_read_by_any_path() {
    let world = world();
    let absolute = world.project().join("src/a.txt").display().to_string();
    let real = world.project().canonicalize().unwrap().join("src/a.txt");
    for path in [
        "src/a.txt",
        "./src/a.txt",
        "src//a.txt",
        "src/../src/a.txt",
        "../project/src/a.txt",
        "nothing/../src/a.txt",
        &absolute,
        &real.display().to_string(),
    ] {
        assert!(
            world.done("Read", json!({"path": path})).contains("inside"),
            "{path}"
        );
    }
}

#[test]
fn outside_and_guarded_paths_are_not_written() {
    let world = world();
    let absolute = world.path().join("outside/new").display().to_string();
    for (path, reason) in [
        ("../outside/new", "outside of the project"),
        (&*absolute, "outside of the project"),
        ("~/new", "not in the project"),
        ("link-out/new", "leads out"),
        ("link-out/deep/new", "leads out"),
        ("link-file", "leads out"),
        ("link-in/new", "use that name"),
        ("dangling", "broken link"),
        ("dangling-out", "broken link"),
        ("loop", "broken link"),
        ("pipe", "not a regular file"),
        ("src", "is a directory"),
        (".", "is a directory"),
        ("src/a.txt/new", "cannot be written"),
        ("new\0", "not a path"),
        (".git/config", "never write"),
        (".git/hooks/post-checkout", "never write"),
        (".GIT/config", "never write"),
        ("deep/.git/config", "never write"),
        ("src/../.git/config", "never write"),
        (".git", "never write"),
        ("callsheet.toml", "only the user"),
        ("src/Callsheet.TOML", "only the user"),
        (".mcp.json", "only the user"),
        (".local/share/callsheet/trusted.json", "only the user"),
    ] {
        let answer = world.refused("Write", json!({"file_path": path, "content": "mine"}));
        assert!(answer.contains(reason), "{path:?}: {answer}");
        let editing = json!({"file_path": path, "old_string": "e", "new_string": "mine"});
        world.refused("Edit", editing);
    }
    let outside = world.path().join("outside");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(outside.join("secret")).unwrap(), SECRET);
    assert_eq!(world.contents(".git/config"), "[core]\n");
    assert!(!world.project().join("callsheet.toml").exists());
}

#[test]
fn commands_do_not_follow_links_in_the_files_that_they_were_allowed_because_of() {
    let world = world();
    let answer = |file: &str| {
        let caller = Caller {
            reach: Some(Reach {
                files: [file.to_owned()].into(),
                ..no_reach()
            }),
            ..Caller::default()
        };
        let request = request("Bash", json!({"command": "echo ran"}));
        block_on(world.tools.call(&request, &caller)).unwrap()
    };
    let absolute = world.project().join("link-out/new").display().to_string();
    for (file, reason) in [
        ("link-out/new", "leads out"),
        ("./src/../link-out/new", "leads out"),
        ("link-in/../new", "use that name"),
        ("link-out/../new", "leads out"),
        ("src/../link-in/../../new", "use that name"),
        ("dangling-out", "broken link"),
        ("link-file", "leads out"),
        ("link-in/new", "use that name"),
        (&absolute, "leads out"),
    ] {
        let answer = answer(file);
        assert!(
            answer.is_error && answer.text.contains(reason),
            "{file}: {}",
            answer.text
        );
    }
    for file in ["", "src/new", "new/../src/a.txt", "/tmp/new", "../new", "~/new"] {
        let answer = answer(file);
        assert!(!answer.is_error, "{file}: {}", answer.text);
    }
}

/// A directory is replaced with a link between the check and the access.
#[test]
fn no_race_leads_out_of_the_project() {
    let world = world();
    let swap = world.project().join("swap");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // The tools may be quicker and put something in its place: then it is the next round's.
            while !stop.load(Ordering::Relaxed) {
                let _ = fs::create_dir(&swap);
                let _ = fs::write(swap.join("secret"), "own");
                let _ = fs::remove_dir_all(&swap);
                let _ = symlink("../outside", &swap);
                let _ = fs::remove_file(&swap);
            }
        });
        let leaks = (0..500).any(|_| {
            let read = world.call("Read", json!({"file_path": "swap/secret"}));
            let write = json!({"file_path": "swap/mine", "content": "mine"});
            world.call("Write", write);
            let found = world.call("Grep", json!({"path": "swap", "pattern": "secret"}));
            let shown = read.text.contains(SECRET) || found.text.contains(SECRET);
            shown || fs::symlink_metadata(world.path().join("outside/mine")).is_ok()
        });
        stop.store(true, Ordering::Relaxed);
        assert!(!leaks);
    });
}

#[test]
fn searches_do_not_follow_links() {
    let world = world();
    for (tool, arguments) in [
        ("Glob", json!({"pattern": "**/*"})),
        (
            "Grep",
            json!({"pattern": ".", "output_mode": "files_with_matches"}),
        ),
    ] {
        assert_eq!(world.done(tool, arguments), "src/a.txt");
    }
    for pattern in ["../**", "/etc/*", "~/*", "src/../../outside/*"] {
        world.refused("Glob", json!({"pattern": pattern}));
    }
}
