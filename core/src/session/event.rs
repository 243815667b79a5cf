//! Events, for hosts to show or to store.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::conversation::ToolCall;
use crate::limits::EVENTS;

/// How a session, or one agent's part of it, ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// With an answer.
    Answer(String),
    /// At a limit.
    Bound {
        /// The limit: a field of `Bounds`.
        bound: String,
        /// The partial answer.
        partial: String,
    },
    /// Without an answer, because of an error.
    Failed(String),
    /// By `cancel`.
    Cancelled,
}

impl Outcome {
    /// The answer; otherwise the reason why there is none.
    pub fn text(&self) -> String {
        match self {
            Self::Answer(text) | Self::Failed(text) => text.clone(),
            Self::Bound { bound, .. } => ["the limit `", bound, "` was reached"].concat(),
            Self::Cancelled => "canceled".into(),
        }
    }
}

/// What ends a session, or one agent.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Bound {
    Cost,
    Deadline,
    Tokens,
    TotalTurns,
    /// The events of one agent.
    Turns,
}

impl Bound {
    fn name(self) -> &'static str {
        match self {
            Self::Cost => "cost",
            Self::Deadline => "deadline",
            Self::Tokens => "tokens",
            Self::TotalTurns => "total-turns",
            Self::Turns => "turns",
        }
    }

    /// An end there.
    pub(super) fn reached(self, partial: String) -> Outcome {
        Outcome::Bound {
            bound: self.name().to_string(),
            partial,
        }
    }
}

/// The usage of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Requests to models.
    pub turns: u32,
    /// Agents that were called.
    pub children: u32,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Cost, in millionths of the host's currency.
    pub cost: u64,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Its number. A gap means that the host polled too rarely.
    pub number: u64,
    /// When, in nanoseconds of the host's clock.
    pub at: u64,
    /// The agent's number: 0 for the first agent, then in the order of their calls.
    pub run: u32,
    /// The agent, the outermost first.
    pub agent: Vec<String>,
    /// What happened.
    pub what: Happening,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Happening {
    /// The agent was called with this task.
    Called(String),
    /// It waits until fewer agents are working.
    Waits,
    /// A part of its file was ignored.
    Ignored(String),
    /// Its model was asked.
    Asked(String),
    /// Its model answered.
    Said {
        /// The text.
        text: String,
        /// Tokens read.
        input_tokens: u32,
        /// Tokens written.
        output_tokens: u32,
    },
    /// It calls a tool.
    Calls(ToolCall),
    /// A call was denied.
    Refused {
        /// The model's name for the call.
        id: String,
        /// The tool.
        tool: String,
        /// Why.
        reason: String,
    },
    /// A tool answered.
    Returned {
        /// The model's name for the call.
        id: String,
        /// Whether it reported a failure.
        is_error: bool,
    },
    /// Its part ended.
    Ended(Outcome),
    /// Results of earlier calls were left out of its conversation, so many.
    Compacted(u32),
    /// A call was invalid: its arguments cannot be read, the tool or agent is unknown, or a limit of agents is reached.
    Invalid {
        /// The model's name for the call.
        id: String,
        /// The tool.
        tool: String,
        /// Why.
        reason: String,
    },
}

/// Events that the host has not polled yet.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Log {
    next: u64,
    events: Vec<Event>,
}

impl Log {
    pub(super) fn push(&mut self, at: u64, run: u32, agent: &[String], what: Happening) {
        if self.events.len() >= EVENTS {
            // Half of them at once, so that each event is moved only once.
            self.events.drain(..EVENTS / 2);
        }
        self.events.push(Event {
            number: self.next,
            at,
            run,
            agent: agent.to_vec(),
            what,
        });
        self.next = self.next.wrapping_add(1);
    }

    pub(super) fn take(&mut self) -> Vec<Event> {
        core::mem::take(&mut self.events)
    }
}
