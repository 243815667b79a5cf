//! A client of the language server that says what it is told to.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// Far more than any answer takes: a server without an answer must not hang its caller.
const PATIENCE: Duration = Duration::from_secs(60);

/// The address of a directory.
pub fn root(tree: &Path) -> String {
    format!("file://{}", tree.to_string_lossy())
}

/// One client and its server.
pub struct Client {
    child: Child,
    heard: Receiver<Value>,
    /// Bytes to send with the next message.
    held: String,
    requests: u32,
}

impl Client {
    /// Starts the server in the folder `project` of a tree, with `home` beside it as the home directory.
    pub fn start(program: &str, arguments: &[&str], tree: &Path) -> io::Result<Self> {
        let mut child = Command::new(program)
            .arg("lsp")
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
            held: String::new(),
            requests: 0,
        })
    }

    /// Sends bytes.
    pub fn send(&mut self, bytes: &[u8]) {
        // A server that has ended is seen by its silence.
        let input = self.child.stdin.as_mut();
        let _ = input.map(|input| input.write_all(bytes).and_then(|()| input.flush()));
    }

    fn say(&mut self, message: &Value) {
        let (held, body) = (std::mem::take(&mut self.held), message.to_string());
        self.send(format!("{held}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// Sends a notification.
    pub fn tell(&mut self, method: &str, params: Value) {
        self.say(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a message with the next one.
    pub fn hold(&mut self, message: &Value) {
        let body = message.to_string();
        self.held += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
    }

    /// Sends a question without waiting for the answer.
    pub fn ask_only(&mut self, method: &str, params: Value) {
        self.requests += 1;
        let id = format!("client-{}", self.requests);
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    /// Sends a notification, and returns what it causes. The question is sent at once, so that no pause of the server is between them.
    pub fn tell_and_hear(&mut self, method: &str, params: &Value) -> Vec<Value> {
        self.hold(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
        self.heard_so_far()
    }

    /// The next message.
    pub fn hear(&mut self) -> Value {
        let heard = self.heard.recv_timeout(PATIENCE);
        heard.unwrap_or_else(|_| json!("no message"))
    }

    /// The messages up to the answer, which is last.
    pub fn ask(&mut self, method: &str, params: Value) -> Vec<Value> {
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
    pub fn heard_so_far(&mut self) -> Vec<Value> {
        let mut messages = self.ask("test/nothing", Value::Null);
        messages.pop();
        messages
    }

    /// The messages until the server is ready.
    pub fn shake_hands(&mut self, capabilities: &Value, tree: &Path) -> Vec<Value> {
        let folder = format!("{}/project", root(tree));
        let params = json!({"processId": null, "rootUri": folder, "capabilities": capabilities});
        let mut messages = self.ask("initialize", params);
        messages.pop();
        self.tell("initialized", json!({}));
        messages.extend(self.heard_so_far());
        messages
    }

    /// Closes the input, and waits for the end.
    pub fn end(&mut self, tree: &Path) -> String {
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
