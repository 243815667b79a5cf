//! The program, as an editor uses it.

use std::io::{BufRead as _, BufReader, Lines, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use chrono::DateTime;
use serde_json::{Value, json};

use super::super::world::World;

pub(super) struct Editor {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    project: String,
    home: String,
    pub(super) session: String,
    /// The ID of the last question.
    question: Value,
    /// Requests without an answer.
    pending: Vec<Value>,
    requests: u32,
}

impl Editor {
    pub(super) fn start(world: &World, options: &str, session: String) -> Self {
        let mut command = world.callsheet(&["acp", "--confine", "off", "--quiet"]);
        if !options.contains("--as ") {
            command.args(["--as", "claude-code"]);
        }
        command.args(["--model", "replay:replay.jsonl"]);
        command.args(options.split_whitespace());
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
        Self {
            input: child.stdin.take().expect("it is piped"),
            output: BufReader::new(child.stdout.take().expect("it is piped")).lines(),
            child,
            project: real(world, "."),
            home: real(world, "../home"),
            session,
            question: Value::Null,
            pending: Vec::new(),
            requests: 100,
        }
    }

    /// An ID for requests without one in the file.
    pub(super) fn next_id(&mut self) -> u32 {
        self.requests += 10;
        self.requests
    }

    /// Sends a message. Returns the answers up to that of a request, and to those of all if it is none.
    pub(super) fn send(&mut self, mut message: Value) -> Vec<String> {
        message["jsonrpc"] = json!("2.0");
        if message["id"] == "$QUESTION" {
            message["id"] = self.question.take();
        }
        let id = message.get("method").and(message.get("id")).cloned();
        self.pending.extend(id.clone());
        self.write(&message.to_string());
        self.answers(id.as_ref())
    }

    /// Answers the last question.
    pub(super) fn reply(&mut self, outcome: &Value) {
        let id = self.question.take();
        assert_ne!(id, Value::Null, "there is no question");
        self.write(&json!({"jsonrpc": "2.0", "id": id, "result": {"outcome": outcome}}).to_string());
    }

    /// The answers up to that of a request, or to those of all, or up to a question.
    pub(super) fn answers(&mut self, id: Option<&Value>) -> Vec<String> {
        let mut answers = Vec::new();
        while id.map_or(!self.pending.is_empty(), |id| self.pending.contains(id)) {
            let (answer, is_question) = self.next();
            answers.push(answer);
            if is_question {
                break;
            }
        }
        answers
    }

    /// Sends a line that is no message, which is answered once.
    pub(super) fn send_line(&mut self, line: &str) -> Vec<String> {
        self.write(line);
        vec![self.next().0]
    }

    fn write(&mut self, line: &str) {
        let line = line
            .replace("$PROJECT", &self.project)
            .replace("$SESSION", &self.session);
        self.input
            .write_all(format!("{line}\n").as_bytes())
            .expect("it reads");
    }

    /// The next message of the program, and whether it is a question.
    pub(super) fn next(&mut self) -> (String, bool) {
        let line = self.output.next().expect("it answers").expect("it is text");
        let mut message: Value = serde_json::from_str(&line).expect("it is JSON");
        if let Some(session) = message["result"]["sessionId"].as_str() {
            self.session = session.to_owned();
        }
        let is_request = message.get("method").is_some();
        let is_question = is_request && message.get("id").is_some();
        self.pending.retain(|id| is_request || *id != message["id"]);
        message.as_object_mut().expect("a message").remove("jsonrpc");
        if is_question {
            self.question = std::mem::replace(&mut message["id"], json!("$QUESTION"));
        }
        if message["method"] == "$/cancel_request" {
            message["params"]["requestId"] = json!("$QUESTION");
        }
        let sessions = message
            .pointer_mut("/result/sessions")
            .and_then(Value::as_array_mut);
        for listed in sessions.into_iter().flatten() {
            let updated = listed["updatedAt"].as_str().map(DateTime::parse_from_rfc3339);
            assert!(matches!(updated, Some(Ok(_))), "{listed}");
            listed["updatedAt"] = json!("$TIME");
        }
        let mut text = message.to_string().replace(&self.project, "$PROJECT");
        if !self.session.is_empty() {
            text = text.replace(&self.session, "$SESSION");
        }
        text = nameless(&text.replace(&self.home, "$HOME"));
        (text, is_question)
    }

    pub(super) fn kill(&mut self) {
        self.child.kill().expect("it is a process");
    }

    /// Closes the connection. Returns how the program ended, and whether it was killed.
    pub(super) fn close(mut self) -> (String, bool) {
        drop(self.input);
        self.output.for_each(drop);
        let status = self.child.wait().expect("it ends");
        let mut errors = String::new();
        let mut stream = self.child.stderr.take().expect("it is piped");
        stream.read_to_string(&mut errors).expect("it is text");
        let code = status.code().map(|code| format!("exit {code}"));
        let end = code.clone().unwrap_or_else(|| "killed".to_owned());
        (format!("{end}\n{errors}").trim_end().to_owned(), code.is_none())
    }
}

fn real(world: &World, path: &str) -> String {
    let path = world.at(path).canonicalize().expect("it is there");
    path.display().to_string()
}

/// The text without the random names of worktrees.
fn nameless(text: &str) -> String {
    const LENGTH: usize = 16;
    let is_digit = |character: char| character.is_ascii_digit() || ('a'..='f').contains(&character);
    let mut out = String::new();
    for part in text.split_inclusive(|character| !is_digit(character)) {
        let digits = part.trim_end_matches(|character| !is_digit(character));
        if digits.len() == LENGTH {
            out.push_str("$WORKTREES");
            out.push_str(&part[LENGTH..]);
        } else {
            out.push_str(part);
        }
    }
    out
}
