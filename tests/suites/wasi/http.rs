//! The server for WASI runtimes answers as the worker does, and lets sessions travel.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use super::stock::{Stock, stock};

/// Longer than any machine takes to start.
const ATTEMPTS: usize = 600;

struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(stock: &Stock) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let address = free.local_addr().expect("it is bound").to_string();
        drop(free);
        let mut command = Command::new(stock.program());
        let command = command.args(["serve", "--addr", &address, "--allow-precompiled"]);
        let command = command.arg(stock.compiled("callsheet-http"));
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let server = Self {
            process: process.expect("CALLSHEET_WASMTIME can be run"),
            address,
        };
        for _ in 0..ATTEMPTS {
            if TcpStream::connect(&server.address).is_ok() {
                return server;
            }
            sleep(Duration::from_millis(50));
        }
        panic!("the server does not start");
    }

    /// The status and the JSON of an answer.
    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).expect("the server is there");
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("it listens");
        stream.write_all(body.as_bytes()).expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers text");
        let status = answer.get(9..12).and_then(|status| status.parse().ok());
        // Chunks have their lengths on lines of their own, and our JSON is on one line.
        let json = answer
            .lines()
            .filter(|line| line.starts_with('{'))
            .collect::<String>();
        (
            status.expect("it is HTTP"),
            serde_json::from_str(&json).unwrap_or_default(),
        )
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.ask("POST", path, &body.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It is ours, and may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A session of an agent that may read.
fn opened(server: &Server) -> Value {
    let agent = "---\nname: reviewer\ndescription: Reviews changes\ntools: Read\n---\n\nReview it.\n";
    let read = json!({ "name": "Read", "description": "Reads a file", "schema": { "type": "object" } });
    let (status, session) = server.post(
        "/v1/sessions",
        &json!({
            "files": { ".claude/agents/reviewer.md": agent },
            "dialect": "claude-code",
            "task": { "agent": "reviewer", "prompt": "Look at main.rs" },
            "tools": [read],
        }),
    );
    assert_eq!(status, 201, "{session}");
    session
}

#[test]
fn a_session_travels_from_request_to_request() {
    let Some(stock) = stock() else { return };
    let server = Server::start(stock);
    let session = opened(&server);
    let [step] = session["steps"].as_array().map(Vec::as_slice).unwrap_or_default() else {
        panic!("one model is to be asked: {session}");
    };
    assert_eq!(
        (&step["step"], &step["request"]["tools"][0]["name"]),
        (&json!("ask-model"), &json!("Read"))
    );
    let replied = |session: &Value, reply: Value| {
        let body = json!({ "snapshot": session["snapshot"], "reply": reply });
        server.post("/v1/sessions/replies", &body)
    };
    let call = json!({ "id": "1", "name": "Read", "arguments": "{\"file_path\": \"/project/main.rs\"}" });
    let asks = json!({ "step": step["id"], "model": { "calls": [call], "input_tokens": 7 } });
    let (status, session) = replied(&session, asks.clone());
    assert_eq!(
        (status, &session["steps"][0]["step"]),
        (200, &json!("call-tool")),
        "{session}"
    );
    // Another server continues: this one keeps nothing.
    let server = Server::start(stock);
    let poll = json!({ "snapshot": session["snapshot"] });
    let (status, polled) = server.post("/v1/sessions/poll", &poll);
    assert_eq!((status, &polled["steps"]), (200, &session["steps"]));
    let step = &session["steps"][0]["id"];
    let replied = |reply: Value| {
        let body = json!({ "snapshot": session["snapshot"], "reply": reply });
        server.post("/v1/sessions/replies", &body)
    };
    let (status, problem) = replied(asks);
    assert_eq!((status, &problem["code"]), (409, &json!("not-outstanding")));
    let (status, problem) = replied(json!({ "step": step, "model": {} }));
    assert_eq!((status, &problem["code"]), (409, &json!("unfit-reply")));
    let (status, session) = replied(json!({ "step": step, "tool": { "text": "fn main() {}" } }));
    assert_eq!(status, 200, "{session}");
    let body = json!({ "snapshot": session["snapshot"], "reply": { "step": session["steps"][0]["id"], "model": { "text": "It is fine." } } });
    let (_, session) = server.post("/v1/sessions/replies", &body);
    assert_eq!(
        session["outcome"],
        json!({ "outcome": "answer", "text": "It is fine." })
    );
    assert_eq!(
        (&session["usage"]["turns"], &session["usage"]["input_tokens"]),
        (&json!(2), &json!(7))
    );
    let (_, told) = server.post(
        "/v1/sessions/events",
        &json!({ "snapshot": session["snapshot"], "from": 0 }),
    );
    let events = told["events"].as_array().expect("there are events");
    assert_eq!(
        (&events[0]["event"], &events[0]["number"]),
        (&json!("called"), &json!(0))
    );
    assert!(events.iter().any(|event| event["event"] == "returned"), "{told}");
}

#[test]
fn an_invalid_session_is_refused() {
    let Some(stock) = stock() else { return };
    let server = Server::start(stock);
    let session = opened(&server);
    let (status, cancelled) = server.post("/v1/sessions/cancel", &json!({ "snapshot": session["snapshot"] }));
    assert_eq!(
        (status, &cancelled["outcome"]["outcome"]),
        (200, &json!("cancelled"))
    );
    for (snapshot, status, code) in [
        (json!(""), 409, "outdated"),
        (json!("AAAAAAAAAAAAAAAA"), 409, "outdated"),
        (json!("no base64"), 422, "unfit"),
        (json!(7), 422, "unfit"),
    ] {
        for path in ["poll", "cancel", "events"] {
            let (found, problem) =
                server.post(&format!("/v1/sessions/{path}"), &json!({ "snapshot": snapshot }));
            assert_eq!(
                (found, &problem["code"]),
                (status, &json!(code)),
                "{path} {snapshot}"
            );
        }
    }
    let unknown =
        json!({ "files": {}, "dialect": "claude-code", "task": { "agent": "nobody", "prompt": "" } });
    let (status, problem) = server.post("/v1/sessions", &unknown);
    assert_eq!((status, &problem["code"]), (422, &json!("unknown-agent")));
    let far = json!({ "files": {}, "dialect": "claude-code", "task": { "agent": "a", "prompt": "" }, "settings": { "bounds": { "depth": 17 } } });
    let (status, problem) = server.post("/v1/sessions", &far);
    assert_eq!(
        (status, &problem["errors"][0]["pointer"]),
        (422, &json!("/settings/bounds/depth")),
        "{problem}"
    );
    let nested = |depth: usize| format!("{}{{}}{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    for (depth, found, code) in [
        (40, 422, "unfit"),
        (100, 422, "too-deep"),
        (100_000, 422, "too-deep"),
    ] {
        let (status, problem) = server.ask("POST", "/v1/check", &nested(depth));
        assert_eq!((status, &problem["code"]), (found, &json!(code)));
    }
    let (_, description) = server.ask("GET", "/openapi.json", "");
    let paths = description["paths"].as_object().expect("paths are a map");
    for (path, methods) in paths {
        let (method, _) = methods
            .as_object()
            .and_then(|methods| methods.iter().next())
            .expect("a path has one");
        let (status, answer) = server.ask(&method.to_uppercase(), path, "");
        assert!(matches!(status, 200 | 400), "{method} {path}: {status} {answer}");
    }
}

/// The worker's own tests, except those for stored sessions.
#[test]
fn answers_like_the_worker() {
    let Some(stock) = stock() else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web-demo/edge");
    let server = Server::start(stock);
    let tests = Command::new("node")
        .args(["--test", "test/answers.test.mjs", "test/errors.test.mjs"])
        .current_dir(folder)
        .env("CALLSHEET_URL", format!("http://{}/", server.address))
        .env("CARGO_TARGET_DIR", stock.folder())
        .output();
    let Ok(tests) = tests else {
        eprintln!("skipped: node is missing, which runs the worker's tests");
        return;
    };
    assert!(
        tests.status.success(),
        "{}",
        String::from_utf8_lossy(&tests.stdout)
    );
}
