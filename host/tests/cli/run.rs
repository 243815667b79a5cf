//! `run` for a new user, offline: the recording that is shipped, and the possible errors.

use std::io::Write as _;
use std::process::Stdio;

use super::world::{Run, World};

const TASK: &str = "Review harbour.toml";

const RECORDED: [&str; 2] = ["--model", "replay:review.jsonl"];

fn run(words: &[&str]) -> Run {
    World::example().run(&[&["run", "code-reviewer", "--as", "claude-code"], words].concat())
}

fn recorded(words: &[&str]) -> Run {
    run(&[words, &RECORDED].concat())
}

#[test]
fn only_the_answer_goes_to_standard_output() {
    let run = recorded(&[TASK]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.starts_with("harbour.toml: nothing wrong"), "{}", run.out);
    assert!(run.err.contains("code-reviewer: Read "), "{}", run.err);
    assert!(!run.err.contains('\u{1b}') && !run.out.contains('\u{1b}'));
}

#[test]
fn a_task_can_be_piped_in() {
    let words = ["run", "code-reviewer", "-", "--as", "claude-code"];
    let world = World::example();
    let mut command = world.callsheet(&[&words[..], &RECORDED].concat());
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("it is piped");
    writeln!(input, "{TASK}").expect("it is read");
    drop(input);
    let run = Run::from(child.wait_with_output().expect("it ends"));
    assert_eq!(run.code, Some(0), "{}", run.err);
}

#[test]
fn json_events_end_with_the_answer() {
    let run = recorded(&[TASK, "--json"]);
    let lines: Vec<serde_json::Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("every line is JSON"))
        .collect();
    assert_eq!(lines[0]["event"], "called");
    assert_eq!(lines.last().expect("there is one")["outcome"], "answer");
    let calls = lines.iter().filter(|line| line["event"] == "calls").count();
    let results = lines.iter().filter(|line| line["event"] == "result");
    let texts = results.filter(|line| line["text"].as_str().is_some_and(|text| !text.is_empty()));
    assert!(calls > 0 && texts.count() > 0, "{lines:?}");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
}

/// What an agent says before its calls is on lines of its own, and the answer is printed once.
#[test]
fn text_is_printed_while_it_arrives() {
    let (plain, streamed) = (recorded(&[TASK]), recorded(&[TASK, "--stream"]));
    assert_eq!(streamed.code, Some(0), "{}", streamed.err);
    let all = said(&recorded(&[TASK, "--json"]), "said");
    assert_eq!(streamed.out, all.join("\n") + "\n");
    assert!(streamed.out.ends_with(&plain.out));
    let pieces = recorded(&[TASK, "--json", "--stream"]);
    assert_eq!(said(&pieces, "piece"), all);
    let refused = run(&[TASK, "--stream", "--view"]);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
}

/// The texts of the first agent's events of one kind that have one.
fn said(run: &Run, event: &str) -> Vec<String> {
    let lines = run.out.lines().map(serde_json::from_str::<serde_json::Value>);
    let lines = lines.map(|line| line.expect("every line is JSON"));
    let of_first = lines.filter(|line| line["event"] == event && line["run"] == 0);
    let texts = of_first.map(|line| line["text"].as_str().unwrap_or_default().to_owned());
    texts.filter(|text| !text.is_empty()).collect()
}

#[test]
fn invalid_usage_is_reported() {
    let blank = ["  ", RECORDED[0], RECORDED[1]];
    for (words, code, part) in [
        (
            &["Review it", RECORDED[0], RECORDED[1]][..],
            5,
            "says \"Review harbour.toml\"",
        ),
        (&blank, 2, "`-` to read it from standard input"),
        (&[], 2, "<TASK>..."),
        (
            &[TASK, "--model", "replay:none.jsonl"],
            2,
            "none.jsonl: cannot be read",
        ),
        (&[TASK, "--model", "nosuch"], 2, "provider of model `nosuch`"),
        (&[TASK, "--model", "nobody:model"], 2, "unknown provider `nobody`"),
    ] {
        let run = run(words);
        assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{words:?}");
        assert!(run.err.contains(part), "{words:?}: {}", run.err);
    }
    let run = World::example().run(&["run", "code-reviewr", TASK, "--as", "claude-code"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.contains("help: did you mean `code-reviewer` ("),
        "{}",
        run.err
    );
}

#[test]
fn resuming_a_finished_run_prints_its_result() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("session");
    let file = file.to_str().expect("it is UTF-8");
    let first = recorded(&[TASK, "--snapshot", file]);
    let again = World::example().run(&["run", "--resume", file]);
    assert_eq!((again.code, &again.out), (Some(0), &first.out));
    assert!(again.err.contains("already finished"), "{}", again.err);
}

const READER: &str = "---\nname: reader\ndescription: Reads\ntools: Read\nmodel: sonnet\n---\nRead.\n";

/// It wants to write, may not, and says that it is done.
const REFUSED: &str = r#"{"callsheet-recording":1}
{"agent":["reader"],"model":"sonnet","tools":["Read"],"messages":[{"role":"system","text":"Read."},{"role":"user","text":"Write it."}],"answer":{"calls":[{"id":"1","name":"Write","arguments":"{}"}],"input-tokens":1,"output-tokens":1}}
{"agent":["reader"],"model":"sonnet","tools":["Read"],"after":2,"messages":[{"role":"assistant","calls":[{"id":"1","name":"Write","arguments":"{}"}]},{"role":"tool","text":"`Write` is not one of this agent's tools. This agent's tools: Read","answers":"1","is-error":true}],"answer":{"text":"Done.","input-tokens":1,"output-tokens":1}}
"#;

#[test]
fn resuming_a_finished_run_prints_its_denials() {
    let world = World::new()
        .file(".claude/agents/reader.md", READER)
        .file("reader.jsonl", REFUSED);
    let recorded = ["--model", "replay:reader.jsonl", "--snapshot", "session"];
    let first = world.run(&[&["run", "reader", "Write it."][..], &recorded].concat());
    assert_eq!(
        (first.code, first.out.as_str()),
        (Some(3), "Done.\n"),
        "{}",
        first.err
    );
    let again = world.run(&["run", "--resume", "session"]);
    assert_eq!((again.code, &again.out), (Some(3), &first.out), "{}", again.err);
    let json = world.run(&["run", "--resume", "session", "--json"]);
    assert!(json.out.contains(r#""refused":true"#), "{}", json.out);
}

#[test]
fn options_cannot_change_on_resume() {
    for word in [
        "--allow=Bash",
        "--permission-mode=bypass",
        "--snapshot=other",
        "--attenuate",
    ] {
        let run = World::example().run(&["run", "--resume", "session", word]);
        assert_eq!(run.code, Some(2), "{word}");
        assert!(run.err.contains("cannot be used with"), "{word}: {}", run.err);
    }
}

/// A pipe would never end.
#[cfg(unix)]
#[test]
fn pipes_are_neither_sessions_nor_recordings() {
    let world = World::new().file(".claude/agents/reader.md", READER);
    let made = std::process::Command::new("mkfifo")
        .arg(world.at("pipe"))
        .status();
    assert!(made.expect("there is mkfifo").success());
    for words in [
        &["run", "--resume", "pipe"][..],
        &["run", "reader", "Go", "--model", "replay:pipe"],
    ] {
        let run = world.run(words);
        assert_eq!(run.code, Some(2), "{}", run.err);
        assert!(run.err.contains("not a regular file"), "{}", run.err);
    }
}

#[test]
fn a_cost_limit_needs_a_known_price() {
    let words = [
        "run",
        "code-reviewer",
        TASK,
        "--as",
        "claude-code",
        "--model",
        "anthropic:x",
        "--cost",
        "1",
    ];
    let mut command = World::example().callsheet(&words);
    let run = Run::from(
        command
            .env("ANTHROPIC_API_KEY", "none")
            .output()
            .expect("it starts"),
    );
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.err);
    assert!(
        run.err.contains("the price of anthropic:x is unknown"),
        "{}",
        run.err
    );
    assert!(run.err.contains("`[prices]`"), "{}", run.err);
}
