//! Messages to agents of an MCP server after their answers.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::world::World;

/// A project with an agent that answers twice.
fn world() -> World {
    let messages = [
        json!({"role": "system", "text": "Read."}),
        json!({"role": "user", "text": "Go."}),
        json!({"role": "assistant", "text": "One."}),
        json!({"role": "user", "text": "More."}),
    ];
    let interrupted = [
        json!({"role": "system", "text": "Read."}),
        json!({"role": "user", "text": "Something else."}),
        json!({"role": "assistant", "text": "[interrupted]"}),
        json!({"role": "user", "text": "Then?"}),
    ];
    let line = |messages: &[Value], text: &str| {
        let answer = json!({"text": text, "input-tokens": 400, "output-tokens": 1});
        json!({"agent": ["reader"], "model": "sonnet", "tools": ["Read"], "messages": messages, "answer": answer}).to_string()
    };
    let lines = [
        json!({"callsheet-recording": 1}).to_string(),
        line(&messages[..2], "One."),
        line(&messages, "Two."),
        line(&interrupted, "Three."),
    ];
    World::new()
        .file(
            ".claude/agents/reader.md",
            "---\nname: reader\ndescription: Reads\ntools: Read\nmodel: sonnet\n---\nRead.\n",
        )
        .file("replay.jsonl", lines.join("\n") + "\n")
}

/// A server and its only client.
struct Served {
    server: Child,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Served {
    fn start(world: &World, options: &[&str]) -> Self {
        let words = ["mcp", "--as", "claude-code", "--model", "replay:replay.jsonl"];
        let mut command = world.callsheet(&[&words[..], options].concat());
        let piped = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut server = piped.spawn().expect("it starts");
        let answers = BufReader::new(server.stdout.take().expect("it is piped")).lines();
        let mut this = Self { server, answers };
        let about = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        this.ask("initialize", &about);
        this.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        this
    }

    fn send(&mut self, message: &Value) {
        let input = self.server.stdin.as_mut().expect("it is piped");
        writeln!(input, "{message}").expect("it listens");
    }

    /// The result of a request.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}));
        loop {
            let line = self.answers.next().expect("it answers").expect("it is text");
            let mut answer: Value = serde_json::from_str(&line).expect("it is JSON");
            if answer.get("id").is_some() {
                return answer["result"].take();
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// The reason of a call that fails.
    fn refused(&mut self, arguments: &Value) -> String {
        let result = self.call("continue_agent", arguments);
        assert_eq!(result["isError"], true, "{arguments}: {result}");
        result["content"][0]["text"]
            .as_str()
            .expect("there is one")
            .to_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.server.stdin.take());
        let _ = self.server.wait();
    }
}

/// The ID in a result.
fn session(result: &Value) -> String {
    let note = result["content"][1]["text"].as_str().expect("there is a note");
    let id = note
        .strip_prefix("Session ")
        .and_then(|rest| rest.split([',', '.']).next());
    id.expect("it has one").to_owned()
}

#[test]
fn an_agent_gets_another_message() {
    let world = world();
    let mut served = Served::start(&world, &[]);
    let first = served.call("reader", &json!({"task": "Go."}));
    assert_eq!(first["content"][0]["text"], "One.", "{first}");
    let id = session(&first);
    let note = first["content"][1]["text"].as_str().expect("there is one");
    let expected = format!("Session {id}, for another message with `continue_agent`. 1 turn, 401 tokens, ");
    assert!(note.starts_with(&expected), "{note}");
    let about = &first["_meta"]["callsheet/outcome"];
    assert_eq!(
        (&about["session"], &about["turns"], about.get("text")),
        (&json!(id), &json!(1), None)
    );
    let second = served.call("continue_agent", &json!({"session": id, "message": "More."}));
    assert_eq!(second["content"][0]["text"], "Two.", "{second}");
    assert_eq!(session(&second), id);
    assert_eq!(second["_meta"]["callsheet/outcome"]["turns"], 2);
    let listed = world.run(&["sessions", "show", &id]);
    assert!(listed.out.contains("turns: 2, tokens: 802"), "{}", listed.out);
}

#[test]
fn only_sessions_of_this_server_are_continued() {
    let world = world();
    let run = world.run(&["run", "reader", "Go.", "--model", "replay:replay.jsonl", "--json"]);
    let last: Value =
        serde_json::from_str(run.out.lines().last().expect("there are lines")).expect("it is JSON");
    let other = last["session"].as_str().expect("it is saved").to_owned();
    let before = session(&Served::start(&world, &[]).call("reader", &json!({"task": "Go."})));
    let mut served = Served::start(&world, &[]);
    for id in [&*other, &*before, "", " ", "0", "../x", "4f1c"] {
        let refused = served.refused(&json!({"session": id, "message": "More."}));
        let is_blank = id.trim().is_empty();
        let reason = if is_blank {
            "`session` must be text"
        } else {
            "unknown session; use the ID at the end of an agent's result"
        };
        assert!(refused.contains(reason), "{id}: {refused}");
    }
    let id = session(&served.call("reader", &json!({"task": "Go."})));
    assert!(
        served
            .refused(&json!({"session": id}))
            .contains("`message` must be text")
    );
    assert!(
        served
            .refused(&json!({"session": id, "message": 1}))
            .contains("`message` must be text")
    );
    // A prefix is not an ID.
    served.refused(&json!({"session": id[..4], "message": "More."}));
}

#[test]
fn a_session_without_an_answer_is_continued() {
    let world = world();
    let mut served = Served::start(&world, &[]);
    let failed = served.call("reader", &json!({"task": "Something else."}));
    assert_eq!(failed["isError"], true, "{failed}");
    let id = session(&failed);
    // The recording has no answer to this either.
    served.refused(&json!({"session": id, "message": "More."}));
    let id = session(&served.call("reader", &json!({"task": "Something else."})));
    let answered = served.call("continue_agent", &json!({"session": id, "message": "Then?"}));
    assert_eq!(answered["content"][0]["text"], "Three.", "{answered}");
}

#[test]
fn without_saving_nothing_is_continued() {
    let world = world();
    let mut served = Served::start(&world, &["--no-save"]);
    let tools = served.ask("tools/list", &json!({}));
    let mut names = tools["tools"]
        .as_array()
        .expect("it is a list")
        .iter()
        .map(|tool| &tool["name"]);
    assert!(!names.any(|name| name == "continue_agent"));
    let first = served.call("reader", &json!({"task": "Go."}));
    let about = &first["_meta"]["callsheet/outcome"];
    assert_eq!((&about["session"], &about["turns"]), (&Value::Null, &json!(1)));
    let note = first["content"][1]["text"].as_str().expect("there is one");
    assert!(note.starts_with("1 turn, 401 tokens, "), "{note}");
    let listed = world.run(&["sessions"]);
    assert!(!listed.out.contains("reader"), "{}", listed.out);
}
