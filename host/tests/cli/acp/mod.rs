//! Conversations with an editor, as files: the project, and the lines of both sides.
//!
//! Each conversation has a program of its own. In it, `> ` is a message of the editor, `>> ` a line that is none, and `< ` what the program
//! sends. `$SESSION` is the conversation and `$PROJECT` its folder. `open` begins one with an agent, `share` does so in an editor that shares its files, `prompt` sends a message, `choose`
//! answers the question, `dismiss` does not, `cancel` stops the answer, `read` shows a file, `reach` allows a command and waits until it reads the pipe,
//! `hear` waits for a message, `release` closes the pipe, and `kill` kills the program. `== repository` commits the files before it. `BLESS=1` writes the answers.

mod editor;
mod official;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use self::editor::Editor;
use super::worktrees::{IDENTITY, commit};
use super::world::World;

/// The pipe that commands read.
const PIPE: &str = "pipe";

/// Plays a line, and returns the answers.
fn answers(editor: &mut Editor, world: &World, line: &str, pipe: &mut Option<File>) -> Vec<String> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let number = editor.next_id();
    match verb {
        ">" => editor.send(serde_json::from_str(rest).expect("a message")),
        ">>" => editor.send_line(rest),
        "open" | "share" => {
            let shares = verb == "share";
            let files = json!({"fs": {"readTextFile": shares, "writeTextFile": shares}});
            let about = json!({"protocolVersion": 1, "clientCapabilities": files});
            let open = json!({"cwd": "$PROJECT", "mcpServers": []});
            let mode = json!({"sessionId": "$SESSION", "modeId": rest});
            editor.send(json!({"id": number, "method": "initialize", "params": about}));
            editor.send(json!({"id": number + 1, "method": "session/new", "params": open}));
            editor.send(json!({"id": number + 2, "method": "session/set_mode", "params": mode}));
            Vec::new()
        }
        "prompt" => {
            let prompt = json!({"sessionId": "$SESSION", "prompt": [{"type": "text", "text": rest}]});
            editor.send(json!({"id": number, "method": "session/prompt", "params": prompt}))
        }
        "choose" => {
            editor.reply(&json!({"outcome": "selected", "optionId": rest}));
            editor.answers(None)
        }
        "dismiss" => {
            editor.reply(&json!({"outcome": "cancelled"}));
            editor.answers(None)
        }
        "cancel" => editor.send(json!({"method": "session/cancel", "params": {"sessionId": "$SESSION"}})),
        "read" => {
            let text = fs::read_to_string(world.at(rest)).ok();
            vec![text.map_or(Value::Null, Value::from).to_string()]
        }
        "reach" => {
            editor.reply(&json!({"outcome": "selected", "optionId": "once"}));
            // Opened once the command has opened it, too.
            *pipe = Some(File::options().write(true).open(world.at(PIPE)).expect("a pipe"));
            Vec::new()
        }
        "hear" => vec![editor.next().0],
        "release" => {
            *pipe = None;
            editor.answers(None)
        }
        "kill" => {
            editor.kill();
            Vec::new()
        }
        _ => panic!("unknown: {line}"),
    }
}

/// Processes that run in the project.
fn left_in(world: &World) -> Vec<String> {
    let project = world.at("").canonicalize().expect("the project");
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter(|process| {
            let folder = fs::read_link(process.path().join("cwd"));
            folder.is_ok_and(|folder| folder.starts_with(&project))
        })
        .map(|process| fs::read_to_string(process.path().join("cmdline")).unwrap_or_default())
        .collect()
}

fn converse(world: &World, options: &str, session: &mut String, text: &str) -> String {
    let (mut played, mut pipe) = (String::new(), None);
    let mut editor = Editor::start(world, options, std::mem::take(session));
    let sent = |line: &&str| !["", "exit 0", "killed"].contains(line) && !line.starts_with("< ");
    for line in text.lines().filter(sent) {
        let _ = writeln!(played, "{line}");
        for answer in answers(&mut editor, world, line, &mut pipe) {
            let _ = writeln!(played, "< {answer}");
        }
    }
    session.clone_from(&editor.session);
    let (end, is_killed) = editor.close();
    let _ = writeln!(played, "{end}");
    // A killed program cannot end its commands.
    assert!(is_killed || left_in(world).is_empty(), "{:?}", left_in(world));
    played
}

fn play(file: &Path) -> (String, String) {
    let expected = fs::read_to_string(file).expect("a file");
    let (mut world, mut played) = (World::new(), String::new());
    let (mut options, mut session) = (String::new(), String::new());
    if expected.contains(PIPE) {
        let made = Command::new("mkfifo").arg(world.at(PIPE)).status();
        assert!(made.expect("mkfifo starts").success());
    }
    let mut lines = expected.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        played.push_str(line);
        let Some(name) = line.strip_prefix("== ").map(str::trim_end) else {
            continue;
        };
        let mut text = String::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("== ")) {
            text.push_str(line);
        }
        match name {
            "conversation" => text = converse(&world, &options, &mut session, &text),
            "options" => options.clone_from(&text),
            "repository" => {
                world = world.file("../home/.gitconfig", IDENTITY);
                commit(&world, world.at("."));
            }
            _ => world = world.file(name, &text),
        }
        played.push_str(&text);
    }
    (expected, played)
}

#[test]
fn conversations_are_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/acp");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "acp"));
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let (expected, played) = play(&file);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&file, played).unwrap();
        } else {
            assert_eq!(played, expected, "{}", file.display());
        }
    }
}

#[test]
fn options_of_one_session_are_refused() {
    for options in [&["--json"][..], &["--no-save"], &["--record", "a.jsonl"]] {
        let run = World::new().run(&[&["acp"], options].concat());
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.err);
    }
}
