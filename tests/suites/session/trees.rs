//! Random trees of agents, the same from the same seed: in any order of answers, they end alike.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use callsheet::conversation::{CallError, ModelAnswer, ModelRequest, Role, ToolCall};
use callsheet::{Answer, Completion, Heard, Models};
use callsheet_tests::backend::Backend;
use callsheet_tests::generate::Dice;
use callsheet_tests::script::play;

use super::{again, open, stage};

/// Turns of an agent at most.
const TURNS: usize = 2;

/// Models whose answers follow from their requests.
struct Growing(u64);

impl Models for Growing {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _: Heard<'a>) -> Answer<'a, Completion> {
        Box::pin(std::future::ready(self.grow(request).map(Completion::from)))
    }
}

impl Growing {
    fn grow(&self, request: &ModelRequest) -> Result<ModelAnswer, CallError> {
        let of = |role: Role| {
            request
                .messages
                .iter()
                .filter(move |message| message.role == role)
        };
        let turn = of(Role::Assistant).count();
        let task = of(Role::User).next().map_or("", |message| &*message.text);
        let mut hasher = DefaultHasher::new();
        (self.0, task, turn).hash(&mut hasher);
        let mut dice = Dice(hasher.finish());
        if dice.below(12) == 0 {
            return Err(CallError::TimedOut);
        }
        let count = match request.agent.len() {
            _ if turn >= TURNS => 0,
            1 => 1 + dice.below(3),
            _ => dice.below(3),
        };
        let calls = (0..count).map(|at| match dice.below(4) {
            0 => call(at, "Read", r#"{"file_path": "a"}"#.to_owned()),
            _ => call(
                at,
                "Agent",
                format!(r#"{{"description": "x", "prompt": "{task}{turn}{at}", "subagent_type": "worker"}}"#),
            ),
        });
        Ok(ModelAnswer {
            calls: calls.collect(),
            text: format!("{task} at {turn}"),
            input_tokens: 1,
            output_tokens: 2,
            cost: Some(3),
        })
    }
}

fn call(at: usize, name: &str, arguments: String) -> ToolCall {
    ToolCall {
        id: at.to_string(),
        name: name.to_owned(),
        arguments,
    }
}

#[test]
fn trees_end_the_same_in_any_order() {
    let mut grown = 0;
    for (backend, seeds) in [(Backend::Native, 0..40), (Backend::Component, 0..4)] {
        let mut stage = stage("parallel", backend);
        let (tools, script) = (stage.tools.clone(), stage.script.without_descriptions());
        for seed in seeds {
            let models = Growing(seed);
            let expected = play(
                open(&mut stage),
                (&models, &*tools),
                &script,
                |_| 0,
                |session| session,
            );
            grown += expected.account.used.children;
            for round in 0..4 {
                let (mut dice, mut away) = (Dice(seed * 10 + round), Dice(round));
                let session = open(&mut stage);
                let pick = |count: usize| dice.below(count);
                let between = |session| match away.below(3) {
                    0 => again(&mut stage, session),
                    _ => session,
                };
                let played = play(session, (&models, &*tools), &script, pick, between);
                assert_eq!(
                    played.account.text(),
                    expected.account.text(),
                    "seed {seed} on {backend}"
                );
            }
        }
    }
    assert!(grown > 200, "only {grown} agents grew");
}
