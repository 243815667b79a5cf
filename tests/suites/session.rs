//! Delegations with a scripted model: `tests/data/delegation`. `BLESS=1` writes what becomes of them beside them.

use std::fs;

use callsheet::conversation::{CallError, ModelAnswer, ToolAnswer, ToolCall};
use callsheet::delegation::{Outcome, Reply, SessionError, Step};
use callsheet_tests::generate::Dice;
use callsheet_tests::machine::Machine;
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

fn again<M: Machine>(mut session: M) -> M {
    let bytes = session.snapshot();
    let mut restored = session.restore(&bytes).expect("it is a snapshot");
    assert_eq!(
        bytes,
        restored.snapshot(),
        "a snapshot of what was restored is the same"
    );
    restored
}

fn model(text: &str, calls: Vec<ToolCall>, tokens: u32) -> Reply {
    Reply::Model(ModelAnswer {
        text: text.to_owned(),
        calls,
        input_tokens: tokens,
        output_tokens: tokens,
        cost: Some(tokens.into()),
    })
}

#[test]
fn scripts_end_as_expected() {
    let mut wrong = Vec::new();
    for (path, script) in Script::all() {
        let account = script.play(script.open(), |_| 0, |session| session).account;
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

/// The component does what the core does, to the byte.
#[test]
fn the_component_ends_as_the_core() {
    for (name, script) in scripts() {
        let expected = script.play(script.open(), |_| 0, |session| session);
        let mut played = script.play(script.open_component(), |_| 0, |session| session);
        assert_eq!(played.account, expected.account, "{name}");
        let mut native = expected.session;
        assert_eq!(played.session.snapshot(), native.snapshot(), "{name}");
    }
}

/// Any order, and put away after every step.
fn in_any_order<M: Machine>(open: fn(&Script) -> M, rounds: usize) {
    let mut dice = Dice(1);
    for (name, script) in scripts().iter().filter(|(_, script)| script.any_order()) {
        let expected = script.play(script.open(), |_| 0, |session| session).account;
        for round in 0..rounds {
            let away = |session: M| match round % 3 {
                0 => again(session),
                _ => session,
            };
            let played = script.play(open(script), |count| dice.below(count), away);
            assert_eq!(played.account, expected, "{name}");
        }
    }
}

#[test]
fn the_order_of_replies_does_not_matter() {
    in_any_order(Script::open, 30);
}

#[test]
fn nor_does_it_on_the_component() {
    in_any_order(Script::open_component, 4);
}

fn put_away<M: Machine>(open: fn(&Script) -> M) {
    for (name, script) in scripts() {
        let expected = script.play(script.open(), |_| 0, |session| session).account;
        let played = script.play(open(&script), |_| 0, again);
        assert_eq!(played.account, expected, "{name}");
    }
}

#[test]
fn putting_a_session_away_changes_nothing() {
    put_away(Script::open);
}

#[test]
fn nor_does_it_on_a_component() {
    put_away(Script::open_component);
}

#[test]
fn nothing_is_left_after_the_end() {
    for (name, script) in scripts() {
        let mut session = script.play(script.open(), |_| 0, |session| session).session;
        assert!(session.poll(u64::MAX, 0).is_empty(), "{name}");
        for id in 0..20 {
            let replied = session.reply(id, model("", Vec::new(), 0), 0);
            assert_eq!(replied, Err(SessionError::Finished), "{name}");
        }
        session.events();
        let outcome = match session.outcome().expect("it ended") {
            Outcome::Answer(text) | Outcome::Failed(text) => text.len(),
            Outcome::Bound(exceeded) => exceeded.bound.len() + exceeded.partial.len(),
            Outcome::Cancelled => 0,
        };
        let left = session.snapshot().len();
        assert!(left < 200 + outcome, "{name}: {left}");
    }
}

/// What nobody asked for, in any order.
fn garbage<M: Machine>(open: fn(&Script) -> M, rounds: usize) {
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
        for _ in 0..rounds {
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
                    _ => model("", calls, u32::MAX),
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
fn garbage_ends_in_an_error() {
    garbage(Script::open, 20);
}

#[test]
fn garbage_is_no_trap() {
    garbage(Script::open_component, 2);
}

/// Snapshots that were cut or changed.
fn damaged<M: Machine>(mut session: M, step: usize) {
    let bytes = session.snapshot();
    for length in (0..bytes.len()).step_by(step) {
        let restored = session.restore(&bytes[..length]);
        assert!(restored.is_err(), "the first {length} bytes");
    }
    let longer = [&*bytes, &[0]].concat();
    assert!(session.restore(&longer).is_err());
    for at in (0..bytes.len()).step_by(step) {
        for value in [0, 1, 255, bytes[at].wrapping_add(1)] {
            let mut changed = bytes.clone();
            changed[at] = value;
            // Some changes make another session; none makes a panic.
            if let Ok(mut session) = session.restore(&changed) {
                for step in session.poll(1, 0) {
                    session.reply(step.id, Reply::Failed(CallError::TimedOut), 1).ok();
                }
            }
        }
    }
}

#[test]
fn no_bytes_are_a_snapshot_by_chance() {
    let (_, script) = scripts().remove(0);
    damaged(script.open(), 1);
    damaged(script.open_component(), 7);
}

#[test]
fn a_session_keeps_its_time() {
    let mut scripts = scripts().into_iter();
    let (_, script) = scripts.find(|(name, _)| name == "deadline").expect("it is there");
    let mut session = script.open();
    let step = session.poll(99, 0).remove(0);
    assert!(matches!(step.step, Step::AskModel(_)));
    assert_eq!(session.poll(99, 0), [step], "asking twice gives the same");
    assert!(session.poll(100, 0).is_empty());
    assert!(matches!(session.outcome(), Some(Outcome::Bound(exceeded)) if exceeded.bound == "deadline"));
}

#[test]
fn cancelling_ends_it() {
    let (_, script) = scripts().remove(0);
    let mut session = script.open_component();
    session.cancel();
    session.cancel();
    assert_eq!(session.outcome(), Some(Outcome::Cancelled));
    assert!(session.poll(1, 0).is_empty());
}
