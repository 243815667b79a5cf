//! The models of agents that a session may call, before it begins.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::json;

use crate::conversation::{CallError, ModelAnswer, ModelRequest, ToolCall, ToolSpec};
use crate::delegation::{Bounds, Reply, Step};
use crate::{Models, Result, Session};

/// Fewer than the component accepts in one answer of a model.
const AT_ONCE: usize = 50;

/// An agent whose model is unavailable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unavailable {
    /// The reason.
    pub reason: String,
    /// The agent.
    pub agent: String,
}

/// Limits of a session for [`unavailable`]: only the depth counts.
pub fn without_limits(bounds: &Bounds) -> Bounds {
    Bounds {
        turns: u32::MAX,
        total_turns: u32::MAX,
        children: u32::MAX,
        parallel: u32::MAX,
        tokens: None,
        cost: None,
        deadline: None,
        ..*bounds
    }
}

/// The agents that the first one may call, directly or not, and whose models are unavailable, sorted.
///
/// Plays a session in which each agent calls all those that it may call: so the component decides who may call whom, and which
/// model each gets, like in a run. `tools` are the host's.
pub fn unavailable(
    mut session: Session,
    tools: &[ToolSpec],
    models: &dyn Models,
) -> Result<Vec<Unavailable>> {
    let (mut found, mut known, mut from) = (BTreeSet::new(), BTreeSet::new(), 0);
    loop {
        let steps = session.poll_brief(0, from)?;
        let Some(last) = steps.last() else {
            return Ok(found.into_iter().collect());
        };
        from = last.id + 1;
        for outstanding in steps {
            let Step::AskModel(request) = outstanding.step else {
                continue;
            };
            let calls = match (models.check(&request), &*request.agent) {
                (Err(error), [_, .., agent]) => {
                    found.insert(Unavailable {
                        reason: reason(error),
                        agent: agent.clone(),
                    });
                    Vec::new()
                }
                _ => calls(&request, tools, &mut known),
            };
            let reply = Reply::Model(answer(calls));
            session.reply(outstanding.id, &reply, 0)?;
        }
    }
}

/// Calls of agents that were not called by an agent with this model: theirs may be inherited from it.
fn calls(
    request: &ModelRequest,
    tools: &[ToolSpec],
    known: &mut BTreeSet<(String, Option<String>, String)>,
) -> Vec<ToolCall> {
    let is_own = |tool: &&ToolSpec| tools.iter().any(|own| own.name == tool.name);
    let others = request.tools.iter().filter(|tool| !is_own(tool));
    let (provider, model) = (&request.provider, &request.model);
    let calls = others
        .flat_map(callable)
        .filter(|(agent, _)| known.insert((agent.clone(), provider.clone(), model.clone())));
    let calls = calls.take(AT_ONCE).zip(0..);
    calls
        .map(|((_, call), id)| ToolCall {
            id: format!("{id}"),
            ..call
        })
        .collect()
}

/// The agents that a tool calls: those that it lists, or the one that it is.
fn callable(tool: &ToolSpec) -> Vec<(String, ToolCall)> {
    #[derive(Deserialize)]
    struct Listed {
        #[serde(rename = "enum")]
        names: Vec<String>,
    }
    #[derive(Deserialize)]
    struct Properties {
        subagent_type: Listed,
    }
    #[derive(Deserialize)]
    struct Schema {
        properties: Properties,
    }
    let call = |arguments: serde_json::Value| ToolCall {
        id: String::new(),
        name: tool.name.clone(),
        arguments: arguments.to_string(),
    };
    let listed = serde_json::from_str::<Schema>(&tool.schema);
    let Ok(Schema { properties }) = listed else {
        return vec![(tool.name.clone(), call(json!({"query": "x"})))];
    };
    let names = properties.subagent_type.names.into_iter();
    let calls = names.map(|name| {
        let arguments = json!({"description": "x", "prompt": "x", "subagent_type": name});
        (name, call(arguments))
    });
    calls.collect()
}

fn answer(calls: Vec<ToolCall>) -> ModelAnswer {
    ModelAnswer {
        text: if calls.is_empty() {
            "x".to_owned()
        } else {
            String::new()
        },
        calls,
        input_tokens: 0,
        output_tokens: 0,
        cost: None,
    }
}

/// Why a model is unavailable.
pub(super) fn reason(error: CallError) -> String {
    match error {
        CallError::Unavailable(reason)
        | CallError::Denied(reason)
        | CallError::TooLong(reason)
        | CallError::Other(reason) => reason,
        CallError::TimedOut => "it would take too long".to_owned(),
    }
}
