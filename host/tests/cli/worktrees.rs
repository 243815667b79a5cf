//! Agents that work in git worktrees of their own.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::world::{Run, World};

/// Longer than any machine takes.
const PATIENCE: Duration = Duration::from_secs(120);

pub(super) const QUIET: &str = "(no output)";

/// What a call is answered with that may have been made.
const IN_DOUBT: &str = "The session was interrupted during this call. It may have taken effect, wholly or in part: check before \
                        you repeat it.";

pub(crate) const IDENTITY: &str = "[user]\nname = Tester\nemail = tester@example.invalid\n[init]\ndefaultBranch = main\n\
                        [protocol \"file\"]\nallow = always\n";

pub(super) fn agent(name: &str, keys: &str) -> String {
    format!("---\nname: {name}\ndescription: Works\n{keys}---\nWork.\n")
}

/// An isolated agent, files, and an ignored kind of file. There is no repository yet.
pub(super) fn files() -> World {
    World::new()
        .file("../home/.gitconfig", IDENTITY)
        .file(".gitignore", "*.log\n")
        .file("a.txt", "a\n")
        .file(
            ".claude/agents/apart.md",
            agent("apart", "tools: Bash, Read, Write\nisolation: worktree\n"),
        )
}

/// The same, in a repository with one commit.
fn world() -> World {
    let world = files();
    commit(&world, world.at("."));
    world
}

pub(crate) fn commit(world: &World, directory: PathBuf) {
    for arguments in [&["init", "-q"][..], &["add", "-A"], &["commit", "-qm", "start"]] {
        git(world, &directory, arguments);
    }
}

/// The output of git, with the settings of the world's user.
fn git(world: &World, directory: impl AsRef<Path>, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    let output = command
        .current_dir(directory)
        .env("HOME", world.at("../home"))
        .env("GIT_EDITOR", "echo changed >")
        .env_remove("XDG_CONFIG_HOME")
        .args(arguments)
        .output()
        .expect("git is installed");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("names are UTF-8")
}

fn line(agent: &[&str], tools: &[&str], said: &[Value], answer: &Value) -> String {
    let messages = [&[json!({"role": "system", "text": "Work."})][..], said].concat();
    json!({"agent": agent, "model": "any", "tools": tools, "messages": messages, "answer": answer})
        .to_string()
}

pub(super) fn calls(tool: &str, arguments: &Value) -> Value {
    let call = json!({"id": "1", "name": tool, "arguments": arguments.to_string()});
    json!({"calls": [call], "input-tokens": 1, "output-tokens": 1})
}

/// A recording in which an agent makes one call, and is done once it is answered.
pub(super) fn once(
    agent: &[&str],
    tools: &[&str],
    call: &Value,
    result: &str,
    is_error: bool,
) -> [String; 2] {
    let task = json!({"role": "user", "text": "Go"});
    let after = [
        task.clone(),
        json!({"role": "assistant", "calls": call["calls"]}),
        json!({"role": "tool", "text": result, "answers": "1", "is-error": is_error}),
    ];
    let done = json!({"text": "Done.", "input-tokens": 1, "output-tokens": 1});
    [
        line(agent, tools, &[task], call),
        line(agent, tools, &after, &done),
    ]
}

const TOOLS: [&str; 3] = ["Bash", "Read", "Write"];

pub(super) fn recording(world: &World, lines: &[String]) -> String {
    let path = world.at("../replay.jsonl");
    let text = format!("{{\"callsheet-recording\":1}}\n{}\n", lines.join("\n"));
    std::fs::write(&path, text).expect("a file");
    format!("replay:{}", path.display())
}

pub(super) fn words<'a>(agent: &'a str, model: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let usual = [
        "run",
        agent,
        "Go",
        "--as",
        "claude-code",
        "--model",
        model,
        "--confine",
        "off",
    ];
    [&usual, more].concat()
}

pub(super) const BYPASS: [&str; 2] = ["--permission-mode", "bypass"];

/// Runs the agent, which calls a shell command.
fn shell(world: &World, command: &str, result: &str, more: &[&str]) -> Run {
    let call = calls("Bash", &json!({ "command": command }));
    let model = recording(world, &once(&["apart"], &TOOLS, &call, result, false));
    world.run(&words("apart", &model, &[&BYPASS, more].concat()))
}

/// The directory that contains the worktrees of all sessions.
fn state(world: &World) -> PathBuf {
    world.at("../home/.local/state/callsheet/worktrees")
}

/// Worktrees and branches that are left.
fn left(world: &World) -> (usize, String) {
    let directories = std::fs::read_dir(state(world))
        .map(Iterator::count)
        .unwrap_or_default();
    let branches = git(
        world,
        world.at("."),
        &["branch", "--list", "callsheet/*", "other"],
    );
    let worktrees = git(world, world.at("."), &["worktree", "list"]).lines().count();
    assert_eq!(worktrees - 1, directories);
    (directories, branches)
}

/// What the summary says after this word.
fn told<'a>(run: &'a Run, name: &str) -> &'a str {
    let mut lines = run
        .err
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix(name));
    lines
        .next()
        .unwrap_or_else(|| panic!("no {name}: {}", run.err))
        .trim()
}

fn command(world: &World, line: &str) {
    let mut command = Command::new("sh");
    command
        .current_dir(world.at("."))
        .env("HOME", world.at("../home"));
    let command = command.env("GIT_EDITOR", "echo changed >").args(["-c", line]);
    let output = command.output().expect("there is a shell");
    assert!(
        output.status.success(),
        "{line}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn worktrees_without_changes_are_removed() {
    let world = world();
    for read in [
        "cat a.txt",
        "git switch -q -c more && git switch -q - && cat a.txt",
    ] {
        let run = shell(&world, read, "a\n", &[]);
        assert_eq!((run.code, &*run.out), (Some(0), "Done.\n"), "{}", run.err);
        assert!(!run.err.contains("worktree"), "{}", run.err);
        assert_eq!(left(&world), (0, String::new()));
    }
}

/// Whatever an agent leaves is kept, and the commands that are printed merge and delete it.
#[test]
fn changes_are_kept_until_the_user_deletes_them() {
    let commit = "echo b > a.txt && git commit -qam b";
    for (work, changes, merged) in [
        ("echo b > a.txt", "changed: a.txt; not committed: a.txt", "b\n"),
        (
            "echo b > a.txt && git add .",
            "changed: a.txt; not committed: a.txt",
            "b\n",
        ),
        (
            "mkdir new && touch new/x",
            "changed: new/; not committed: new/",
            "a\n",
        ),
        ("touch x.log", "ignored by git: x.log", "a\n"),
        (commit, "1 commit; changed: a.txt", "b\n"),
        (
            &format!("{commit} && echo c > a.txt"),
            "1 commit; changed: a.txt; not committed: a.txt",
            "c\n",
        ),
        (
            &format!("git switch -qc other && {commit}"),
            "1 commit; changed: a.txt",
            "b\n",
        ),
        (
            &format!("git switch -q --detach && {commit}"),
            "1 commit; changed: a.txt",
            "b\n",
        ),
        (
            &format!("{commit} && git reset -q --hard HEAD~"),
            "undone commits",
            "a\n",
        ),
    ] {
        let world = world();
        let run = shell(&world, work, QUIET, &[]);
        assert_eq!((run.code, &*run.out), (Some(0), "Done.\n"), "{}", run.err);
        let heading = format!("worktree of apart kept: {changes}\n");
        assert!(run.err.contains(&heading), "{work}: {}", run.err);
        assert_eq!(world.bytes("a.txt"), b"a\n", "{work}");
        assert_eq!(
            git(&world, world.at("."), &["status", "--porcelain"]),
            "",
            "{work}"
        );
        let (path, branch) = (told(&run, "path "), told(&run, "branch "));
        assert!(Path::new(path).join("a.txt").exists(), "{path}");
        assert!(
            branch.starts_with("callsheet/apart-") && branch.ends_with("-0"),
            "{branch}"
        );
        for name in ["commit ", "merge "] {
            if run.err.contains(&format!("\n  {name}")) {
                command(&world, told(&run, name));
            }
        }
        assert_eq!(world.bytes("a.txt"), merged.as_bytes(), "{work}: {}", run.err);
        command(&world, told(&run, "delete "));
        assert_eq!(
            git(&world, world.at("."), &["worktree", "list"]).lines().count(),
            1
        );
    }
}

/// Without a worktree, the agent would change the files that it is to leave alone.
#[test]
fn agents_without_a_worktree_do_not_run() {
    type Prepare = fn(&World);
    let bare = |world: &World| {
        git(world, world.at("."), &["init", "-q", "--bare", ".git"]);
    };
    let unborn = |world: &World| {
        git(world, world.at("."), &["init", "-q"]);
    };
    let elsewhere = |world: &World| {
        commit(world, world.at("."));
        git(world, world.at("."), &["config", "core.worktree", ".."]);
        std::fs::rename(world.at(".git"), world.at("../moved")).expect("it is ours");
        std::fs::write(world.at(".git"), "gitdir: ../moved").expect("it is ours");
        git(
            world,
            world.at("../moved"),
            &["config", "core.worktree", "../home"],
        );
    };
    let untracked = |world: &World| {
        git(world, world.at(".."), &["init", "-q"]);
        git(
            world,
            world.at(".."),
            &["commit", "-q", "--allow-empty", "-m", "start"],
        );
    };
    let around = |world: &World| {
        git(world, world.at(".."), &["init", "-q"]);
        git(world, world.at(".."), &["add", "project"]);
        git(world, world.at(".."), &["commit", "-qm", "start"]);
    };
    let cases: [(Prepare, &str); 6] = [
        (|_| {}, "the project is not in a git repository"),
        (bare, "the repository has no working tree"),
        (unborn, "the repository has no commits yet"),
        (elsewhere, "the repository's working tree is in another place"),
        (untracked, "the project's directory is not in the last commit"),
        (around, "the user's state directory is in the repository"),
    ];
    for (prepare, reason) in cases {
        let world = files();
        prepare(&world);
        let run = shell(&world, "touch changed", QUIET, &[]);
        let expected = format!("`apart` requires isolation `worktree`: {reason}");
        assert_eq!(run.code, Some(5), "{reason}: {}", run.err);
        assert!(run.err.contains(&expected), "{reason}: {}", run.err);
        assert!(
            !world.at("changed").exists() && !state(&world).exists(),
            "{reason}"
        );
    }
    let world = world();
    let call = calls("Bash", &json!({"command": "true"}));
    let model = recording(&world, &once(&["apart"], &TOOLS, &call, QUIET, false));
    let mut command = world.callsheet(&words("apart", &model, &[]));
    let run = Run::from(command.env("PATH", world.at("none")).output().expect("it starts"));
    assert!(run.err.contains("git is not installed"), "{}", run.err);
}

/// A repository comes from strangers: nothing that it configures runs while worktrees are made and removed.
#[test]
fn no_program_of_a_repository_runs() {
    let plant = |world: &World| {
        let canary = world.at("../canary").display().to_string();
        let script = format!("#!/bin/sh\necho \"$0 $*\" >> '{canary}'\ncat\n");
        for name in [
            ".git/hooks/post-checkout",
            ".git/hooks/reference-transaction",
            "../hooks/post-checkout",
            "../program",
        ] {
            let path = world.at(name);
            std::fs::create_dir_all(path.parent().expect("it is in a directory")).expect("a directory");
            std::fs::write(&path, &script).expect("a file");
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
        }
        std::fs::write(world.at(".git/info/attributes"), "*.txt filter=x.y\n").expect("a file");
        let program = world.at("../program").display().to_string();
        for key in [
            "core.fsmonitor",
            "filter.x.y.smudge",
            "filter.x.y.clean",
            "gpg.program",
        ] {
            git(world, world.at("."), &["config", key, &program]);
        }
        git(world, world.at("."), &["config", "filter.x.y.required", "true"]);
        git(world, world.at("."), &["config", "log.showSignature", "true"]);
    };
    let has_run = |world: &World| std::fs::read_to_string(world.at("../canary")).unwrap_or_default();
    for is_own in [false, true] {
        let world = world();
        plant(&world);
        if is_own {
            git(&world, world.at("."), &["config", "core.hooksPath", "../hooks"]);
        }
        let _ = std::fs::remove_file(world.at("../canary"));
        let run = shell(&world, "cat a.txt", "a\n", &[]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(has_run(&world), "", "{}", run.err);
        assert_eq!(
            std::fs::read_dir(state(&world))
                .map(Iterator::count)
                .unwrap_or_default(),
            0
        );
        // The same without protection.
        git(&world, world.at("."), &["worktree", "add", "-q", "../plain"]);
        let ran = has_run(&world);
        assert!(ran.contains("post-checkout") && ran.contains("/program"), "{ran}");
    }
}

/// Git starts itself in a repository within another one, where none of our settings disable filters.
#[test]
fn no_program_of_a_repository_within_another_one_runs() {
    let world = world();
    let canary = world.at("../canary").display().to_string();
    let nested = format!(
        "git init -q sub && echo a > sub/f && git -C sub add f && git -C sub commit -qm s \
         && git -c advice.addEmbeddedRepo=false add sub 2>/dev/null && echo '* filter=x' > sub/.git/info/attributes \
         && git -C sub config filter.x.clean 'echo ran >> \"{canary}\"; cat' && echo b > sub/f"
    );
    let run = shell(&world, &nested, QUIET, &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("worktree of apart kept: "), "{}", run.err);
    assert!(!world.at("../canary").exists(), "when a worktree is left");
    command(&world, told(&run, "delete "));
    command(&world, &nested);
    let run = shell(&world, "cat a.txt", "a\n", &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(!world.at("../canary").exists(), "when a run starts");
    // The same without protection.
    git(&world, world.at("."), &["status"]);
    assert!(world.at("../canary").exists());
}

#[test]
fn a_project_may_be_a_directory_of_a_repository_with_any_name() {
    let inner = "packages/a b'ü$(x)";
    let world = World::new()
        .file("../home/.gitconfig", IDENTITY)
        .file("outside.txt", "o\n")
        .file(&format!("{inner}/a.txt"), "a\n")
        .file(
            &format!("{inner}/.claude/agents/ap'art ü.md"),
            agent("ap'art ü", "tools: Bash, Read, Write\nisolation: worktree\n"),
        );
    commit(&world, world.at("."));
    let call = calls("Write", &json!({"file_path": "new.txt", "content": "new"}));
    let result = "`new.txt` was created: 3 bytes";
    let model = recording(&world, &once(&["ap'art ü"], &TOOLS, &call, result, false));
    let run = world.run(&words(
        "ap'art ü",
        &model,
        &[&BYPASS[..], &["--project", inner]].concat(),
    ));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let new = format!("{inner}/new.txt");
    assert!(run.err.contains(&format!("changed: {new};")), "{}", run.err);
    assert!(
        told(&run, "branch ").starts_with("callsheet/ap-art"),
        "{}",
        run.err
    );
    assert!(!world.at(&new).exists());
    command(&world, told(&run, "commit "));
    command(&world, told(&run, "merge "));
    assert_eq!(world.bytes(&new), b"new");
    command(&world, told(&run, "delete "));
}

#[test]
fn uncommitted_changes_are_not_in_it() {
    let world = world();
    std::fs::write(world.at("a.txt"), "mine\n").expect("it is ours");
    let run = shell(&world, "cat a.txt", "a\n", &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let note = "note: uncommitted changes of the project are not in worktrees\n";
    assert!(run.err.contains(note), "{}", run.err);
    assert_eq!(world.bytes("a.txt"), b"mine\n");
}

/// The user merged and deleted what was kept: the next message starts from there.
#[test]
fn finished_sessions_continue_in_a_new_worktree() {
    let world = world();
    let run = shell(&world, "echo b > a.txt", QUIET, &[]);
    for name in ["commit ", "merge ", "delete "] {
        command(&world, told(&run, name));
    }
    let user = |text: &str| json!({"role": "user", "text": text});
    let bash = |id: &str, command: &str| {
        let call = json!({"id": id, "name": "Bash", "arguments": json!({ "command": command }).to_string()});
        json!({"calls": [call], "input-tokens": 1, "output-tokens": 1})
    };
    let (first, second) = (bash("1", "echo b > a.txt"), bash("2", "cat a.txt"));
    let mut said = vec![
        user("Go"),
        json!({"role": "assistant", "calls": first["calls"]}),
        json!({"role": "tool", "text": QUIET, "answers": "1"}),
        json!({"role": "assistant", "text": "Done."}),
        user("More"),
    ];
    let third = line(&["apart"], &TOOLS, &said, &second);
    said.push(json!({"role": "assistant", "calls": second["calls"]}));
    said.push(json!({"role": "tool", "text": "b\n", "answers": "2"}));
    let done = json!({"text": "Seen.", "input-tokens": 1, "output-tokens": 1});
    let model = recording(&world, &[third, line(&["apart"], &TOOLS, &said, &done)]);
    let listed = world.run(&["sessions", "--format", "json"]);
    let listed: Value = serde_json::from_str(&listed.out).expect("it is JSON");
    let id = listed["sessions"][0]["id"].as_str().expect("a name");
    let run = world.run(&[
        "sessions",
        "send",
        id,
        "More",
        "--model",
        &model,
        "--confine",
        "off",
    ]);
    assert_eq!((run.code, &*run.out), (Some(0), "Seen.\n"), "{}", run.err);
    assert_eq!(left(&world), (0, String::new()));
    let again = world.run(&["run", "--resume", id, "--model", &model]);
    assert_eq!((again.code, &*again.out), (Some(0), "Seen.\n"), "{}", again.err);
}

/// The caller continues in the project, and learns that the changes are elsewhere.
#[test]
fn callers_keep_working_in_the_project() {
    let world = world().file(".claude/agents/lead.md", agent("lead", "tools: Read, Agent\n"));
    let task = json!({"description": "x", "prompt": "Go", "subagent_type": "apart"});
    let child = calls("Bash", &json!({"command": "echo b > a.txt"}));
    let call = calls("Agent", &task);
    let said = json!({"role": "user", "text": "Go"});
    let called = json!({"role": "assistant", "calls": call["calls"]});
    let note = "Done.\n\n[apart worked in a git worktree of its own: the files here are as they were]";
    let answered = json!({"role": "tool", "text": note, "answers": "1"});
    let read = json!({"calls": [{"id": "2", "name": "Read", "arguments": "{\"file_path\":\"a.txt\"}"}], "input-tokens": 1, "output-tokens": 1});
    let seen = json!({"role": "tool", "text": "     1\ta", "answers": "2"});
    let again = json!({"role": "assistant", "calls": read["calls"]});
    let done = json!({"text": "Led.", "input-tokens": 1, "output-tokens": 1});
    let tools = ["Agent", "Read"];
    let own = [
        line(&["lead"], &tools, std::slice::from_ref(&said), &call),
        line(
            &["lead"],
            &tools,
            &[said.clone(), called.clone(), answered.clone()],
            &read,
        ),
        line(&["lead"], &tools, &[said, called, answered, again, seen], &done),
    ];
    let inner = once(&["lead", "apart"], &TOOLS, &child, QUIET, false);
    let model = recording(&world, &[&own[..], &inner[..]].concat());
    let run = world.run(&words("lead", &model, &[&BYPASS[..], &["--json"]].concat()));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let last: Value =
        serde_json::from_str(run.out.lines().last().expect("there are lines")).expect("it is JSON");
    let kept = &last["worktrees"][0];
    assert_eq!(
        (&kept["agent"], &kept["files"], &kept["commits"]),
        (&json!(["lead", "apart"]), &json!(["a.txt"]), &json!(0)),
        "{last}"
    );
    let id = last["session"].as_str().expect("it is saved");
    let shown = world.run(&["sessions", "show", id, "--format", "json"]);
    let shown: Value = serde_json::from_str(&shown.out).expect("it is JSON");
    assert_eq!(shown["sessions"][0]["worktrees"], last["worktrees"]);
    let shown = world.run(&["sessions", "show", id]);
    let heading = "worktree of lead > apart kept: changed: a.txt; not committed: a.txt\n";
    assert!(shown.out.contains(heading), "{}", shown.out);
    let removed = world.run(&["sessions", "rm", "--older-than", "0h"]);
    let kept = format!(
        "{id} is kept: a worktree of it has changes; `callsheet sessions show {id}` names it\nsessions removed: 0\n"
    );
    assert_eq!((removed.code, removed.err), (Some(0), kept));
    let removed = world.run(&["sessions", "rm", id]);
    assert!(
        removed.err.contains(heading),
        "a session goes, its worktree stays: {}",
        removed.err
    );
    assert_eq!(left(&world).0, 1);
}

/// A call that needs confirmation is shown as it would be made in the worktree.
#[test]
fn denied_calls_leave_no_worktree() {
    let world = world();
    let call = calls("Write", &json!({"file_path": "a.txt", "content": "b"}));
    let refused = "the tool could not be called: not permitted: `Write` needs permission, and there is no terminal to ask the user. The user can \
                   allow it with `--allow 'Write(/a.txt)'`, or with a wider `--permission-mode`";
    let model = recording(&world, &once(&["apart"], &TOOLS, &call, refused, true));
    let run = world.run(&words("apart", &model, &[]));
    assert_eq!(run.code, Some(3), "{}", run.err);
    assert_eq!(left(&world), (0, String::new()));
}

/// File tools have the same limits as in the project.
#[test]
fn links_do_not_lead_out_of_a_worktree() {
    let world = files();
    std::os::unix::fs::symlink(world.at("."), world.at("here")).expect("it is ours");
    std::os::unix::fs::symlink("..", world.at("up")).expect("it is ours");
    commit(&world, world.at("."));
    for path in ["here/a.txt", "up/x.txt"] {
        let call = calls("Write", &json!({"file_path": path, "content": "b"}));
        let refused = format!("`{path}` is a link that leads out of the project; tools cannot follow it");
        let model = recording(&world, &once(&["apart"], &TOOLS, &call, &refused, true));
        let run = world.run(&words("apart", &model, &BYPASS));
        assert_eq!(run.code, Some(0), "{path}: {}", run.err);
        assert_eq!(world.bytes("a.txt"), b"a\n");
    }
    assert_eq!(left(&world), (0, String::new()));
}

/// Commands are confined to the worktree as to the project otherwise: the project itself cannot be written.
#[test]
#[cfg(target_os = "linux")]
fn commands_are_confined_to_a_worktree() {
    for how in ["best", "off"] {
        let world = world();
        let project = world.at("a.txt").display().to_string();
        let line = format!("(echo c > '{project}') 2>/dev/null; echo b > a.txt; cat a.txt");
        let call = calls("Bash", &json!({ "command": line }));
        let model = recording(&world, &once(&["apart"], &TOOLS, &call, "b\n", false));
        let usual = words("apart", &model, &BYPASS);
        let usual: Vec<&str> = usual
            .iter()
            .map(|word| if *word == "off" { how } else { word })
            .collect();
        let run = world.run(&usual);
        if run.err.contains("cannot be confined here") {
            eprintln!("skipped: {}", run.err);
            continue;
        }
        assert_eq!((run.code, &*run.out), (Some(0), "Done.\n"), "{}", run.err);
        assert!(run.err.contains("kept: changed: a.txt;"), "{}", run.err);
        // Unconfined, the same command has the user's permissions.
        let written: &[u8] = if how == "off" { b"c\n" } else { b"a\n" };
        assert_eq!(world.bytes("a.txt"), written, "{how}");
    }
}

#[test]
fn submodules_are_not_checked_out() {
    let world = files().file("../part/b.txt", "b\n");
    commit(&world, world.at("../part"));
    git(&world, world.at("."), &["init", "-q"]);
    git(
        &world,
        world.at("."),
        &["submodule", "--quiet", "add", "../part", "part"],
    );
    commit(&world, world.at("."));
    let run = shell(&world, "ls part", QUIET, &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(left(&world), (0, String::new()));
    // Git is not asked whether files in them have changed.
    let work = "git submodule --quiet update --init && echo c > part/b.txt";
    let run = shell(&world, work, QUIET, &[]);
    assert!(run.err.contains("ignored by git: part\n"), "{}", run.err);
}

/// A model that calls this command.
fn calling(world: &World, command: &str) -> String {
    let call = calls("Bash", &json!({ "command": command }));
    recording(world, &once(&["apart"], &TOOLS, &call, IN_DOUBT, true))
}

fn start(world: &World, model: &str) -> Child {
    let mut command = world.callsheet(&words("apart", model, &BYPASS));
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

/// The worktrees that contain this file, once there are so many.
fn trees_with(world: &World, name: &str, count: usize) -> Vec<PathBuf> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let sessions = std::fs::read_dir(state(world)).into_iter().flatten().flatten();
        let trees = sessions.map(|session| session.path().join("0"));
        let trees: Vec<PathBuf> = trees.filter(|tree| tree.join(name).exists()).collect();
        if trees.len() == count {
            return trees;
        }
        assert!(Instant::now() < deadline, "{trees:?}");
        sleep(Duration::from_millis(2));
    }
}

/// Ends the command that a killed run left behind, which has written its number.
fn end_command(tree: &Path) {
    let number = std::fs::read_to_string(tree.join("mark")).expect("it is there");
    let ended = Command::new("kill").arg(number.trim()).status();
    assert!(ended.expect("there is a `kill`").success());
}

/// Two runs at once have their own. Killed, both are resumed where they were; what is missing then is an error.
#[test]
fn killed_runs_are_resumed_in_their_worktrees() {
    let world = world();
    // One recording: a run must not read what the other one's start is writing.
    let model = calling(&world, "echo $$ > part && mv part mark && exec sleep 600");
    let mut runs = [(); 2].map(|()| start(&world, &model));
    let trees = trees_with(&world, "mark", 2);
    for run in &mut runs {
        run.kill().expect("it is ours");
        run.wait().expect("it ends");
    }
    trees.iter().for_each(|tree| end_command(tree));
    let listed = world.run(&["sessions", "--format", "json"]);
    let listed: Value = serde_json::from_str(&listed.out).expect("it is JSON");
    let ids = listed["sessions"].as_array().expect("a list").iter();
    let ids: Vec<&str> = ids.map(|it| it["id"].as_str().expect("a name")).collect();
    assert_eq!(ids.len(), 2);
    let model = format!("replay:{}", world.at("../replay.jsonl").display());
    let resume = |id: &str| world.run(&["run", "--resume", id, "--model", &model, "--confine", "off"]);
    let run = resume(ids[0]);
    assert_eq!((run.code, &*run.out), (Some(0), "Done.\n"), "{}", run.err);
    assert!(
        run.err.contains("kept: changed: mark; not committed: mark"),
        "{}",
        run.err
    );
    let path = PathBuf::from(told(&run, "path "));
    assert!(
        trees
            .iter()
            .any(|tree| tree.canonicalize().ok() == Some(path.clone())),
        "{path:?}"
    );
    let other = trees
        .iter()
        .find(|tree| tree.canonicalize().ok() != Some(path.clone()));
    let other = other.expect("each has its own");
    std::fs::remove_dir_all(other).expect("it is ours");
    let run = resume(ids[1]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert!(
        run.err
            .contains("of apart was removed; its branch was callsheet/apart-"),
        "{}",
        run.err
    );
    let branch = run
        .err
        .split("its branch was ")
        .nth(1)
        .and_then(|rest| rest.lines().next());
    let branch = branch.expect("it is named");
    let place = other.to_str().expect("it is UTF-8");
    git(
        &world,
        world.at("."),
        &["worktree", "add", "-q", "--force", place, branch],
    );
    assert_eq!(resume(ids[1]).code, Some(0));
    assert_eq!(left(&world).0, 1, "the mark was deleted with the directory");
}

/// A run that was killed while it made a worktree makes it again: no agent has worked there.
#[test]
fn half_made_worktrees_are_made_again() {
    let world = world();
    let mut run = start(
        &world,
        &calling(&world, "echo $$ > part && mv part mark && exec sleep 600"),
    );
    let tree = trees_with(&world, "mark", 1).remove(0);
    run.kill().expect("it is ours");
    run.wait().expect("it ends");
    end_command(&tree);
    let record = tree.with_extension("json");
    let text = std::fs::read_to_string(&record).expect("it is there");
    std::fs::write(&record, text.replace("\"is_made\":true", "\"is_made\":false")).expect("it is ours");
    let listed = world.run(&["sessions", "--format", "json"]);
    let listed: Value = serde_json::from_str(&listed.out).expect("it is JSON");
    let id = listed["sessions"][0]["id"].as_str().expect("a name");
    // The call is in doubt and not repeated, so the worktree is only needed by the next one.
    let task = json!({"role": "user", "text": "Go"});
    let first = calls(
        "Bash",
        &json!({"command": "echo $$ > part && mv part mark && exec sleep 600"}),
    );
    let second = json!({"calls": [{"id": "2", "name": "Bash", "arguments": "{\"command\":\"ls\"}"}], "input-tokens": 1, "output-tokens": 1});
    let said = [
        task,
        json!({"role": "assistant", "calls": first["calls"]}),
        json!({"role": "tool", "text": IN_DOUBT, "answers": "1", "is-error": true}),
    ];
    let after = [
        &said[..],
        &[
            json!({"role": "assistant", "calls": second["calls"]}),
            json!({"role": "tool", "text": "a.txt\n", "answers": "2"}),
        ],
    ]
    .concat();
    let done = json!({"text": "Done.", "input-tokens": 1, "output-tokens": 1});
    let lines = [
        line(&["apart"], &TOOLS, &said, &second),
        line(&["apart"], &TOOLS, &after, &done),
    ];
    let model = recording(&world, &lines);
    let run = world.run(&["run", "--resume", id, "--model", &model, "--confine", "off"]);
    assert_eq!((run.code, &*run.out), (Some(0), "Done.\n"), "{}", run.err);
    assert_eq!(left(&world), (0, String::new()));
}
