//! What a run used, by agent.

use serde_json::{Value, json};

use super::world::World;

const LEAD: &str = "---\nname: lead\ndescription: Leads\ntools: Agent\nmodel: sonnet\n---\nLead.\n";
const READER: &str = "---\nname: reader\ndescription: Reads\ntools: Read\nmodel: sonnet\n---\nRead.\n";

/// The lead calls the reader, which answers.
pub(crate) fn world() -> World {
    let call = json!({"id": "1", "name": "Agent", "arguments": r#"{"description":"Count","prompt":"Count.","subagent_type":"reader"}"#});
    let line = |agent: &[&str], tools: &[&str], messages: &[Value], answer: &Value| {
        json!({"agent": agent, "model": "sonnet", "tools": tools, "messages": messages, "answer": answer})
            .to_string()
    };
    let system = |text: &str| json!({"role": "system", "text": text});
    let user = |text: &str| json!({"role": "user", "text": text});
    let mut said = vec![system("Lead."), user("Go.")];
    let first = json!({
        "calls": [call], "input-tokens": 2_000, "output-tokens": 10,
        "cache-write-tokens": 1_500, "cost": 10_000,
    });
    let second = json!({"text": "Three.", "input-tokens": 400, "output-tokens": 1, "cost": 500});
    let third = json!({
        "text": "There are three.", "input-tokens": 2_100, "output-tokens": 20,
        "cache-read-tokens": 1_500, "cache-write-tokens": 100, "cost": 2_000,
    });
    let mut lines = vec![json!({"callsheet-recording": 1}).to_string()];
    lines.push(line(&["lead"], &["Agent"], &said, &first));
    lines.push(line(
        &["lead", "reader"],
        &["Read"],
        &[system("Read."), user("Count.")],
        &second,
    ));
    said.push(json!({"role": "assistant", "calls": first["calls"]}));
    said.push(json!({"role": "tool", "text": "Three.", "answers": "1"}));
    lines.push(line(&["lead"], &["Agent"], &said, &third));
    World::new()
        .file(".claude/agents/lead.md", LEAD)
        .file(".claude/agents/reader.md", READER)
        .file("replay.jsonl", lines.join("\n") + "\n")
}

pub(crate) const RUN: [&str; 7] = [
    "run",
    "lead",
    "Go.",
    "--as",
    "claude-code",
    "--model",
    "replay:replay.jsonl",
];

#[test]
fn tokens_and_cost_are_shown_by_agent() {
    let world = world();
    let run = world.run(&RUN);
    assert_eq!(
        (run.code, &*run.out),
        (Some(0), "There are three.\n"),
        "{}",
        run.err
    );
    let sum = "3 turns, 1 agent called, 4,531 tokens (1,500 from the cache), cost 0.0125, ";
    let lead = "  lead         2 turns, 4,130 tokens (1,500 from the cache), cost 0.0120\n";
    let reader = "  lead/reader  1 turn, 401 tokens, cost 0.0005\n";
    assert!(run.err.contains(sum), "{}", run.err);
    assert!(run.err.ends_with(&[lead, reader].concat()), "{}", run.err);
    let shown = world.run(&["sessions", "--format", "json"]);
    let shown: Value = serde_json::from_str(&shown.out).expect("it is JSON");
    let session = &shown["sessions"][0];
    assert_eq!(session["cache_read_tokens"], 1_500);
    assert_eq!(session["cache_write_tokens"], 1_600);
    assert_eq!(session["agents"][1]["agent"], json!(["lead", "reader"]));
    let id = session["id"].as_str().expect("it has one");
    let shown = world.run(&["sessions", "show", id]);
    assert!(
        shown
            .out
            .contains("turns: 3, tokens: 4531 (from the cache: 1500), cost: 0.0125\n"),
        "{}",
        shown.out
    );
    assert!(
        shown.out.contains(lead.trim()) && shown.out.contains(reader.trim()),
        "{}",
        shown.out
    );
}

#[test]
fn the_outcome_has_each_agent() {
    let run = world().run(&[&RUN[..], &["--json"]].concat());
    let last = run.out.lines().last().expect("there are events");
    let last: Value = serde_json::from_str(last).expect("it is JSON");
    let mut first = last["agents"][0].clone();
    let time = first["nanoseconds"].take();
    assert!(time.as_u64().is_some_and(|time| time > 0), "{time}");
    let lead = json!({
        "agent": ["lead"], "calls": 1, "failures": 0, "denials": 0, "nanoseconds": null, "turns": 2, "input_tokens": 4_100, "cache_read_tokens": 1_500,
        "cache_write_tokens": 1_600, "output_tokens": 30, "cost": 12_000,
    });
    assert_eq!(first, lead);
    assert_eq!(last["agents"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        (&last["cache_read_tokens"], &last["cost"]),
        (&json!(1_500), &json!(12_500))
    );
}

/// The usage so far is part of every saved state, however it was written.
#[test]
fn a_resumed_run_counts_what_was_used_before() {
    let world = world();
    let stopped = world.run(
        &[
            &RUN[..],
            &["--turns", "1", "--total-turns", "2", "--snapshot", "kept"],
        ]
        .concat(),
    );
    assert_eq!(stopped.code, Some(4), "{}", stopped.err);
    let resumed = world.run(&[
        "run",
        "--resume",
        "kept",
        "--turns",
        "9",
        "--total-turns",
        "9",
        "--model",
        "replay:replay.jsonl",
        "--json",
    ]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.err);
    let last: Value =
        serde_json::from_str(resumed.out.lines().last().expect("there are events")).expect("it is JSON");
    let sum = |key: &str| {
        let agents = last["agents"].as_array().expect("it is a list");
        agents
            .iter()
            .map(|agent| agent[key].as_u64().expect("it is a number"))
            .sum::<u64>()
    };
    for key in ["turns", "input_tokens", "output_tokens", "cost"] {
        assert_eq!(json!(sum(key)), last[key], "{key}: {last}");
    }
    assert_eq!(sum("turns"), 3);
}

/// The same, and a recording in which the reader calls a tool that it does not have.
pub(crate) fn denied() -> World {
    let denied = json!({"calls": [{"id": "1", "name": "Write", "arguments": "{}"}], "input-tokens": 1, "output-tokens": 1});
    let line = json!({
        "agent": ["reader"], "model": "sonnet", "tools": ["Read"],
        "messages": [{"role": "system", "text": "Read."}, {"role": "user", "text": "Write."}], "answer": denied,
    });
    world().file("denied.jsonl", format!("{{\"callsheet-recording\":1}}\n{line}\n"))
}

/// In any session, and below any caller.
#[test]
fn saved_sessions_add_up_by_agent() {
    let world = denied();
    let empty = world.run(&["stats"]);
    assert_eq!((empty.code, &*empty.out), (Some(0), ""));
    assert!(
        empty.err.contains("no sessions of this directory are saved"),
        "{}",
        empty.err
    );
    world.run(&RUN);
    world.run(&RUN);
    // The call is denied, and the next request is not in the recording.
    let failed = world.run(&["run", "reader", "Write.", "--model", "replay:denied.jsonl"]);
    assert_eq!(failed.code, Some(5), "{}", failed.err);
    let run = world.run(&["stats", "--format", "json"]);
    let stats: Value = serde_json::from_str(&run.out).expect("it is JSON");
    assert_eq!(
        (&stats["sessions"], &stats["older_sessions"]),
        (&json!(3), &json!(0))
    );
    let numbers = |agent: &Value| {
        ["calls", "failures", "denials", "turns", "cost"].map(|key| agent[key].as_u64().expect("a number"))
    };
    assert_eq!(stats["agents"][0]["agent"], "lead");
    assert_eq!(numbers(&stats["agents"][0]), [2, 0, 0, 4, 24_000]);
    assert_eq!(stats["agents"][1]["agent"], "reader");
    assert_eq!(numbers(&stats["agents"][1]), [3, 1, 1, 3, 1_000]);
    let text = world.run(&["stats"]);
    assert!(
        text.out
            .starts_with("  AGENT   CALLS  FAILED  DENIED  TURNS  TOKENS  COST"),
        "{}",
        text.out
    );
    assert!(text.err.starts_with("3 sessions\n"), "{}", text.err);
    let recent = world.run(&["stats", "--since", "1d"]);
    assert_eq!(recent.out, text.out);
    assert_eq!(world.run(&["stats", "--since", "soon"]).code, Some(2));
}

/// Time and tasks before a session was resumed count once.
#[test]
fn a_resumed_session_is_one_call() {
    let world = world();
    let limits = ["--turns", "1", "--total-turns", "2"];
    assert_eq!(world.run(&[&RUN[..], &limits].concat()).code, Some(4));
    let listed = world.run(&["sessions", "--format", "json"]);
    let listed: Value = serde_json::from_str(&listed.out).expect("it is JSON");
    let id = listed["sessions"][0]["id"].as_str().expect("it has one");
    let words = [
        "--turns",
        "9",
        "--total-turns",
        "9",
        "--model",
        "replay:replay.jsonl",
    ];
    let resumed = world.run(&[&["run", "--resume", id][..], &words].concat());
    assert_eq!(resumed.code, Some(0), "{}", resumed.err);
    let run = world.run(&["stats", "--format", "json"]);
    let stats: Value = serde_json::from_str(&run.out).expect("it is JSON");
    assert_eq!(
        (&stats["agents"][0]["calls"], &stats["agents"][1]["calls"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(stats["agents"][0]["turns"], 2);
}
