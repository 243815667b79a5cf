//! A recording answers what was recorded, and says why it does not answer the rest.

use std::collections::VecDeque;
use std::sync::Arc;

use futures_executor::block_on;

use super::*;
use crate::Cached;
use crate::conversation::{Message, ModelAnswer, Role, ToolCall, ToolSpec};
use crate::model::Recorder;

fn message(role: Role, text: &str) -> Message {
    Message {
        role,
        text: text.into(),
        calls: Vec::new(),
        answers: None,
        is_error: false,
    }
}

fn request(agent: &str, said: &[&str]) -> ModelRequest {
    let roles = [Role::System, Role::User, Role::Assistant, Role::Tool];
    ModelRequest {
        agent: agent.split('/').map(str::to_owned).collect(),
        provider: Some("anthropic".into()),
        model: "claude".into(),
        messages: said
            .iter()
            .zip(roles.into_iter().cycle())
            .map(|(text, role)| message(role, text))
            .collect(),
        tools: vec![ToolSpec {
            name: "Read".into(),
            description: "Reads".into(),
            schema: "{}".into(),
        }],
        changed_from: None,
        max_tokens: None,
        effort: None,
        thinking_budget: None,
        base_url: Some("https://secret.example".into()),
        api_key_variable: Some("SECRET_KEY".into()),
    }
}

fn answer(text: &str) -> Completion {
    let answer = ModelAnswer {
        text: text.into(),
        calls: vec![ToolCall {
            id: "1".into(),
            name: "Read".into(),
            arguments: r#"{"path":"a"}"#.into(),
        }],
        input_tokens: 7,
        output_tokens: 2,
        cost: Some(3),
    };
    let cached = Cached { read: 4, written: 1 };
    Completion { answer, cached }
}

/// Gives its answers one after the other.
struct Script(Mutex<VecDeque<Result<Completion, CallError>>>);

impl Models for Script {
    fn complete<'a>(&'a self, _: &'a ModelRequest, _: Heard<'a>) -> Answer<'a, Completion> {
        let next = self.0.lock().unwrap().pop_front();
        Box::pin(std::future::ready(next.expect("the script is long enough")))
    }
}

/// Records these requests and answers.
fn record(asked: &[(ModelRequest, Result<Completion, CallError>)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.jsonl");
    let script = Script(Mutex::new(
        asked.iter().map(|(_, answer)| answer.clone()).collect(),
    ));
    let recorder = Recorder::new(Arc::new(script), &path, None).unwrap();
    for (request, answer) in asked {
        assert_eq!(&block_on(recorder.complete(request, &|_| {})), answer);
    }
    std::fs::read_to_string(path).unwrap()
}

fn ask(replay: &Replay, request: &ModelRequest) -> Result<Completion, CallError> {
    block_on(replay.complete(request, &|_| {}))
}

fn refusal(replay: &Replay, request: &ModelRequest) -> String {
    match ask(replay, request) {
        Err(CallError::Other(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn recorded_requests_are_answered_in_any_order() {
    let failures = [
        CallError::Unavailable("later".into()),
        CallError::Denied("no".into()),
        CallError::TimedOut,
        CallError::Other("what".into()),
    ];
    let mut asked = vec![
        (request("a", &["s", "u"]), Ok(answer("one"))),
        (request("a/b", &["s", "u"]), Ok(answer("two"))),
        (request("a", &["s", "u", "c", "t"]), Ok(answer("three"))),
    ];
    for (number, failure) in failures.into_iter().enumerate() {
        asked.push((request("a", &["s", &number.to_string()]), Err(failure)));
    }
    let replay = Replay::parse("r", &record(&asked)).unwrap();
    for (request, answer) in asked.iter().rev() {
        assert_eq!(&ask(&replay, request), answer);
    }
    assert_eq!(replay.left(), 0);
}

#[test]
fn equal_requests_are_answered_in_order() {
    let alike = request("a", &["s", "u"]);
    let text = record(&[
        (alike.clone(), Ok(answer("one"))),
        (alike.clone(), Ok(answer("two"))),
    ]);
    let replay = Replay::parse("r", &text).unwrap();
    assert_eq!(ask(&replay, &alike), Ok(answer("one")));
    assert_eq!(ask(&replay, &alike), Ok(answer("two")));
    assert_eq!(
        refusal(&replay, &alike),
        "request 3, by a, is not in r: it was recorded 2 times, but is requested again"
    );
}

#[test]
fn continued_conversations_are_not_written_again() {
    let long = "x".repeat(500);
    let text = record(&[
        (request("a", &[&long, "u"]), Ok(answer("one"))),
        (request("a", &[&long, "u", "c", "t"]), Ok(answer("two"))),
        (request("a", &[&long, "other"]), Ok(answer("three"))),
    ]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], r#"{"callsheet-recording":1}"#);
    assert!(
        lines[2].contains(r#""after":2,"messages":[{"role":"assistant""#),
        "{}",
        lines[2]
    );
    assert!(!lines[2].contains(&long));
    assert!(lines[3].contains(&long), "it is no end of an earlier one");
    assert!(!text.contains("secret") && !text.contains("SECRET"), "{text}");
}

#[test]
fn an_unrecorded_request_is_compared_with_the_nearest() {
    let text = record(&[
        (request("a", &["s", "u"]), Ok(answer("one"))),
        (
            request("a", &["s", "u", "c", "the result is 41"]),
            Ok(answer("two")),
        ),
    ]);
    let with = |change: fn(&mut ModelRequest)| {
        let mut request = request("a", &["s", "u"]);
        change(&mut request);
        request
    };
    let replay = Replay::parse("r", &text).unwrap();
    let cases = [
        (
            request("a", &["s", "u", "c", "the result is 42"]),
            "line 3, where message 4, the tool's, says \"the result is 41\", not \"the result is 42\"",
        ),
        (
            request("a", &["s", "v"]),
            "line 2, where message 2, the user's, says \"u\", not \"v\"",
        ),
        (
            request("a", &["s", "u", "c"]),
            "line 3, where there are 4 messages, not 3",
        ),
        (request("b", &["s", "u"]), "line 2, where a asked"),
        (
            with(|request| request.model = "gpt".into()),
            "line 2, where the model is `anthropic:claude`, not `anthropic:gpt`",
        ),
        (
            with(|request| request.tools.clear()),
            "line 2, where there was a tool `Read`",
        ),
        (
            with(|request| request.tools[0].name = "Bash".into()),
            "line 2, where there was no tool `Bash`",
        ),
        (
            with(|request| request.messages[1].role = Role::Tool),
            "line 2, where message 2 is the user's, not the tool's",
        ),
        (
            with(|request| request.messages[1].is_error = true),
            "line 2, where message 2, the user's, answers another call or answers it differently",
        ),
        (
            with(|request| request.messages[1].calls = answer("").answer.calls),
            "line 2, where message 2, the user's, has other calls",
        ),
    ];
    for (number, (request, expected)) in (1..).zip(cases) {
        let agent = &request.agent[0];
        let expected = format!("request {number}, by {agent}, is not in r: the closest is on {expected}");
        assert_eq!(refusal(&replay, &request), expected);
    }
}

#[test]
fn the_replay_model_does_not_affect_matching() {
    let text = record(&[(request("a", &["s", "u"]), Ok(answer("one")))]);
    let mut asked = request("a", &["s", "u"]);
    asked.provider = Some("replay".into());
    asked.model = "demo.jsonl".into();
    assert_eq!(
        ask(&Replay::parse("r", &text).unwrap(), &asked),
        Ok(answer("one"))
    );
}

#[test]
fn the_recording_of_a_killed_run_is_readable() {
    let text = record(&[
        (request("a", &["s", "u"]), Ok(answer("one"))),
        (request("a", &["s", "v"]), Ok(answer("two"))),
    ]);
    let replay = Replay::parse("r", &text[..text.len() - 10]).unwrap();
    assert_eq!(replay.left(), 1);
}

/// Each line continues the one before: copies of the messages would take gigabytes.
#[test]
fn a_long_recording_takes_no_more_memory_than_its_file() {
    const LINES: usize = 20_000;
    let line = |number: usize| {
        let after = if number > 0 {
            format!("\"after\":{},", number + 1)
        } else {
            String::new()
        };
        format!(
            r#"{{"agent":["a"],"model":"any","tools":[],{after}"messages":[{{"role":"user","text":"{number}"}}],"answer":{{"text":"{number}","input-tokens":1,"output-tokens":1}}}}"#
        )
    };
    let lines: Vec<String> = (0..LINES).map(line).collect();
    let text = format!("{{\"callsheet-recording\":1}}\n{}\n", lines.join("\n"));
    let replay = Replay::parse("r", &text).unwrap();
    let said: Vec<String> = (0..LINES).map(|number| number.to_string()).collect();
    let mut asked = request("a", &[]);
    asked.tools.clear();
    asked.provider = Some("replay".to_owned());
    asked.messages = said.iter().map(|text| message(Role::User, text)).collect();
    let answer = ask(&replay, &asked).unwrap();
    assert_eq!(answer.answer.text, (LINES - 1).to_string());
    asked.messages.last_mut().unwrap().text = "other".to_owned();
    let reason = refusal(&replay, &asked);
    assert!(reason.contains("closest is on line 20001"), "{reason}");
}

#[test]
fn an_invalid_recording_names_the_line() {
    let start = "{\"callsheet-recording\":1}\n";
    let line = r#"{"agent":["a"],"model":"m","tools":[],"messages":[],"answer":{"text":"t","input-tokens":1,"output-tokens":1}}"#;
    let sound = format!("{start}{line}\n");
    assert!(Replay::parse("r", &sound).is_ok());
    for (text, expected) in [
        (
            String::new(),
            "r:1: is not a recording: it must start with `{\"callsheet-recording\":1}`",
        ),
        (
            format!("{line}\n"),
            "r:1: is not a recording: it must start with `{\"callsheet-recording\":1}`",
        ),
        (
            "{\"callsheet-recording\":2}\n".into(),
            "r:1: has format 2; only 1 is supported",
        ),
        (
            format!("{start}\n{{}}\n"),
            "r:3: is not a request: missing field `agent`, in column 2",
        ),
        (
            sound.replace("\"messages\"", "\"after\":2,\"messages\""),
            "r:2: continues line 2, which is not an earlier request",
        ),
        (
            sound.replace("\"text\"", "\"txt\""),
            "r:2: is not a request: unknown field `txt`, expected one of `text`, `calls`, `input-tokens`, `output-tokens`, `cache-read-tokens`, `cache-write-tokens`, `cost`, in column 108",
        ),
    ] {
        let error = Replay::parse("r", &text).unwrap_err().to_string();
        assert_eq!(error, expected, "{text}");
    }
    let missing = Replay::open("nowhere/at-all.jsonl").unwrap_err();
    assert_eq!(
        (missing.line, missing.file.as_str()),
        (None, "nowhere/at-all.jsonl")
    );
    let silent = Script(Mutex::default());
    assert!(Recorder::new(Arc::new(silent), "missing/new.jsonl", None).is_err());
}
