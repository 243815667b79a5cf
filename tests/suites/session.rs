//! Delegations with a scripted model: `tests/data/delegation`. `BLESS=1` writes what becomes of them beside them.

use std::fs;

use callsheet_core::session::{
    CallError, ModelAnswer, Outcome, Reply, Session, SessionError, Step, ToolAnswer, ToolCall,
};
use callsheet_tests::generate::Dice;
use callsheet_tests::invariants::with_dialects;
use callsheet_tests::script::Script;

fn scripts() -> Vec<(String, Script)> {
    let name = |path: &std::path::Path| {
        path.file_stem()
            .expect("it is a file")
            .to_string_lossy()
            .into_owned()
    };
    Script::all()
        .into_iter()
        .map(|(path, script)| (name(&path), script))
        .collect()
}

fn open(script: &Script) -> Session {
    with_dialects(|dialects| script.open(dialects))
}

fn again(session: Session) -> Session {
    let bytes = session.snapshot();
    let restored = with_dialects(|dialects| Session::restore(dialects, &bytes)).expect("it is a snapshot");
    assert_eq!(
        bytes,
        restored.snapshot(),
        "a snapshot of what was restored is the same"
    );
    restored
}

#[test]
fn scripts_end_as_expected() {
    let mut wrong = Vec::new();
    for (path, script) in Script::all() {
        let account = script.play(open(&script), |_| 0, |session| session).account;
        let expected = path.with_extension("txt");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&expected, &account).expect("the folder is ours");
        }
        let expected = fs::read_to_string(&expected).unwrap_or_default();
        if account != expected {
            wrong.push(format!("{}: {}\n{account}", path.display(), script.about));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_order_of_replies_does_not_matter() {
    let mut dice = Dice(1);
    for (name, script) in scripts().iter().filter(|(_, script)| script.any_order()) {
        let expected = script.play(open(script), |_| 0, |session| session).account;
        for _ in 0..30 {
            let played = script.play(open(script), |count| dice.below(count), |session| session);
            assert_eq!(played.account, expected, "{name}");
        }
    }
}

#[test]
fn putting_a_session_away_changes_nothing() {
    for (name, script) in scripts() {
        let expected = script.play(open(&script), |_| 0, |session| session).account;
        let played = script.play(open(&script), |_| 0, again);
        assert_eq!(played.account, expected, "{name}");
    }
}

#[test]
fn nothing_is_left_after_the_end() {
    for (name, script) in scripts() {
        let mut session = script.play(open(&script), |_| 0, |session| session).session;
        assert!(session.poll(u64::MAX, 0).is_empty(), "{name}");
        let answer = Reply::Model(ModelAnswer::default());
        for id in 0..20 {
            assert_eq!(
                session.reply(id, answer.clone(), 0),
                Err(SessionError::Finished),
                "{name}"
            );
        }
        session.events();
        let outcome = match session.outcome().expect("it ended") {
            Outcome::Answer(text) | Outcome::Failed(text) => text.len(),
            Outcome::Bound { bound, partial } => bound.len() + partial.len(),
            Outcome::Cancelled => 0,
        };
        assert!(
            session.snapshot().len() < 200 + outcome,
            "{name}: {}",
            session.snapshot().len()
        );
    }
}

/// What nobody asked for, in any order.
#[test]
fn garbage_ends_in_an_error() {
    let mut dice = Dice(1);
    let names = ["Read", "Bash", "Task", "Agent", "task", "", "reviewer", "x"];
    let arguments = [
        "",
        "{",
        "[]",
        "{}",
        "\"\"",
        "{\"prompt\":\"x\",\"subagent_type\":\"reviewer\"}",
        "{\"query\":1}",
        "\u{0}",
    ];
    for (name, script) in scripts() {
        for _ in 0..20 {
            let mut session = open(&script);
            for turn in 0..200 {
                let now = turn as u64;
                let id = u32::try_from(dice.below(turn + 2)).expect("it is small");
                let calls = (0..dice.below(4)).map(|at| ToolCall {
                    id: ["a", "b", "", "a"][at].to_owned(),
                    name: names[dice.below(names.len())].to_owned(),
                    arguments: arguments[dice.below(arguments.len())].to_owned(),
                });
                let calls: Vec<ToolCall> = calls.collect();
                let reply = match dice.below(4) {
                    0 => Reply::Tool(ToolAnswer {
                        text: "x".repeat(1000),
                        is_error: true,
                    }),
                    1 => Reply::Failed(CallError::TimedOut),
                    _ => Reply::Model(ModelAnswer {
                        text: String::new(),
                        calls,
                        input_tokens: u32::MAX,
                        output_tokens: u32::MAX,
                        cost: Some(u64::MAX),
                    }),
                };
                let waits = session.poll(now, 0).iter().any(|step| step.id == id);
                let taken = session.reply(id, reply, now);
                assert!(waits || taken.is_err(), "{name}: nobody asked for {id}");
                if session.outcome().is_none() {
                    assert!(!session.poll(now, 0).is_empty(), "{name}: it waits for nothing");
                }
                session = again(session);
            }
        }
    }
}

#[test]
fn no_bytes_are_a_snapshot_by_chance() {
    let (_, script) = scripts().remove(0);
    let bytes = open(&script).snapshot();
    let restore = |bytes: &[u8]| with_dialects(|dialects| Session::restore(dialects, bytes));
    for length in 0..bytes.len() {
        assert!(restore(&bytes[..length]).is_err(), "the first {length} bytes");
    }
    let longer = [&*bytes, &[0]].concat();
    assert!(restore(&longer).is_err());
    for at in 0..bytes.len() {
        for value in [0, 1, 255, bytes[at].wrapping_add(1)] {
            let mut changed = bytes.clone();
            changed[at] = value;
            // Some changes make another session; none makes a panic.
            if let Ok(mut session) = restore(&changed) {
                for step in session.poll(1, 0) {
                    session.reply(step.id, Reply::Failed(CallError::TimedOut), 1).ok();
                }
            }
        }
    }
}

#[test]
fn a_session_keeps_its_time() {
    let (_, script) = scripts()
        .into_iter()
        .find(|(name, _)| name == "deadline")
        .expect("it is there");
    let mut session = open(&script);
    let step = session.poll(99, 0).remove(0);
    assert!(matches!(step.step, Step::AskModel(_)));
    assert_eq!(session.poll(99, 0), [step], "asking twice gives the same");
    assert!(session.poll(100, 0).is_empty());
    assert!(matches!(session.outcome(), Some(Outcome::Bound { bound, .. }) if bound == "deadline"));
}

#[test]
fn cancelling_ends_it() {
    let (_, script) = scripts().remove(0);
    let mut session = open(&script);
    session.cancel();
    session.cancel();
    assert_eq!(session.outcome(), Some(&Outcome::Cancelled));
    assert!(session.poll(1, 0).is_empty());
}
