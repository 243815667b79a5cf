//! What a model gets, shown offline and sent in a run.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};

#[cfg(unix)]
use super::worktrees::{IDENTITY, commit};
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

/// Recordings are replayed in another place and on another day, and with another user.
#[cfg(unix)]
#[test]
fn agents_are_told_where_they_work_and_get_instructions() {
    let server = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let url = format!("http://{}/v1", server.local_addr().expect("it has one"));
    let project = || {
        World::new()
            .file(".claude/agents/lead.md", LEAD)
            .file("CLAUDE.md", "The project's, with @docs/style.md.\n")
            .file("docs/style.md", "Imported.\n")
    };
    let world = project()
        .file("../home/.gitconfig", IDENTITY)
        .file("../home/.claude/CLAUDE.md", "The user's.\n")
        .file(
            "callsheet.toml",
            format!("[providers.local]\nbase_url = \"{url}\"\n"),
        );
    commit(&world, world.at("."));
    let world = world.file("new.txt", "new\n");
    let run = world.run(&["run", "lead", "TASK", "--model", "replay:missing.jsonl"]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert_eq!(world.run(&["trust", "callsheet.toml", "--yes"]).code, Some(0));
    let serving = std::thread::spawn(move || answer(server.accept().expect("the program asks").0, "Done."));
    let run = world.run(&["run", "lead", "TASK", "--no-save", "--record", "recording.jsonl"]);
    assert_eq!((run.code, &*run.out), (Some(0), "Done.\n"), "{}", run.err);
    let sent = serving.join().expect("no thread panics");
    let text = |at: usize| {
        sent["messages"][at]["content"]
            .as_str()
            .expect("it is text")
            .to_owned()
    };
    let directory = world.at(".").canonicalize().expect("it is there");
    let place = format!(
        "\n\nYou work here:\n<env>\nWorking directory: {}\nGit repository: yes\nPlatform: {}\nToday's date: 20",
        directory.display(),
        std::env::consts::OS
    );
    assert!(text(0).contains(&place), "{}", text(0));
    for part in [
        "Contents of ~/.claude/CLAUDE.md:\n\nThe user's.\n\nContents of CLAUDE.md:\n\nThe project's",
        "Contents of docs/style.md:\n\nImported.\n</instructions>\n\n<repository>\n",
        "\nBranch: main\n\nChanged files:\n?? new.txt\n\nLast commits:\n",
        " start\n</repository>\n\nTASK",
    ] {
        assert!(text(1).contains(part), "{part}: {}", text(1));
    }
    let recording = String::from_utf8(world.bytes("recording.jsonl")).expect("it is text");
    let replayed = ["run", "lead", "TASK", "--model", "replay:recording.jsonl"];
    let elsewhere = project()
        .file("../home/.claude/CLAUDE.md", "The user's.\n")
        .file("recording.jsonl", &recording);
    let run = elsewhere.run(&replayed);
    assert_eq!((run.code, &*run.out), (Some(0), "Done.\n"), "{}", run.err);
    let changed = elsewhere.file("CLAUDE.md", "Changed.\n");
    let run = changed.run(&replayed);
    assert_eq!(run.code, Some(5), "{}", run.err);
    assert!(run.err.contains("is not in recording.jsonl"), "{}", run.err);
}

#[test]
fn a_skill_has_its_text() {
    let skill = "---\nname: sort\ndescription: Sorts\n---\n".to_owned() + &"Sort.\n".repeat(40);
    let world = World::new().file(".claude/skills/sort/SKILL.md", skill);
    let shown = world.run(&["show", "skill:sort", "--prompt"]);
    assert_eq!(shown.out.matches("Sort.\n").count(), 40, "{}", shown.out);
}
