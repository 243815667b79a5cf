//! However a run ends, nothing that it started is left, and it can go on.
#![cfg(target_os = "linux")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::world::{Run, World};

/// Longer than any machine takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a call is answered with that may have been made.
const IN_DOUBT: &str = "The session was interrupted during this call. It may have taken effect, wholly or in part: check before \
                        you repeat it.";

/// How many processes of this kind there are: each leaves its parent in another way.
const SLEEPERS: usize = 5;

const AGENT: &str = "---\nname: worker\ndescription: Works\ntools: Bash\n---\nWork.\n";

/// Processes that differ in how long they sleep.
struct Sleepers(u32);

impl Sleepers {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self(std::process::id() * 100 + NEXT.fetch_add(1, Ordering::Relaxed) + 400_000_000)
    }

    /// Some stay where they are, and the others leave their group, their parent and their environment.
    fn command(&self) -> String {
        let sleep = format!("sleep {}", self.0);
        format!(
            "(setsid {sleep} &); env -i setsid sh -c '{sleep} & exec {sleep}' & sh -c 'setsid setsid {sleep} &'; {sleep}"
        )
    }

    fn count(&self) -> usize {
        let argument = format!("sleep\0{}\0", self.0);
        let processes = std::fs::read_dir("/proc").expect("it is there").flatten();
        let commands = processes.filter_map(|it| std::fs::read_to_string(it.path().join("cmdline")).ok());
        commands.filter(|command| *command == argument).count()
    }

    fn wait_until(&self, what: impl Fn(usize) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !what(self.count()) {
            assert!(Instant::now() < deadline, "{} are running", self.count());
            sleep(Duration::from_millis(2));
        }
    }
}

fn line(said: &[Value], answer: &Value) -> String {
    let messages = [&[json!({"role": "system", "text": "Work."})][..], said].concat();
    json!({"agent": ["worker"], "model": "any", "tools": ["Bash"], "messages": messages, "answer": answer})
        .to_string()
}

/// The model calls the command, and is done once it is answered.
fn recording(command: &str, result: &str, is_error: bool) -> String {
    let task = json!({"role": "user", "text": "Go"});
    let call = json!({"id": "1", "name": "Bash", "arguments": json!({"command": command}).to_string()});
    let calls = json!({"calls": [call], "input-tokens": 5, "output-tokens": 5});
    let after = [
        task.clone(),
        json!({"role": "assistant", "calls": calls["calls"]}),
        json!({"role": "tool", "text": result, "answers": "1", "is-error": is_error}),
    ];
    let done = json!({"text": "Done.", "input-tokens": 1, "output-tokens": 1});
    let lines = [line(&[task], &calls), line(&after, &done)];
    format!("{{\"callsheet-recording\":1}}\n{}\n", lines.join("\n"))
}

fn world(recording: &str) -> World {
    World::new()
        .file(".claude/agents/worker.md", AGENT)
        .file("replay.jsonl", recording)
}

const WORDS: [&str; 9] = [
    "run",
    "worker",
    "Go",
    "--as",
    "claude-code",
    "--model",
    "replay:replay.jsonl",
    "--permission-mode",
    "bypass",
];

fn started(world: &World, words: &[&str]) -> Child {
    let mut command = world.callsheet(words);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// What ends a run, and how it exits then. What was ignored from the start, as under `nohup` or in the background, may be lost.
fn signals() -> Vec<(&'static str, i32)> {
    let status = std::fs::read_to_string("/proc/self/status").expect("it is there");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = u64::from_str_radix(ignored.expect("it is listed").trim(), 16).expect("it is a mask");
    let signals = [("-INT", 2), ("-TERM", 15), ("-HUP", 1)].into_iter();
    let heeded = signals.filter(|(_, number)| ignored >> (number - 1) & 1 == 0);
    heeded.map(|(name, number)| (name, 128 + number)).collect()
}

fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(sent.expect("there is kill").success());
}

fn ended(child: Child) -> Run {
    Run::from(child.wait_with_output().expect("it ends"))
}

/// The file to resume, as the help names it.
fn resume(run: &Run) -> String {
    let rest = run.err.split_once("callsheet run --resume ");
    let rest = rest.unwrap_or_else(|| panic!("no file to resume: {}", run.err)).1;
    rest.split_whitespace().next().expect("a file").to_owned()
}

/// The lines of `--json`.
fn events(run: &Run) -> Vec<Value> {
    let lines = run.out.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().expect("every line is JSON")
}

/// The only line with this event.
fn one<'a>(lines: &'a [Value], event: &str) -> &'a Value {
    let found: Vec<&Value> = lines.iter().filter(|line| line["event"] == event).collect();
    let [found] = *found else {
        panic!("not one {event}: {lines:?}");
    };
    found
}

#[test]
fn signals_end_all_processes() {
    for (name, code) in signals() {
        let sleepers = Sleepers::new();
        let world = world(&recording(&sleepers.command(), IN_DOUBT, true));
        let child = started(&world, &WORDS);
        sleepers.wait_until(|count| count == SLEEPERS);
        signal(&child, name);
        let run = ended(child);
        assert_eq!(
            (run.code, sleepers.count()),
            (Some(code), 0),
            "{name}: {}",
            run.err
        );
        let file = resume(&run);
        let again = world.run(&["run", "--resume", &file, "--json"]);
        let lines = events(&again);
        let in_doubt = one(&lines, "in-doubt");
        let arguments = json!({"command": sleepers.command()}).to_string();
        assert_eq!(
            (&in_doubt["agent"], &in_doubt["tool"], &in_doubt["arguments"]),
            (&json!(["worker"]), &json!("Bash"), &json!(arguments))
        );
        assert_eq!(one(&lines, "outcome")["text"], "Done.", "{}", again.err);
    }
}

#[test]
fn json_lists_results_and_denied_calls() {
    let mut words = WORDS;
    words[8] = "default";
    let whole = recording("touch made", "", true);
    // The answer to the denied call is not needed.
    let cut = whole.lines().take(2).collect::<Vec<_>>().join("\n") + "\n";
    let world_of_denied = world(&cut);
    let run = world_of_denied.run(&[&words[..], &["--json"]].concat());
    let lines = events(&run);
    let denied = one(&lines, "denied");
    assert_eq!(
        (&denied["agent"], &denied["id"], &denied["tool"]),
        (&json!(["worker"]), &json!("1"), &json!("Bash"))
    );
    let reason = denied["reason"].as_str().expect("a text");
    assert!(reason.contains("--allow 'Bash(touch made)'"), "{reason}");
    assert_eq!(one(&lines, "outcome")["refused"], true);
    assert!(!world_of_denied.at("made").exists());

    let run = world(&recording("echo hello", "hello\n", false)).run(&[&WORDS[..], &["--json"]].concat());
    let lines = events(&run);
    let result = one(&lines, "result");
    assert_eq!(
        (&result["id"], &result["text"], &result["is_error"]),
        (&json!("1"), &json!("hello\n"), &json!(false))
    );
    assert_eq!(one(&lines, "outcome")["refused"], false);
}

#[test]
fn a_limit_ends_all_processes_and_can_be_raised() {
    let sleepers = Sleepers::new();
    let world = world(&recording(&sleepers.command(), IN_DOUBT, true));
    let run = world.run(&[&WORDS[..], &["--time", "3s", "--snapshot", "session"]].concat());
    assert_eq!((run.code, sleepers.count()), (Some(4), 0), "{}", run.err);
    assert!(run.err.contains("--resume session --time MORE"), "{}", run.err);
    let again = world.run(&["run", "--resume", "session"]);
    assert_eq!(again.code, Some(4), "the time is still over: {}", again.err);
    let again = world.run(&["run", "--resume", "session", "--time", "1h"]);
    assert_eq!((again.code, &*again.out), (Some(0), "Done.\n"), "{}", again.err);
    assert!(again.err.contains("it is not repeated"), "{}", again.err);
}

#[test]
fn calls_not_started_at_a_limit_run_after_resuming() {
    for (flag, few, more) in [
        ("--tokens", "10", "100"),
        ("--turns", "1", "9"),
        ("--total-turns", "1", "9"),
    ] {
        let world = world(&recording("echo hello", "hello\n", false));
        let run = world.run(&[&WORDS[..], &[flag, few, "--snapshot", "session"]].concat());
        assert_eq!(run.code, Some(4), "{}", run.err);
        let advice = format!("--resume session {flag} MORE");
        assert!(run.err.contains(&advice), "{}", run.err);
        let again = world.run(&["run", "--resume", "session", flag, more]);
        assert_eq!((again.code, &*again.out), (Some(0), "Done.\n"), "{}", again.err);
    }
}

#[test]
fn a_failed_model_is_asked_again_after_resuming() {
    let whole = recording("echo hello", "hello\n", false);
    let cut = whole.lines().take(2).collect::<Vec<_>>().join("\n") + "\n";
    let world = world(&cut).file("whole.jsonl", &whole);
    let run = world.run(&[&WORDS[..], &["--snapshot", "session"]].concat());
    assert_eq!(run.code, Some(5), "{}", run.err);
    let before = world.bytes("session");
    for (model, code) in [("nobody:x", 2), ("replay:none.jsonl", 2)] {
        let refused = world.run(&["run", "--resume", "session", "--model", model]);
        assert_eq!(refused.code, Some(code), "{}", refused.err);
        assert_eq!(world.bytes("session"), before, "it is as it was");
    }
    let again = world.run(&[
        "run",
        &format!("--resume={}", resume(&run)),
        "--model",
        "replay:whole.jsonl",
    ]);
    assert_eq!((again.code, &*again.out), (Some(0), "Done.\n"), "{}", again.err);
}

#[test]
fn a_running_session_cannot_be_resumed() {
    let sleepers = Sleepers::new();
    let world = world(&recording(&sleepers.command(), IN_DOUBT, true));
    let child = started(&world, &[&WORDS[..], &["--snapshot", "session"]].concat());
    sleepers.wait_until(|count| count == SLEEPERS);
    let refused = world.run(&["run", "--resume", "session"]);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    let holder = format!("process {} is using it", child.id());
    assert!(refused.err.contains(&holder), "{}", refused.err);
    signal(&child, "-TERM");
    let run = ended(child);
    assert_eq!((run.code, sleepers.count()), (Some(143), 0), "{}", run.err);
    let other = world.run(&[&WORDS[..], &["--snapshot", "session"]].concat());
    assert_eq!(other.code, Some(2), "{}", other.err);
    assert!(other.err.contains("the file already exists"), "{}", other.err);
}

/// Blocks of 512 bytes in a file: the component's memory is one, too.
const ROOM: u32 = 1600;

/// The program, with no room for more in any file.
fn run_on_a_full_disk(world: &World, words: &[&str]) -> Run {
    let limit = format!("trap '' XFSZ; ulimit -f {ROOM}; exec \"$0\" \"$@\"");
    let command = world.callsheet(&[]);
    let mut full = Command::new("sh");
    full.args(["-c", &limit, env!("CARGO_BIN_EXE_callsheet")]);
    full.args(words).current_dir(world.at("."));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => full.env(name, value),
            None => full.env_remove(name),
        };
    }
    let task = std::fs::File::open(world.at("task")).expect("it is there");
    Run::from(full.stdin(task).output().expect("there is a shell"))
}

#[test]
fn a_full_disk_ends_a_run_that_can_be_resumed() {
    let long = "word ".repeat(ROOM as usize * 512 / 4);
    let task = json!({"role": "user", "text": "Go"});
    let call = json!({"id": "1", "name": "Bash", "arguments": r#"{"command": "echo hello"}"#});
    let calls = json!({"text": long, "calls": [call], "input-tokens": 5, "output-tokens": 5});
    let after = [
        task.clone(),
        json!({"role": "assistant", "text": long, "calls": calls["calls"]}),
        json!({"role": "tool", "text": "hello\n", "answers": "1"}),
    ];
    let done = json!({"text": "Done.", "input-tokens": 1, "output-tokens": 1});
    let lines = [line(&[task], &calls), line(&after, &done)].join("\n");
    let recording = format!("{{\"callsheet-recording\":1}}\n{lines}\n");
    let world = world(&recording).file("task", &long);
    let saved = [&WORDS[..], &["--snapshot", "session"]].concat();
    let run = run_on_a_full_disk(&world, &saved);
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert!(run.err.contains("saved up to its last step"), "{}", run.err);
    assert_eq!(resume(&run), "session");
    let again = world.run(&["run", "--resume", "session"]);
    assert_eq!((again.code, &*again.out), (Some(0), "Done.\n"), "{}", again.err);

    let mut words = [&WORDS[..], &["--snapshot", "other"]].concat();
    words[2] = "-";
    let run = run_on_a_full_disk(&world, &words);
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert!(run.err.contains("nothing of it is saved"), "{}", run.err);
    assert!(!world.at("other").exists() && !world.at("other.partial").exists());
}

const MCP: [&str; 7] = [
    "mcp",
    "--as",
    "claude-code",
    "--model",
    "replay:replay.jsonl",
    "--permission-mode",
    "bypass",
];

/// A client that has called the agent.
fn served(world: &World) -> Child {
    let mut child = started(world, &MCP);
    let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    let call = json!({"name": "worker", "arguments": {"task": "Go"}});
    let mut input = child.stdin.take().expect("it is piped");
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
    ] {
        writeln!(input, "{message}").expect("it is read");
    }
    child.stdin = Some(input);
    child
}

/// Invalid messages of a client end neither the server nor its other calls.
#[test]
fn invalid_messages_of_a_client_are_survived() {
    let message = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "worker", "arguments": {"task": "Go"}}});
    let message = message.to_string().into_bytes();
    let world = world(&recording("echo hello", "hello\n", false));
    let mut child = served(&world);
    let mut input = child.stdin.take().expect("it is piped");
    for at in (0..message.len()).step_by(2) {
        for byte in [0, b'"', b'{', 0xff] {
            let mut changed = message.clone();
            changed[at] = byte;
            changed.push(b'\n');
            input.write_all(&changed).expect("it is read");
        }
    }
    let list = json!({"jsonrpc": "2.0", "id": "last", "method": "tools/list"});
    writeln!(input, "{list}").expect("it is read");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    while !line.contains("\"last\"") {
        line.clear();
        assert!(output.read_line(&mut line).expect("it is text") > 0, "it ended");
    }
    assert!(line.contains("worker"), "{line}");
    drop(input);
    let run = ended(child);
    assert!(
        run.code == Some(0) && !run.err.contains("panicked"),
        "{}",
        run.err
    );
}

#[test]
fn a_disconnected_client_ends_all_processes() {
    let sleepers = Sleepers::new();
    let world = world(&recording(&sleepers.command(), IN_DOUBT, true));
    for name in ["", "-INT", "-TERM"] {
        let mut child = served(&world);
        sleepers.wait_until(|count| count == SLEEPERS);
        if name.is_empty() {
            drop(child.stdin.take());
        } else {
            signal(&child, name);
        }
        let run = ended(child);
        assert_eq!((run.code, sleepers.count()), (Some(0), 0), "{name}: {}", run.err);
    }
}

#[test]
fn a_cancelled_call_ends_its_command() {
    let sleepers = Sleepers::new();
    let command = format!("(setsid sleep {0} &); sleep {0}", sleepers.0);
    let world = world(&recording(&command, IN_DOUBT, true));
    let mut child = served(&world);
    sleepers.wait_until(|count| count == 2);
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}});
    let mut input = child.stdin.take().expect("it is piped");
    writeln!(input, "{cancel}").expect("it is read");
    sleepers.wait_until(|count| count == 0);
    drop(input);
    assert_eq!(ended(child).code, Some(0));
}

/// An open question does not keep the program running, and a call that was not allowed is not reported as interrupted.
#[test]
fn an_open_question_can_be_interrupted() {
    let world = world(&recording("echo hello", "hello\n", false));
    let words: Vec<&str> = WORDS[..7].to_vec();
    let program = env!("CARGO_BIN_EXE_callsheet");
    let line = format!("{program} {} --snapshot session", words.join(" "));
    let mut command = world.callsheet(&[]);
    let terminal = Command::new("script").arg("--version").output();
    if terminal.is_err() {
        return;
    }
    let mut terminal = Command::new("script");
    terminal.args(["-qefc", &line, "/dev/null"]);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => terminal.env(name, value),
            None => terminal.env_remove(name),
        };
    }
    command.current_dir(world.at("."));
    terminal.current_dir(world.at(".")).env("TERM", "xterm");
    let mut child = terminal
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it was there");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    let (mut seen, mut piece) = (String::new(), Vec::new());
    // The prompt is the first unfinished line: its last answer is before it.
    while !seen.contains("goes to the agent") {
        piece.clear();
        assert!(
            output.read_until(b'\n', &mut piece).expect("it is a pipe") > 0,
            "{seen}"
        );
        seen.push_str(&String::from_utf8_lossy(&piece));
    }
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(b"\x03").expect("it is read");
    input.flush().expect("it is read");
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut output, &mut rest).expect("it is text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{seen}{rest}");
    let again = world.run(&["run", "--resume", "session"]);
    assert!(
        again.err.contains("no terminal"),
        "it is asked about again: {}",
        again.err
    );
    assert!(!again.err.contains("doubt"), "{}", again.err);
}

/// A server's processes end with it, even if it ignores being closed.
#[test]
fn servers_end_with_a_run() {
    let (sleepers, servers) = (Sleepers::new(), Sleepers::new());
    let script = format!(
        "(setsid sleep {0} &)\n{1}\nsleep {0}\n",
        servers.0,
        include_str!("../stub.sh")
    );
    let file = json!({"mcpServers": {"stub": {"command": "sh", "args": ["stub.sh"]}}}).to_string();
    for flags in [&[][..], &["--time", "3s"]] {
        let world = world(&recording(&sleepers.command(), IN_DOUBT, true))
            .file("stub.sh", &script)
            .file(".mcp.json", &file);
        assert_eq!(world.run(&["trust", ".mcp.json", "--yes"]).code, Some(0));
        let child = started(&world, &[&WORDS[..], flags].concat());
        if flags.is_empty() {
            sleepers.wait_until(|count| count == SLEEPERS);
            signal(&child, "-TERM");
        }
        let run = ended(child);
        assert!(matches!(run.code, Some(4 | 143)), "{}", run.err);
        assert_eq!((sleepers.count(), servers.count()), (0, 0), "{}", run.err);
    }
}

/// How often to end a run: `CALLSHEET_ENDINGS` names more.
fn rounds() -> u64 {
    let named = std::env::var("CALLSHEET_ENDINGS").ok();
    named.and_then(|named| named.parse().ok()).unwrap_or(4)
}

/// Whenever a run is ended, no process is left.
#[test]
fn a_run_can_be_ended_at_any_time() {
    let sleepers = Sleepers::new();
    let world = world(&recording(&sleepers.command(), IN_DOUBT, true));
    let started_at = Instant::now();
    let child = started(&world, &WORDS);
    sleepers.wait_until(|count| count == SLEEPERS);
    let whole = started_at.elapsed();
    signal(&child, "-TERM");
    ended(child);
    for round in 0..rounds() {
        let child = started(&world, &WORDS);
        let part = round.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54;
        sleep(whole.mul_f64(part as f64 / 1024.0 * 1.2));
        let signals = signals();
        signal(&child, signals[round as usize % signals.len()].0);
        let run = ended(child);
        assert_eq!(sleepers.count(), 0, "round {round}: {}", run.err);
    }
}
