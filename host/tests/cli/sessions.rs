//! Sessions that were saved, offline.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::world::{Run, World};

const AGENT: &str = "---\nname: reader\ndescription: Reads\ntools: Read\nmodel: sonnet\n---\nRead.\n";

/// Looks like a key of Anthropic, but is not.
const KEY: &str = "sk-ant-api03-Zq8Lw3Vt5Rn7Xk2Bp9Hd4Jf6Mc1Gs0YaEuTiOvWz";

fn line(said: &[Value], answer: &Value) -> String {
    let messages = [&[json!({"role": "system", "text": "Read."})][..], said].concat();
    json!({"agent": ["reader"], "model": "sonnet", "tools": ["Read"], "messages": messages, "answer": answer})
        .to_string()
}

/// The model reads a file, answers, and answers again.
fn world() -> World {
    let user = |text: &str| json!({"role": "user", "text": text});
    let call = json!({"id": "1", "name": "Read", "arguments": r#"{"file_path":"notes.txt"}"#});
    let calls = json!({"calls": [call], "input-tokens": 5, "output-tokens": 5});
    let mut said = vec![user("Read the notes.\nAll of them.")];
    let first = line(&said, &calls);
    said.push(json!({"role": "assistant", "calls": calls["calls"]}));
    said.push(json!({"role": "tool", "text": format!("     1\tthe key is {KEY}"), "answers": "1"}));
    let second = line(
        &said,
        &json!({"text": "Done.", "input-tokens": 1, "output-tokens": 1}),
    );
    said.push(json!({"role": "assistant", "text": "Done."}));
    said.push(user("And then?"));
    let third = line(
        &said,
        &json!({"text": "Nothing.", "input-tokens": 1, "output-tokens": 1}),
    );
    let recording = format!("{{\"callsheet-recording\":1}}\n{first}\n{second}\n{third}\n");
    World::new()
        .file(".claude/agents/reader.md", AGENT)
        .file("notes.txt", format!("the key is {KEY}\n"))
        .file("replay.jsonl", recording)
}

fn run(world: &World, words: &[&str]) -> Run {
    let usual = [
        "run",
        "reader",
        "Read the notes.\nAll of them.",
        "--as",
        "claude-code",
    ];
    world.run(&[&usual[..], &["--model", "replay:replay.jsonl"], words].concat())
}

fn listed(world: &World, words: &[&str]) -> Vec<Value> {
    let run = world.run(&[&["sessions", "--format", "json"][..], words].concat());
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    let document: Value = serde_json::from_str(&run.out).expect("it is JSON");
    document["sessions"].as_array().expect("it is a list").clone()
}

fn file(session: &Value) -> PathBuf {
    PathBuf::from(session["path"].as_str().expect("it has one"))
}

#[test]
fn runs_are_saved_unless_disabled() {
    let world = world();
    assert_eq!(run(&world, &["--no-save"]).code, Some(0));
    assert_eq!(run(&world, &["--snapshot", "own"]).code, Some(0));
    assert_eq!(listed(&world, &["--all"]), [json!(null); 0]);
    let first = run(&world, &[]);
    assert_eq!((first.code, &*first.out), (Some(0), "Done.\n"), "{}", first.err);
    let sessions = listed(&world, &[]);
    assert_eq!(sessions.len(), 1);
    let session = &sessions[0];
    let id = session["id"].as_str().expect("it has one");
    assert!(first.err.contains(&format!(", session {id}\n")), "{}", first.err);
    for (key, value) in [
        ("state", json!("finished")),
        ("agent", json!("reader")),
        ("task", json!("Read the notes.")),
        ("dialect", json!("claude-code")),
        ("turns", json!(2)),
        ("tokens", json!(12)),
        ("problem", json!(null)),
    ] {
        assert_eq!(session[key], value, "{key}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode =
            |path: &std::path::Path| path.metadata().expect("it is there").permissions().mode() & 0o777;
        let file = file(session);
        assert_eq!(mode(&file), 0o600);
        assert_eq!(mode(file.parent().expect("it is in a directory")), 0o700);
    }
    let table = world.run(&["sessions"]);
    assert!(
        table.out.contains("finished") && table.out.contains("Read the notes."),
        "{}",
        table.out
    );
    std::fs::create_dir(world.at("other")).expect("the project is ours");
    let other = world.run(&["sessions", "--project", "other"]);
    assert_eq!((other.code, &*other.out), (Some(0), ""), "{}", other.err);
    assert_eq!(listed(&world, &["--project", "other", "--all"]).len(), 1);
}

#[test]
fn a_conversation_is_shown_and_exported_without_keys() {
    let world = world();
    run(&world, &[]);
    let id = listed(&world, &[])[0]["id"].as_str().expect("it has one")[..6].to_owned();
    let shown = world.run(&["sessions", "show", &id]);
    assert!(shown.out.contains("\nDone.\n"), "{}{}", shown.out, shown.err);
    assert!(shown.out.contains("callsheet sessions send"), "{}", shown.out);
    let markdown = world.run(&["sessions", "export", &id]);
    for part in [
        "# Read the notes.\n",
        "## System prompt\n\nRead.\n",
        "Calls Read:",
        "## Result of Read",
        "## reader\n\nDone.\n",
    ] {
        assert!(markdown.out.contains(part), "{part}: {}", markdown.out);
    }
    let json = world.run(&["sessions", "export", &id, "--format", "json", "-o", "talk.json"]);
    assert_eq!((json.code, &*json.out), (Some(0), ""), "{}", json.err);
    let json = String::from_utf8(world.bytes("talk.json")).expect("it is text");
    let document: Value = serde_json::from_str(&json).expect("it is JSON");
    let roles: Vec<&Value> = document["messages"]
        .as_array()
        .expect("it is a list")
        .iter()
        .map(|it| &it["role"])
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "assistant"]);
    let page = world.run(&["sessions", "export", &id, "--format", "html"]);
    for part in [
        "<title>Read the notes.</title>",
        "<h2>reader</h2>\n<pre class=\"text\">Done.</pre>",
        "<summary>Calls <b>Read</b>",
        "<summary><b>Result of Read</b>",
    ] {
        assert!(page.out.contains(part), "{part}: {}", page.out);
    }
    for text in [&markdown.out, &json, &page.out] {
        assert!(text.contains("the key is ***") && !text.contains(KEY), "{text}");
    }
}

#[test]
fn a_finished_session_takes_another_message() {
    let world = world();
    run(&world, &[]);
    let id = listed(&world, &[])[0]["id"]
        .as_str()
        .expect("it has one")
        .to_owned();
    let sent = world.run(&["sessions", "send", &id, "And then?"]);
    assert_eq!((sent.code, &*sent.out), (Some(0), "Nothing.\n"), "{}", sent.err);
    let session = &listed(&world, &[])[0];
    assert_eq!(
        (&session["turns"], &session["state"]),
        (&json!(3), &json!("finished"))
    );
    let export = world.run(&["sessions", "export", &id]).out;
    assert!(
        export.contains("## User\n\nAnd then?\n\n## reader\n\nNothing.\n"),
        "{export}"
    );
    let again = world.run(&["run", "--resume", &id]);
    assert_eq!(
        (again.code, &*again.out),
        (Some(0), "Nothing.\n"),
        "{}",
        again.err
    );
    let json = world.run(&["run", "--resume", &id, "--json"]);
    assert!(json.out.contains(&format!(r#""session":"{id}""#)), "{}", json.out);
    let refused = world.run(&["sessions", "send", &id, "x", "--permission-mode", "bypass"]);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
}

#[test]
fn a_stopped_session_is_resumed_by_its_id() {
    let world = world();
    let stopped = run(&world, &["--tokens", "10"]);
    assert_eq!(stopped.code, Some(4), "{}", stopped.err);
    let session = listed(&world, &[])[0].clone();
    let id = session["id"].as_str().expect("it has one");
    assert_eq!(session["state"], "paused");
    assert!(
        stopped.err.contains(&format!("--resume {id} --tokens MORE")),
        "{}",
        stopped.err
    );
    let before = std::fs::read(file(&session)).expect("it is there");
    let refused = world.run(&["sessions", "send", id, "And then?"]);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.err.contains("has not finished"), "{}", refused.err);
    assert_eq!(std::fs::read(file(&session)).expect("it is there"), before);
    let resumed = world.run(&["run", "--resume", &id[..5], "--tokens", "100"]);
    assert_eq!(
        (resumed.code, &*resumed.out),
        (Some(0), "Done.\n"),
        "{}",
        resumed.err
    );
}

#[test]
fn sessions_are_removed_and_damaged_ones_listed() {
    let world = world();
    run(&world, &[]);
    run(&world, &[]);
    let sessions = listed(&world, &[]);
    let id = |at: usize| sessions[at]["id"].as_str().expect("it has one");
    std::fs::write(file(&sessions[0]), "callsheet-session 3 a 1 b\nnothing").expect("it is ours");
    let states: Vec<Value> = listed(&world, &[]).iter().map(|it| it["state"].clone()).collect();
    assert!(
        states.contains(&json!("damaged")) && states.contains(&json!("finished")),
        "{states:?}"
    );
    for command in ["show", "export"] {
        let failed = world.run(&["sessions", command, id(0)]);
        assert_eq!(failed.code, Some(2), "{}", failed.err);
        assert!(failed.err.contains("damaged"), "{}", failed.err);
    }
    let unknown = world.run(&["sessions", "show", "0123456789abcdef0"]);
    assert_eq!(unknown.code, Some(1), "{}", unknown.err);
    let removed = world.run(&["sessions", "rm", id(0)]);
    assert_eq!((removed.code, &*removed.err), (Some(0), "sessions removed: 1\n"));
    assert_eq!(listed(&world, &[]).len(), 1);
    assert_eq!(world.run(&["sessions", "rm", "--older-than", "1d"]).code, Some(0));
    assert_eq!(listed(&world, &[]).len(), 1);
    assert_eq!(world.run(&["sessions", "rm", "--older-than", "0h"]).code, Some(0));
    assert_eq!(listed(&world, &[]), [json!(null); 0]);
}

/// Whatever a user, a model or a tool wrote is text on the page.
#[test]
fn a_page_has_no_markup_of_others() {
    let hostile = "</pre></title><script>alert(1)</script><img src=x onerror=\"alert(1)\">";
    let call = json!({"id": "1", "name": hostile, "arguments": json!({"path": hostile}).to_string()});
    let messages = [
        json!({"role": "system", "text": hostile}),
        json!({"role": "user", "text": hostile}),
    ];
    let line = |more: &[Value], answer: Value| {
        let said = [&messages, more].concat();
        json!({"agent": ["reader"], "model": "any", "tools": ["Read"], "messages": said, "answer": answer})
            .to_string()
    };
    let calls = json!({"calls": [call], "input-tokens": 1, "output-tokens": 1});
    let unknown = format!("unknown tool `{hostile}`. This agent's tools: Read");
    let more = [
        json!({"role": "assistant", "calls": [call]}),
        json!({"role": "tool", "text": unknown, "answers": "1", "is-error": true}),
    ];
    let done = json!({"text": hostile, "input-tokens": 1, "output-tokens": 1});
    let lines = [line(&[], calls), line(&more, done)].join("\n");
    let agent = format!("---\nname: reader\ndescription: Reads\ntools: Read\n---\n{hostile}\n");
    let world = World::new().file(".claude/agents/reader.md", agent).file(
        "replay.jsonl",
        format!("{{\"callsheet-recording\":1}}\n{lines}\n"),
    );
    let run = world.run(&["run", "reader", hostile, "--model", "replay:replay.jsonl"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let id = listed(&world, &[])[0]["id"]
        .as_str()
        .expect("it has one")
        .to_owned();
    let page = world.run(&["sessions", "export", &id, "--format", "html"]);
    assert_eq!(page.code, Some(0), "{}", page.err);
    assert_eq!(
        page.out.matches("&lt;script&gt;alert(1)&lt;/script&gt;").count(),
        12,
        "{}",
        page.out
    );
    for part in ["<script", "<img", "onerror=\"", "http:", "https:", "url("] {
        assert!(!page.out.contains(part), "{part}: {}", page.out);
    }
    assert_eq!(page.out.matches("</title>").count(), 1);
    let list = world.run(&["sessions", "--format", "html"]);
    assert_eq!(list.code, Some(2));
    assert!(
        list.err
            .contains("only available for `test` and `sessions export`"),
        "{}",
        list.err
    );
}
