//! Delegations with a scripted model, `tests/cases/delegation`: in any order, saved and restored, and with wrong replies.
//!
//! What becomes of them is for the conformance suite.

mod trees;

use std::path::Path;

use callsheet::conversation::{CallError, ModelAnswer, ToolAnswer, ToolCall};
use callsheet::delegation::{Ending, Reply, SessionError, Step};
use callsheet_tests::backend::{Backend, Machine};
use callsheet_tests::case::Case;
use callsheet_tests::generate::Dice;
use callsheet_tests::script::{Stage, play};

/// Of so many scripts, one is played in a runtime that is asked line by line. All of them are in the conformance suite.
const APART: usize = 8;

/// Backends that can stop a session midway, and how often that is worth testing. The program cannot: it drives its own.
fn holders(native: usize, component: usize) -> impl Iterator<Item = (Backend, usize)> {
    let remote = Backend::REMOTE.into_iter().filter(|backend| backend.is_here());
    let own = [(Backend::Native, native), (Backend::Component, component)];
    own.into_iter().chain(remote.map(|backend| (backend, 1)))
}

/// Every script that starts and can be played again, or as many as the backend has time for.
fn stages(backend: Backend) -> impl Iterator<Item = (String, Stage)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/delegation");
    let apart = if Backend::REMOTE.contains(&backend) {
        APART
    } else {
        1
    };
    let cases = Case::all(&folder).into_iter().step_by(apart);
    let stages = cases.map(move |(name, case)| {
        let case = case.unwrap_or_else(|error| panic!("{error}"));
        let stage = Stage::set(&case, backend);
        let stage = stage.unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, stage)
    });
    stages.filter(|(_, stage)| stage.script.repeats())
}

fn stage(name: &str, backend: Backend) -> Stage {
    let mut stages = stages(backend);
    stages.find(|(other, _)| other == name).expect("it is there").1
}

fn open(stage: &mut Stage) -> Box<dyn Machine> {
    stage.open().expect("the agent is active")
}

fn again(stage: &mut Stage, mut session: Box<dyn Machine>) -> Box<dyn Machine> {
    let bytes = session.snapshot();
    let mut restored = stage.restore(&bytes).expect("it is a snapshot");
    assert_eq!(
        bytes,
        restored.snapshot(),
        "a snapshot of what was restored is the same"
    );
    restored
}

/// Plays a session, saved and restored after every step if `away`, and returns its result.
fn played(stage: &mut Stage, pick: impl FnMut(usize) -> usize, away: bool) -> String {
    let session = open(stage);
    let (models, tools) = (stage.models.clone(), stage.tools.clone());
    let script = stage.script.without_descriptions();
    let between = |session| if away { again(stage, session) } else { session };
    play(session, (&*models, &*tools), &script, pick, between)
        .account
        .text()
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

/// The component's snapshots are identical to the core's.
#[test]
fn component_and_core_have_the_same_state() {
    let pairs = stages(Backend::Native).zip(stages(Backend::Component));
    for ((name, mut native), (_, mut component)) in pairs {
        let (mut core, mut other) = (open(&mut native), open(&mut component));
        for now in 1.. {
            assert_eq!(core.snapshot(), other.snapshot(), "{name}");
            let steps = core.poll(now, 0);
            assert_eq!(steps, other.poll(now, 0), "{name}");
            let Some(step) = steps.first() else { break };
            let reply = native.reply(&step.step);
            assert_eq!(core.reply(step.id, reply.clone(), now), Ok(()), "{name}");
            assert_eq!(other.reply(step.id, reply, now), Ok(()), "{name}");
        }
    }
}

#[test]
fn the_order_of_replies_does_not_matter() {
    let mut dice = Dice(1);
    for (backend, rounds) in holders(10, 2) {
        for (name, mut stage) in stages(backend).filter(|(_, stage)| stage.script.any_order()) {
            let expected = played(&mut stage, |_| 0, false);
            for round in 0..rounds {
                let account = played(&mut stage, |count| dice.below(count), round % 3 == 0);
                assert_eq!(account, expected, "{name} on {backend}");
            }
        }
    }
}

#[test]
fn saving_and_restoring_changes_nothing() {
    for (backend, _) in holders(1, 1) {
        for (name, mut stage) in stages(backend) {
            let expected = played(&mut stage, |_| 0, false);
            assert_eq!(played(&mut stage, |_| 0, true), expected, "{name} on {backend}");
        }
    }
}

/// Saved on one backend and restored on the other after every step.
#[test]
fn a_session_continues_on_another_backend() {
    for (backend, _) in holders(0, 1).skip(1) {
        goes_on(backend);
    }
}

fn goes_on(backend: Backend) {
    for (name, mut other) in stages(backend) {
        let mut native = stage(&name, Backend::Native);
        let expected = played(&mut native, |_| 0, false);
        let session = open(&mut native);
        let (models, tools) = (native.models.clone(), native.tools.clone());
        let script = native.script.without_descriptions();
        let mut here = true;
        let between = |mut session: Box<dyn Machine>| {
            let bytes = session.snapshot();
            here = !here;
            let next = if here { &mut native } else { &mut other };
            next.restore(&bytes).expect("it is a snapshot")
        };
        let played = play(session, (&*models, &*tools), &script, |_| 0, between);
        assert_eq!(played.account.text(), expected, "{name} on {backend}");
    }
}

#[test]
fn replies_after_the_end_are_refused() {
    for (name, mut stage) in stages(Backend::Native) {
        let session = open(&mut stage);
        let mut session = stage.play(session).session;
        assert!(session.poll(u64::MAX, 0).is_empty(), "{name}");
        for id in 0..20 {
            let replied = session.reply(id, model("", Vec::new(), 0), 0);
            assert_eq!(replied, Err(SessionError::Finished), "{name}");
        }
    }
}

/// Replies without a request, in any order.
#[test]
fn invalid_replies_end_in_an_error() {
    let mut dice = Dice(1);
    for (backend, rounds) in holders(4, 1) {
        for (name, mut stage) in stages(backend) {
            for _ in 0..rounds {
                garbage(&name, &mut stage, &mut dice);
            }
        }
    }
}

fn garbage(name: &str, stage: &mut Stage, dice: &mut Dice) {
    let bounds = stage.script.settings(Path::new("/")).bounds;
    let mut session = open(stage);
    for turn in 0..200 {
        let now = turn as u64;
        let steps = session.poll(now, 0);
        let deepest = steps.iter().map(|step| depth(&step.step)).max().unwrap_or(0);
        assert!(deepest <= bounds.depth as usize, "{name}: {deepest} deep");
        let id = match dice.below(3) {
            0 => u32::try_from(dice.below(turn + 2)).expect("it is small"),
            _ => steps
                .get(dice.below(steps.len().max(1)))
                .map_or(0, |step| step.id),
        };
        let waits = steps.iter().any(|step| step.id == id);
        let taken = session.reply(id, nonsense(dice), now);
        assert!(waits || taken.is_err(), "{name}: {id} was not requested");
        if session.outcome().is_none() {
            assert!(!session.poll(now, 0).is_empty(), "{name}: it waits for nothing");
        }
        let used = session.usage();
        assert!(
            used.children <= bounds.children && used.turns <= bounds.total_turns,
            "{name}: {used:?}"
        );
        session = again(stage, session);
    }
}

/// Agents above the one that asks.
fn depth(step: &Step) -> usize {
    match step {
        Step::AskModel(request) => request.agent.len() - 1,
        Step::CallTool(request) => request.agent.len() - 1,
    }
}

fn nonsense(dice: &mut Dice) -> Reply {
    const NAMES: [&str; 9] = ["Read", "Bash", "Task", "Agent", "task", "", "worker", "far", "x"];
    const ARGUMENTS: [&str; 10] = [
        "",
        "{",
        "[]",
        "{}",
        "\"\"",
        "{\"prompt\":\"x\",\"subagent_type\":\"worker\"}",
        "{\"prompt\":\"x\",\"subagent_type\":\"lead\",\"model\":\"\"}",
        "{\"query\":1}",
        "{\"query\":\"x\"}",
        "\u{0}",
    ];
    let same_names = dice.below(3) == 0;
    let calls = (0..dice.below(4)).map(|at| ToolCall {
        id: if same_names {
            ["a", "b", "", "a"][at].to_owned()
        } else {
            at.to_string()
        },
        name: NAMES[dice.below(NAMES.len())].to_owned(),
        arguments: ARGUMENTS[dice.below(ARGUMENTS.len())].to_owned(),
    });
    let calls: Vec<ToolCall> = calls.collect();
    match dice.below(6) {
        0 => Reply::Tool(ToolAnswer {
            text: "x".repeat(1000),
            is_error: true,
        }),
        1 => Reply::Failed(CallError::TimedOut),
        2 => model("", calls, u32::MAX),
        _ => model("x", calls, 1),
    }
}

/// Snapshots that were cut or changed.
fn damaged(stage: &mut Stage, step: usize) {
    let bytes = open(stage).snapshot();
    for length in (0..bytes.len()).step_by(step) {
        let restored = stage.restore(&bytes[..length]);
        assert!(restored.is_err(), "the first {length} bytes");
    }
    let longer = [&*bytes, &[0]].concat();
    assert!(stage.restore(&longer).is_err());
    for at in (0..bytes.len()).step_by(step) {
        for value in [0, 1, 255, bytes[at].wrapping_add(1)] {
            let mut changed = bytes.clone();
            changed[at] = value;
            // Some changes make another session; none makes a panic.
            if let Ok(mut session) = stage.restore(&changed) {
                for step in session.poll(1, 0) {
                    session.reply(step.id, Reply::Failed(CallError::TimedOut), 1).ok();
                }
            }
        }
    }
}

#[test]
fn damaged_snapshots_are_refused() {
    damaged(&mut stage("parallel", Backend::Native), 1);
    damaged(&mut stage("parallel", Backend::Component), 7);
}

#[test]
fn a_session_keeps_its_deadline() {
    let mut session = open(&mut stage("deadline", Backend::Component));
    let step = session.poll(99, 0).remove(0);
    assert!(matches!(step.step, Step::AskModel(_)));
    assert_eq!(session.poll(99, 0), [step], "asking twice gives the same");
    assert!(session.poll(100, 0).is_empty());
    assert!(
        matches!(session.outcome().map(|it| it.ending), Some(Ending::Bound(exceeded)) if exceeded.bound == "deadline")
    );
}

#[test]
fn replies_before_the_deadline_are_kept() {
    let mut session = open(&mut stage("deadline", Backend::Component));
    let step = session.poll(0, 0).remove(0);
    let reads = ToolCall {
        id: "1".to_owned(),
        name: "Read".to_owned(),
        arguments: r#"{"file_path": "a"}"#.to_owned(),
    };
    let said = session.reply(step.id, model("Half of it.", vec![reads], 1), 50);
    assert_eq!(said, Ok(()));
    assert!(session.poll(100, 0).is_empty());
    let Some(Ending::Bound(exceeded)) = session.outcome().map(|it| it.ending) else {
        panic!("{:?}", session.outcome());
    };
    assert_eq!(
        (&*exceeded.bound, &*exceeded.partial),
        ("deadline", "Half of it.")
    );
}

#[test]
fn cancelling_ends_a_session() {
    let mut session = open(&mut stage("parallel", Backend::Component));
    session.cancel();
    session.cancel();
    assert_eq!(session.outcome().map(|it| it.ending), Some(Ending::Cancelled));
    assert!(session.poll(1, 0).is_empty());
    session.events();
    assert_eq!(session.messages(0, 0), []);
    assert!(session.snapshot().len() < 200, "nothing of it is kept");
    assert_eq!(session.send("More."), Err(SessionError::Finished));
}

/// A host that keeps a conversation gets each message once, and sends another one only after an answer.
#[test]
fn messages_can_be_read_from_any_position() {
    for backend in [Backend::Native, Backend::Component] {
        let mut session = open(&mut stage("flow", backend));
        let refused = session.send("More.").expect_err("it has no answer");
        assert!(matches!(refused, SessionError::Other(_)), "{refused:?}");
        let Step::AskModel(request) = session.poll(1, 0).remove(0).step else {
            panic!("the first step is to ask a model");
        };
        let whole = session.messages(0, 0);
        assert_eq!(whole, request.messages);
        for from in 0..=whole.len() {
            let number = u32::try_from(from).expect("there are few");
            assert_eq!(session.messages(0, number), whole[from..], "{backend}");
        }
        assert_eq!(session.messages(0, u32::MAX), []);
        assert_eq!(session.messages(9, 0), [], "no such agent");
    }
}
