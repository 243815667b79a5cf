//! `run --view` in a terminal: `.ci/tmux` installs tmux, and `CALLSHEET_TMUX` says where it is.

use std::ffi::OsString;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::spent;
use super::world::World;

/// How long to wait for a screen before the test fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// What remains in the terminal after the program: its status, and the settings.
const AFTER: &str =
    "echo \"status $?\"; stty -a | tr ' ' '\\n' | grep -xE -- '-?(echo|icanon|isig);?'; exec cat";

/// A terminal that runs the program.
struct Terminal {
    tmux: OsString,
    socket: tempfile::TempDir,
}

impl Terminal {
    /// None without tmux.
    fn open(world: &World, size: (u16, u16), words: &[&str]) -> Option<Self> {
        let tmux = std::env::var_os("CALLSHEET_TMUX").filter(|path| !path.is_empty());
        let Some(tmux) = tmux else {
            eprintln!("skipped: CALLSHEET_TMUX names no tmux; `.ci/tmux` installs one and says where");
            return None;
        };
        let this = Self {
            tmux,
            socket: tempfile::tempdir().expect("a temporary directory"),
        };
        let words = [&[env!("CARGO_BIN_EXE_callsheet")], words].concat();
        let line = shlex::try_join(words).expect("words without a null byte");
        let (width, height) = (size.0.to_string(), size.1.to_string());
        let mut command = this.command(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            &width,
            "-y",
            &height,
        ]);
        let started = command
            .arg(format!("{line}; {AFTER}"))
            .current_dir(world.at(""))
            .env("HOME", world.home())
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .env_remove("XDG_STATE_HOME")
            .status();
        assert!(started.expect("tmux starts").success());
        Some(this)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.tmux);
        command
            .args(["-u", "-S"])
            .arg(self.socket.path().join("tmux"))
            .args(words);
        command
    }

    fn press(&self, keys: &str) {
        let keys: Vec<&str> = keys.split_whitespace().collect();
        let sent = self.command(&[&["send-keys"], &*keys].concat()).status();
        assert!(sent.expect("tmux runs").success());
    }

    fn screen(&self) -> String {
        let shown = self.command(&["capture-pane", "-p"]).output().expect("tmux runs");
        String::from_utf8(shown.stdout).expect("the screen is UTF-8")
    }

    /// The first screen with all of these parts: one that is half drawn may lack any.
    fn shows(&self, parts: &[&str]) -> String {
        let begun = Instant::now();
        loop {
            let screen = self.screen();
            if parts.iter().all(|part| screen.contains(part)) {
                return screen;
            }
            assert!(begun.elapsed() < PATIENCE, "expected {parts:?}:\n{screen}");
        }
    }

    /// The program ended, and the terminal is as it was.
    fn ends(&self, status: i32) -> String {
        let screen = self.shows(&[&format!("status {status}\n"), "echo\n", "icanon\n", "isig\n"]);
        assert!(
            !screen.contains("-echo") && !screen.contains("-icanon") && !screen.contains("-isig"),
            "{screen}"
        );
        screen
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.command(&["kill-server"]).status();
    }
}

fn words<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [words, &["--view"]].concat()
}

#[test]
fn a_run_is_shown_and_its_answer_printed() {
    for (size, side_by_side) in [((80, 24), false), ((160, 50), true)] {
        let world = spent::world();
        let Some(terminal) = Terminal::open(&world, size, &words(&spent::RUN)) else {
            return;
        };
        let screen = terminal.shows(&[
            "finished, ",
            "3 turns, 1 agent called, 4,531 tokens, cost 0.0125",
            "✓ lead ",
            "  ✓ reader",
        ]);
        let titles = screen
            .lines()
            .find(|line| line.contains(" Agents "))
            .expect("a title");
        assert_eq!(titles.contains(" lead "), side_by_side, "{screen}");
        assert_eq!(screen.lines().count(), usize::from(size.1), "{screen}");
        terminal.press("Down");
        terminal.shows(&[" lead/reader ", "answered Three."]);
        terminal.press("Home Tab Up Enter");
        terminal.shows(&["lead: Agent", "prompt: Count.", "Three."]);
        terminal.press("Escape");
        terminal.shows(&[" Agents "]);
        terminal.press("q");
        let after = terminal.ends(0);
        assert!(after.contains("lead/reader: answered (1 turn, "), "{after}");
        assert!(after.contains("\nThere are three.\n"), "{after}");
    }
}

const WRITER: &str = "---\nname: writer\ndescription: Writes\ntools: Write\nmodel: sonnet\n---\nWrite.\n";

/// The writer writes a file, and says what the user decided.
fn writing() -> World {
    let call =
        json!({"id": "1", "name": "Write", "arguments": r#"{"file_path":"out.txt","content":"written\n"}"#});
    let first = json!({"calls": [call], "input-tokens": 1, "output-tokens": 1});
    let begun = vec![
        json!({"role": "system", "text": "Write."}),
        json!({"role": "user", "text": "Go."}),
    ];
    let line = |messages: &[Value], answer: &Value| {
        json!({"agent": ["writer"], "model": "sonnet", "tools": ["Write"], "messages": messages, "answer": answer})
            .to_string()
    };
    let mut lines = vec![
        json!({"callsheet-recording": 1}).to_string(),
        line(&begun, &first),
    ];
    for (result, is_error, said) in [
        ("`out.txt` was created: 8 bytes", false, "It is written."),
        (
            "the tool could not be called: not permitted: the user denied it: not now",
            true,
            "It is not written.",
        ),
    ] {
        let mut messages = begun.clone();
        messages.push(json!({"role": "assistant", "calls": first["calls"]}));
        messages.push(json!({"role": "tool", "text": result, "answers": "1", "is-error": is_error}));
        lines.push(line(
            &messages,
            &json!({"text": said, "input-tokens": 1, "output-tokens": 1}),
        ));
    }
    World::new()
        .file(".claude/agents/writer.md", WRITER)
        .file("replay.jsonl", lines.join("\n") + "\n")
}

const WRITES: [&str; 7] = [
    "run",
    "writer",
    "Go.",
    "--as",
    "claude-code",
    "--model",
    "replay:replay.jsonl",
];

#[test]
fn questions_are_answered_in_the_view() {
    for (keys, status, said, is_written) in [
        ("y Enter", 0, "It is written.", true),
        ("n n o t Space n o w Enter", 3, "It is not written.", false),
        ("Escape ? a Escape y Enter", 0, "It is written.", true),
    ] {
        let world = writing();
        let Some(terminal) = Terminal::open(&world, (80, 24), &words(&WRITES)) else {
            return;
        };
        terminal.shows(&["waits for your answer", "writer wants to use Write", "+written"]);
        assert!(!world.at("out.txt").exists());
        terminal.press(keys);
        terminal.shows(&["finished", said]);
        terminal.press("q");
        let after = terminal.ends(status);
        assert!(after.contains(said), "{after}");
        assert_eq!(world.at("out.txt").exists(), is_written);
    }
}

#[test]
fn an_interrupted_run_leaves_the_terminal_as_it_was_and_is_resumed() {
    let world = writing();
    let Some(terminal) = Terminal::open(&world, (80, 24), &words(&WRITES)) else {
        return;
    };
    terminal.shows(&["writer wants to use Write"]);
    terminal.press("C-c");
    let after = terminal.ends(130);
    assert!(!world.at("out.txt").exists());
    let (_, id) = after
        .split_once("to resume: callsheet run --resume ")
        .expect("it says how to resume");
    let id: String = id.chars().take_while(char::is_ascii_hexdigit).collect();
    let Some(terminal) = Terminal::open(&world, (80, 24), &words(&["run", "--resume", &id])) else {
        return;
    };
    terminal.shows(&[
        "writer wants to use Write",
        "● writer",
        "Write file_path: out.txt",
    ]);
    terminal.press("y Enter");
    terminal.shows(&["finished", "It is written."]);
    terminal.press("q");
    terminal.ends(0);
    assert!(world.at("out.txt").exists());
}

/// Before a question, and after the end: the program must not wait for keys that cannot come.
#[test]
fn a_run_ends_with_its_terminal() {
    for (world, run, shown) in [
        (writing(), WRITES, "writer wants to use Write"),
        (spent::world(), spent::RUN, "finished, "),
    ] {
        let Some(terminal) = Terminal::open(&world, (80, 24), &words(&run)) else {
            return;
        };
        terminal.shows(&[shown]);
        let shell = terminal
            .command(&["display", "-p", "#{pane_pid}"])
            .output()
            .expect("tmux runs");
        let shell: u32 = String::from_utf8(shell.stdout)
            .ok()
            .and_then(|id| id.trim().parse().ok())
            .expect("a process");
        let children = Command::new("pgrep")
            .args(["-P", &shell.to_string()])
            .output()
            .expect("there is pgrep");
        let program: u32 = String::from_utf8(children.stdout)
            .ok()
            .and_then(|id| id.trim().parse().ok())
            .expect("one program");
        drop(terminal);
        let begun = Instant::now();
        // Signal 0 only asks.
        while Command::new("kill")
            .args(["-0", &program.to_string()])
            .output()
            .expect("there is kill")
            .status
            .success()
        {
            assert!(begun.elapsed() < PATIENCE, "process {program} is still there");
        }
    }
}

#[test]
fn a_view_needs_a_terminal() {
    for (more, part) in [
        (&["--view"][..], "`--view` needs a terminal"),
        (&["--view", "--json"], "cannot be used with"),
        (
            &["--view", "--format", "json"],
            "`--view` cannot be used with `--format json`",
        ),
    ] {
        let run = writing().run(&[&WRITES, more].concat());
        assert_eq!((run.code, &*run.out), (Some(2), ""), "{}", run.err);
        assert!(run.err.contains(part), "{}", run.err);
    }
    for server in ["mcp", "acp"] {
        let run = writing().run(&[server, "--as", "claude-code", "--view"]);
        assert_eq!(run.code, Some(2), "{server}: {}", run.err);
        assert!(
            run.err.contains("`--view` is for one session"),
            "{server}: {}",
            run.err
        );
    }
}
