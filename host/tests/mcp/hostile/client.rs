//! Clients that break the protocol, and our server.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::{prop_assert, proptest};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{config, message};
use crate::clients::{INITIALIZE, Project, Script, send, served};

const SEEDS: &str = include_str!("client.jsonl");

/// Ends a test that hangs, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// `callsheet mcp` over standard streams.
struct Program {
    child: Child,
    _project: Project,
    _home: TempDir,
}

impl Program {
    fn start() -> Self {
        let (project, home) = (Project::new(), tempfile::tempdir().expect("a directory"));
        let child = Command::new(env!("CARGO_BIN_EXE_callsheet"))
            .args(["mcp", "--as", "claude-code", "--home"])
            .arg(home.path())
            .current_dir(project.path())
            .env("HOME", home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        Self {
            child: child.expect("it is built"),
            _project: project,
            _home: home,
        }
    }

    /// Sends the lines, each followed by a request, and gives what is answered until all of these are, and those with these ids. The program
    /// then ends with its input.
    fn answers(mut self, lines: Vec<Vec<u8>>, ids: &[Value]) -> Vec<Value> {
        let mut input = self.child.stdin.take().expect("it is piped");
        let output = self.child.stdout.take().expect("it is piped");
        let pings = (0..lines.len()).map(|number| asked(number).into());
        let waiting = pings.chain(ids.iter().cloned());
        let waiting: BTreeSet<String> = waiting.map(|id: Value| id.to_string()).collect();
        let writer = thread::spawn(move || {
            let started = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
            let mut text = format!("{INITIALIZE}\n{started}\n").into_bytes();
            for (number, line) in lines.iter().enumerate() {
                let ping = json!({"jsonrpc": "2.0", "id": asked(number), "method": "ping"});
                text.extend([line, &b"\n"[..], ping.to_string().as_bytes(), b"\n"].concat());
            }
            input.write_all(&text).expect("it reads");
            input
        });
        let answers = read(output, waiting);
        drop(writer.join().expect("no thread panics"));
        assert!(self.child.wait().expect("it ends").success());
        answers
    }
}

/// The id of the request after a line.
fn asked(number: usize) -> String {
    format!("ping {number}")
}

fn read(output: ChildStdout, mut asked: BTreeSet<String>) -> Vec<Value> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n') {
            if line.is_ok_and(|line| sender.send(line).is_err()) {
                return;
            }
        }
    });
    let mut answers = Vec::new();
    while !asked.is_empty() {
        let line = lines
            .recv_timeout(PATIENCE)
            .unwrap_or_else(|_| panic!("no answer to {asked:?}"));
        let answer: Value = serde_json::from_slice(&line).expect("it is JSON");
        asked.remove(&answer["id"].to_string());
        answers.push(answer);
    }
    answers
}

/// Whether it is a message of JSON-RPC that a server may send.
fn is_valid(message: &Value) -> bool {
    let id = message.get("id").unwrap_or(&Value::Null);
    let (result, error) = (message.get("result"), message.get("error"));
    let has_shape = match (result, error, message.get("method")) {
        (Some(_), None, None) => id.is_string() || id.is_i64(),
        // A request whose id cannot be read is answered without one.
        (None, Some(error), None) => error["code"].is_i64() && error["message"].is_string(),
        (None, None, Some(method)) => method.as_str().is_some_and(|it| it.starts_with("notifications/")),
        _ => false,
    };
    has_shape && message["jsonrpc"] == "2.0"
}

/// All answers are valid, and only to requests of the lines and those between them.
fn check(lines: &[Vec<u8>], answers: &[Value]) {
    let mut ids: Vec<Value> = (0..lines.len()).map(|number| asked(number).into()).collect();
    ids.extend([Value::Null, 1.into()]);
    let sent = lines
        .iter()
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    ids.extend(sent.map(|message| message["id"].clone()));
    for answer in answers {
        assert!(is_valid(answer), "{answer}");
        assert!(ids.contains(&answer["id"]), "{answer}");
    }
}

#[test]
fn lines_of_clients_are_answered() {
    let mut lines: Vec<Vec<u8>> = SEEDS.lines().map(|line| line.as_bytes().to_vec()).collect();
    lines.extend([
        vec![b'['; 100_000],
        b"\xff\xfe".to_vec(),
        b"\0".to_vec(),
        Vec::new(),
    ]);
    lines.push(vec![b'x'; 17_000_000]);
    let answers = Program::start().answers(lines.clone(), &[]);
    check(&lines, &answers);
}

/// The error says what is wrong with the call.
#[test]
fn a_call_with_wrong_parameters_is_explained() {
    let params = ["{}", r#"{"name":7}"#, r#"{"name":"why_agent","arguments":[1]}"#];
    let line =
        |(id, params)| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#);
    let lines = (10..).zip(params).map(|call| line(call).into_bytes()).collect();
    let answers = Program::start().answers(lines, &[10.into(), 11.into(), 12.into()]);
    let expected = json!({"code": -32602, "message": "`name` must be text, and `arguments` an object"});
    for (id, params) in (10..).zip(params) {
        let error = answers.iter().find(|answer| answer["id"] == id);
        assert_eq!(error.map(|it| &it["error"]), Some(&expected), "{params}");
    }
}

/// The whole answer to a body.
fn post(url: &str, headers: &[&str], body: &[u8]) -> String {
    let given = [
        "Authorization: Bearer s3cr3t",
        "Content-Type: application/json",
        "Connection: close",
    ];
    let mut answer = Vec::new();
    let mut stream = send(url, &[&given, headers].concat(), body);
    stream.read_to_end(&mut answer).expect("it answers");
    String::from_utf8(answer).expect("it is text")
}

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn invalid_messages_of_clients_are_answered(lines in vec(message(SEEDS), 200)) {
        let answers = Program::start().answers(lines.clone(), &[]);
        check(&lines, &answers);
    }
}

proptest! {
    #![proptest_config(config(64))]

    /// Over HTTP, the next request has its answer.
    #[test]
    fn invalid_bodies_are_answered(lines in vec(message(SEEDS), 1..5)) {
        thread_local! {
            static SERVED: (Project, String) = {
                let project = Project::new();
                let url = served(&project, Script::default());
                (project, url)
            };
        }
        SERVED.with(|(_, url)| {
            let started = post(url, &[], INITIALIZE.as_bytes());
            let session = started.lines().find(|line| line.to_lowercase().starts_with("mcp-session-id:"));
            let session = [session.expect("it has a session")];
            for line in &lines {
                post(url, &session, line);
            }
            let ping = post(url, &session, br#"{"jsonrpc":"2.0","id":"ping","method":"ping"}"#);
            prop_assert!(ping.contains(r#"{"jsonrpc":"2.0","id":"ping","result":{}}"#), "{}", ping);
            Ok(())
        })?;
    }
}
