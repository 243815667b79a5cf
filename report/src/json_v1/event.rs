//! A session as JSON lines.

use serde::Serialize;

use callsheet_contract::delegation::{self, Ending, Happening};

use crate::report::{AgentUsage, Ended, Worktree};

/// One event on a line of its own.
#[derive(Serialize)]
pub(super) struct Event<'a> {
    number: u64,
    at: u64,
    run: u32,
    agent: &'a [String],
    #[serde(flatten)]
    what: What<'a>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum What<'a> {
    Called {
        task: &'a str,
    },
    Waits,
    Ignored {
        what: &'a str,
    },
    Asked {
        model: &'a str,
    },
    Said {
        text: &'a str,
        input_tokens: u32,
        output_tokens: u32,
    },
    Calls {
        id: &'a str,
        tool: &'a str,
        arguments: &'a str,
    },
    Refused {
        id: &'a str,
        tool: &'a str,
        reason: &'a str,
    },
    Invalid {
        id: &'a str,
        tool: &'a str,
        reason: &'a str,
    },
    Compacted {
        results: u32,
    },
    Returned {
        id: &'a str,
        is_error: bool,
    },
    Ended {
        #[serde(flatten)]
        outcome: Outcome<'a>,
    },
}

#[derive(Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
enum Outcome<'a> {
    Answer { text: &'a str },
    Bound { bound: &'a str, text: &'a str },
    Failed { reason: &'a str },
    Cancelled,
    Interrupted,
}

/// What a host saw of a model's text or of a tool call.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(super) enum Seen<'a> {
    Piece {
        run: u32,
        text: &'a str,
    },
    Result {
        agent: &'a [String],
        id: &'a str,
        tool: &'a str,
        text: &'a str,
        is_error: bool,
    },
    Denied {
        agent: &'a [String],
        id: &'a str,
        tool: &'a str,
        reason: &'a str,
    },
    InDoubt {
        agent: &'a [String],
        tool: &'a str,
        arguments: &'a str,
    },
}

/// The last line.
#[derive(Serialize)]
#[serde(tag = "event", rename = "outcome")]
pub(super) struct Last<'a> {
    #[serde(flatten)]
    outcome: Outcome<'a>,
    refused: bool,
    turns: u32,
    children: u32,
    input_tokens: u64,
    output_tokens: u64,
    cache_read_tokens: u64,
    cache_write_tokens: u64,
    cost: u64,
    agents: &'a [AgentUsage],
    session: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    worktrees: &'a [Worktree],
}

impl<'a> From<&'a delegation::Event> for Event<'a> {
    fn from(event: &'a delegation::Event) -> Self {
        Self {
            number: event.number,
            at: event.at,
            run: event.run,
            agent: &event.agent,
            what: (&event.what).into(),
        }
    }
}

impl<'a> From<&'a Happening> for What<'a> {
    fn from(what: &'a Happening) -> Self {
        match what {
            Happening::Called(task) => Self::Called { task },
            Happening::Waits => Self::Waits,
            Happening::Ignored(what) => Self::Ignored { what },
            Happening::Asked(model) => Self::Asked { model },
            Happening::Said(said) => Self::Said {
                text: &said.text,
                input_tokens: said.input_tokens,
                output_tokens: said.output_tokens,
            },
            Happening::Calls(call) => Self::Calls {
                id: &call.id,
                tool: &call.name,
                arguments: &call.arguments,
            },
            Happening::Refused(refused) => Self::Refused {
                id: &refused.id,
                tool: &refused.tool,
                reason: &refused.reason,
            },
            Happening::Invalid(invalid) => Self::Invalid {
                id: &invalid.id,
                tool: &invalid.tool,
                reason: &invalid.reason,
            },
            Happening::Compacted(results) => Self::Compacted { results: *results },
            Happening::Returned(returned) => Self::Returned {
                id: &returned.id,
                is_error: returned.is_error,
            },
            Happening::Ended(outcome) => Self::Ended {
                outcome: outcome.into(),
            },
        }
    }
}

impl<'a> From<&'a delegation::Outcome> for Outcome<'a> {
    fn from(outcome: &'a delegation::Outcome) -> Self {
        let text = &outcome.text;
        match &outcome.ending {
            Ending::Bound(exceeded) => Self::Bound {
                bound: &exceeded.bound,
                text: &exceeded.partial,
            },
            Ending::Answer => Self::Answer { text },
            Ending::Cancelled => Self::Cancelled,
            Ending::Failed => Self::Failed { reason: text },
        }
    }
}

impl<'a> Last<'a> {
    pub(super) fn new(ended: &'a Ended, session: Option<&'a str>) -> Self {
        let usage = &ended.usage;
        let sum = AgentUsage::sum(&ended.agents);
        Self {
            outcome: ended.outcome.as_ref().map_or(Outcome::Interrupted, Into::into),
            refused: ended.refused,
            turns: usage.turns,
            children: usage.children,
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cache_read_tokens: sum.cache_read_tokens,
            cache_write_tokens: sum.cache_write_tokens,
            cost: usage.cost,
            agents: &ended.agents,
            session,
            worktrees: &ended.worktrees,
        }
    }
}
