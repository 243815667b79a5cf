//! Transcripts of the language server: what a client says, line by line, and what it is told. `BLESS=1` rewrites what is expected.
//!
//! - `start CAPABILITIES`: the handshake, in the folder `project` of the case
//! - `ask METHOD PARAMS`: a request
//! - `tell METHOD PARAMS`: a notification
//! - `raw TEXT`: bytes, with escapes as in JSON
//! - `write PATH TEXT`: changes a file, with escapes as in JSON
//! - `end`: closes the input; shows the exit status and the error stream
//!
//! `@PATH` is the address of a file of the case, `3:25` a position and `3:25-4:0` a range, counted from 0.

use std::cell::RefCell;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use callsheet_tests::case::Case;
use callsheet_tests::digest::of_value;
use callsheet_tests::texts;
use libtest_mimic::{Arguments, Failed, Trial};
use proptest::collection::vec;
use proptest::prelude::{any, prop_assert_eq};
use proptest::sample::{Index, select};
use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_callsheet-under-test");

/// Far more than any answer takes: a server without an answer must not hang the suite.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let blessing = std::env::var_os("BLESS").is_some_and(|value| !value.is_empty() && value != "0");
    let cases = Case::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("lsp"));
    let trial = |(name, case): (String, Result<Case, String>)| {
        Trial::test(name, move || check(&case?, blessing).map_err(Failed::from))
    };
    let mut trials: Vec<Trial> = cases.into_iter().map(trial).collect();
    trials.push(Trial::test(
        "any edits lead to the answers about the final text",
        || follows_edits().map_err(|error| error.to_string().into()),
    ));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// One server follows the edits, another is given the final text.
fn follows_edits() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let tree = folder.path().canonicalize()?;
    fs::create_dir_all(tree.join("project/.claude/agents"))?;
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    // Many clients name the streams.
    let clients = [
        Client::start(&tree, &["lsp"])?,
        Client::start(&tree, &["lsp", "--stdio"])?,
    ];
    let [follower, fresh] = clients.map(|mut client| {
        client.shake_hands(&capabilities, &tree);
        RefCell::new(client)
    });
    let uri = format!("{}/project/.claude/agents/x.md", root(&tree));
    let answers = |client: &mut Client| {
        ["textDocument/diagnostic", "textDocument/documentSymbol"].map(|method| {
            let answer = client.ask(method, json!({"textDocument": {"uri": uri}}));
            answer.last().expect("there is an answer")["result"].clone()
        })
    };
    let open = |client: &mut Client, text: &str| {
        let document = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": text});
        client.tell("textDocument/didOpen", json!({"textDocument": document}));
    };
    let close = |client: &mut Client| {
        client.tell("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    };
    let edits = vec((any::<Index>(), any::<Index>(), select(PIECES)), 1..12);
    texts::check(60, (texts::text(), edits), |(mut text, edits)| {
        let (mut follower, mut fresh) = (follower.borrow_mut(), fresh.borrow_mut());
        open(&mut follower, &text);
        for (version, (one, other, piece)) in edits.into_iter().enumerate() {
            let places = places(&text);
            let (one, other) = (one.get(&places), other.get(&places));
            let (start, end) = if one.0 <= other.0 {
                (one, other)
            } else {
                (other, one)
            };
            let range = json!({"start": start.1, "end": end.1});
            let change = json!({
                "textDocument": {"uri": uri, "version": version + 2},
                "contentChanges": [{"range": range, "text": piece}],
            });
            follower.tell("textDocument/didChange", change);
            text.replace_range(start.0..end.0, piece);
        }
        open(&mut fresh, &text);
        let (followed, expected) = (answers(&mut follower), answers(&mut fresh));
        close(&mut follower);
        close(&mut fresh);
        prop_assert_eq!(followed, expected, "{:?}", text);
        Ok(())
    });
    Ok(())
}

/// What is typed and pasted.
const PIECES: &[&str] = &[
    "",
    "",
    "\n",
    "\r\n",
    "\r",
    "---\n",
    "name: x\n",
    "tools: [Read, Bash]\n",
    ": ",
    "\"",
    "é",
    "\u{1f600}",
    "model: sonet\n",
    "- ",
    "<example>",
    "\u{feff}",
    "\u{2028}",
    "x",
];

/// Every offset at which text may change, and its position: between two characters, but not within a line end.
fn places(text: &str) -> Vec<(usize, Value)> {
    let (mut line, mut character, mut before) = (0, 0, ' ');
    let mut places = Vec::new();
    for (offset, char) in text.char_indices().chain([(text.len(), ' ')]) {
        if before == '\n' || before == '\r' && char != '\n' {
            (line, character) = (line + 1, 0);
        }
        if before != '\r' || char != '\n' {
            places.push((offset, json!({"line": line, "character": character})));
        }
        character += char.len_utf16();
        before = char;
    }
    places
}

fn check(case: &Case, blessing: bool) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let tree = folder.path().canonicalize().map_err(|error| error.to_string())?;
    for own in ["project", "home"] {
        fs::create_dir_all(tree.join(own)).map_err(|error| error.to_string())?;
    }
    case.lay_out(&tree).map_err(|error| error.to_string())?;
    let found = transcript(case, &tree)?;
    if blessing {
        return case.expect(&found).map_err(|error| error.to_string());
    }
    match found == case.expected {
        true => Ok(()),
        false => Err(format!(
            "{}\nexpected:\n{}\nfound:\n{found}",
            case.about, case.expected
        )),
    }
}

fn transcript(case: &Case, tree: &Path) -> Result<String, String> {
    let mut client = Client::start(tree, &["lsp"]).map_err(|error| error.to_string())?;
    let mut text = String::new();
    for line in &case.run {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (method, params) = rest.split_once(' ').unwrap_or((rest, "null"));
        let parse = |json: &str| {
            let value: Value = serde_json::from_str(json).map_err(|error| format!("{line}: {error}"))?;
            Ok::<_, String>(expanded(&value, tree))
        };
        text += &format!("> {line}\n");
        let heard = match verb {
            "start" => client.shake_hands(&parse(rest)?, tree),
            "ask" => client.ask(method, parse(params)?),
            "tell" => {
                client.tell(method, parse(params)?);
                client.heard_so_far()
            }
            "raw" => {
                let bytes: String = serde_json::from_str(rest).map_err(|error| format!("{line}: {error}"))?;
                client.send(bytes.as_bytes());
                Vec::new()
            }
            "write" => {
                let text: String =
                    serde_json::from_str(params).map_err(|error| format!("{line}: {error}"))?;
                fs::write(tree.join(method), text).map_err(|error| error.to_string())?;
                Vec::new()
            }
            "end" => {
                text += &client.end(tree);
                continue;
            }
            other => return Err(format!("no verb: {other}")),
        };
        for message in heard {
            text += &shown(&message, tree);
        }
    }
    Ok(text)
}

/// A message of the server, without what is the same in all.
fn shown(message: &Value, tree: &Path) -> String {
    let compact = |value: &Value| of_value(&compacted(value, tree));
    match message {
        Value::Object(fields) if fields.contains_key("method") => {
            let params = compact(fields.get("params").unwrap_or(&Value::Null));
            format!(
                "{}\n{}",
                fields["method"].as_str().unwrap_or("?"),
                indented(&params)
            )
        }
        Value::Object(fields) => match fields.get("error") {
            Some(error) => format!("error {}: {}\n", error["code"], compact(&error["message"]).trim()),
            None => match fields.get("result").unwrap_or(&Value::Null) {
                Value::Null => "null\n".to_owned(),
                Value::Array(items) if items.is_empty() => "[]\n".to_owned(),
                result => indented(&compact(result)),
            },
        },
        other => format!("{other}\n"),
    }
}

fn indented(text: &str) -> String {
    let mut out = String::new();
    for line in text.trim_end().lines() {
        out += format!("  {line}").trim_end();
        out.push('\n');
    }
    out
}

/// Positions, ranges and addresses as the protocol has them.
fn expanded(value: &Value, tree: &Path) -> Value {
    match value {
        Value::String(text) => match text.strip_prefix('@') {
            Some(path) => format!("{}/{path}", root(tree)).into(),
            None => range(text)
                .or_else(|| position(text))
                .unwrap_or_else(|| value.clone()),
        },
        Value::Array(items) => items.iter().map(|item| expanded(item, tree)).collect(),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(key, value)| (key.clone(), expanded(value, tree)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

fn position(text: &str) -> Option<Value> {
    let (line, character) = text.split_once(':')?;
    let (line, character): (u32, u32) = (line.parse().ok()?, character.parse().ok()?);
    Some(json!({"line": line, "character": character}))
}

fn range(text: &str) -> Option<Value> {
    let (start, end) = text.split_once('-')?;
    Some(json!({"start": position(start)?, "end": position(end)?}))
}

/// The other way, for review.
fn compacted(value: &Value, tree: &Path) -> Value {
    let place = |value: &Value| Some(format!("{}:{}", value.get("line")?, value.get("character")?));
    match value {
        Value::String(text) => {
            let text = text.replace(&format!("{}/", root(tree)), "@");
            text.replace(&*tree.to_string_lossy(), "TREE").into()
        }
        Value::Array(items) => items.iter().map(|item| compacted(item, tree)).collect(),
        Value::Object(fields) => {
            if let (2, Some(start), Some(end)) = (
                fields.len(),
                fields.get("start").and_then(place),
                fields.get("end").and_then(place),
            ) {
                return format!("{start}-{end}").into();
            }
            let fields = fields.iter().map(|(key, value)| {
                let key = key.replace(&format!("{}/", root(tree)), "@");
                (key, compacted(value, tree))
            });
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

fn root(tree: &Path) -> String {
    format!("file://{}", tree.to_string_lossy())
}

/// A client that says what it is told to.
struct Client {
    child: Child,
    heard: Receiver<Value>,
    requests: u32,
}

impl Client {
    fn start(tree: &Path, arguments: &[&str]) -> io::Result<Self> {
        let mut child = Command::new(PROGRAM)
            .args(arguments)
            .current_dir(tree.join("project"))
            .env_clear()
            .env("HOME", tree.join("home"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let output = child.stdout.take().expect("it is piped");
        let (say, heard) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = receive(&mut output) {
                if say.send(message).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            child,
            heard,
            requests: 0,
        })
    }

    fn send(&mut self, bytes: &[u8]) {
        // A server that has ended is seen by its silence.
        let input = self.child.stdin.as_mut();
        let _ = input.map(|input| input.write_all(bytes).and_then(|()| input.flush()));
    }

    fn say(&mut self, message: &Value) {
        let body = message.to_string();
        self.send(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.say(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The messages up to the answer, which is last.
    fn ask(&mut self, method: &str, params: Value) -> Vec<Value> {
        self.requests += 1;
        let id = json!(format!("client-{}", self.requests));
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let mut messages = Vec::new();
        loop {
            match self.heard.recv_timeout(PATIENCE) {
                Ok(message) => {
                    let is_answer = message.get("method").is_none() && message["id"] == id;
                    messages.push(message);
                    if is_answer {
                        return messages;
                    }
                }
                Err(_) => {
                    messages.push(json!("no answer"));
                    return messages;
                }
            }
        }
    }

    /// The messages up to the answer to a question that has none.
    fn heard_so_far(&mut self) -> Vec<Value> {
        let mut messages = self.ask("test/nothing", Value::Null);
        messages.pop();
        messages
    }

    fn shake_hands(&mut self, capabilities: &Value, tree: &Path) -> Vec<Value> {
        let folder = format!("{}/project", root(tree));
        let params = json!({"processId": null, "rootUri": folder, "capabilities": capabilities});
        let mut messages = self.ask("initialize", params);
        messages.pop();
        self.tell("initialized", json!({}));
        messages.extend(self.heard_so_far());
        messages
    }

    /// Closes the input, and waits for the end.
    fn end(&mut self, tree: &Path) -> String {
        drop(self.child.stdin.take());
        let status = match self.wait() {
            Some(status) => format!("exit {}\n", status.code().unwrap_or(-1)),
            None => "no end\n".to_owned(),
        };
        let mut errors = String::new();
        if let Some(stream) = self.child.stderr.as_mut() {
            let _ = stream.read_to_string(&mut errors);
        }
        status + &errors.replace(&*tree.to_string_lossy(), "TREE")
    }

    fn wait(&mut self) -> Option<ExitStatus> {
        // The output ends with the process.
        loop {
            match self.heard.recv_timeout(PATIENCE) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return self.child.wait().ok(),
                Err(RecvTimeoutError::Timeout) => {
                    let _ = self.child.kill();
                    return None;
                }
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn receive(output: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            header => {
                let (name, value) = header.split_once(": ")?;
                if name.eq_ignore_ascii_case("content-length") {
                    length = value.parse().ok()?;
                }
            }
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
