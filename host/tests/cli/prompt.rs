//! What a model gets, shown offline and sent in a run.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};

use super::world::World;

const LEAD: &str = "---\nname: lead\ndescription: Leads\ntools: Read, Bash(git *), Agent\nmodel: local:m\n---\n\n  Lead \"them\".\n\nWell — über alles.\n\n";
const READER: &str = "---\nname: reader\ndescription: Reads\ntools: Read\n---\nRead.\n";

/// A whole answer of a model that says this.
fn streamed(text: &str) -> String {
    let piece = json!({"choices": [{"index": 0, "delta": {"content": text}}]});
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\ndata: {piece}\n\n\
         data: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\"finish_reason\":\"stop\"}}]}}\n\ndata: [DONE]\n\n"
    )
}

/// The body of a request, which is answered with this text.
pub(crate) fn answer(mut stream: TcpStream, text: &str) -> Value {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let length = stream.read(&mut piece).expect("the client stays");
        bytes.extend_from_slice(&piece[..length]);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let body = end.map_or(&[][..], |end| &bytes[end + 4..]);
        if let Ok(body) = serde_json::from_slice(body) {
            stream
                .write_all(streamed(text).as_bytes())
                .expect("the client stays");
            return body;
        }
        assert!(length > 0, "the request ends early");
    }
}

#[test]
fn it_is_what_a_run_sends() {
    let server = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let url = format!("http://{}/v1", server.local_addr().expect("it has one"));
    let world = World::new()
        .file(".claude/agents/lead.md", LEAD)
        .file(".claude/agents/reader.md", READER)
        .file(
            "callsheet.toml",
            format!("[providers.local]\nbase_url = \"{url}\"\n"),
        );
    let shown = world.run(&["show", "lead", "--prompt", "--format", "json"]);
    assert_eq!((shown.code, &*shown.err), (Some(0), ""), "{}", shown.out);
    let shown: Value = serde_json::from_str(&shown.out).expect("it is JSON");
    assert_eq!(world.run(&["trust", "callsheet.toml", "--yes"]).code, Some(0));
    let serving = std::thread::spawn(move || answer(server.accept().expect("the program asks").0, "Done."));
    let run = world.run(&["run", "lead", "TASK", "--no-save"]);
    assert_eq!((run.code, &*run.out), (Some(0), "Done.\n"), "{}", run.err);
    let sent = serving.join().expect("no thread panics");
    for (shown, sent) in [
        (&shown["messages"][0], &sent["messages"][0]),
        (&shown["messages"][1], &sent["messages"][1]),
    ] {
        assert_eq!(
            (&shown["role"], &shown["text"]),
            (&sent["role"], &sent["content"])
        );
    }
    let tool = |tool: &Value| {
        let function = &tool["function"];
        json!({"name": function["name"], "description": function["description"], "schema": function["parameters"]})
    };
    let tools = sent["tools"].as_array().expect("there are tools");
    assert_eq!(shown["tools"], Value::from_iter(tools.iter().map(tool)));
    assert_eq!(tools.len(), 3);
    let text = world.run(&["show", "lead", "--prompt"]);
    let system = shown["messages"][0]["text"].as_str().expect("it is text");
    assert!(
        text.out.starts_with(&format!(
            "# System prompt\n\n{system}\n\n# First message\n\nTASK\n\n# Tools: 3\n"
        )),
        "{}",
        text.out
    );
}

#[test]
fn a_skill_has_its_text() {
    let skill = "---\nname: sort\ndescription: Sorts\n---\n".to_owned() + &"Sort.\n".repeat(40);
    let world = World::new().file(".claude/skills/sort/SKILL.md", skill);
    let shown = world.run(&["show", "skill:sort", "--prompt"]);
    assert_eq!(shown.out.matches("Sort.\n").count(), 40, "{}", shown.out);
}
