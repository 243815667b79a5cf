//! What clients, sessions and steps exchange, as JSON.

use callsheet_contract::conversation::{ToolAnswer, ToolCall};
use callsheet_contract::delegation::{self, Event, Outcome, Reach, Reply, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A session to open.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Open {
    /// The agent.
    pub agent: String,
    /// Its task.
    pub prompt: String,
    /// The dialect; without one, the first in which the agent is active.
    pub dialect: Option<String>,
    /// The user's options, which a worker of the same version reads.
    pub options: Value,
}

/// What changes a session.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// An answer to a step.
    Reply {
        /// The step.
        id: u32,
        /// Its answer.
        answered: Answered,
    },
    /// Another message of the user.
    Send(String),
    /// Its end.
    Cancel,
    /// Nothing but time.
    Time,
}

/// An answer to a step.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Answered {
    /// The answer.
    pub reply: Reply,
    /// What a client is told about it.
    pub notes: Vec<Note>,
}

/// A session after a change.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Turned {
    /// Its state.
    pub state: Known,
    /// Its snapshot.
    #[serde(with = "crate::bytes")]
    pub snapshot: Vec<u8>,
    /// The new steps.
    pub steps: Vec<Step>,
    /// What a client is told.
    pub notes: Vec<Note>,
    /// The time until it has to look at the clock, in nanoseconds.
    pub wake: Option<u64>,
}

/// What is known about a session besides its snapshot.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Known {
    /// Its dialect.
    pub dialect: String,
    /// The directory of its project, on each worker.
    pub project: String,
    /// Whether its cost is limited, so that prices must be known.
    pub priced: bool,
    /// The version of Callsheet that wrote the snapshot.
    pub version: String,
    /// The start of its clock, in nanoseconds since 1970.
    pub opened: u64,
    /// The time of its last change, by that clock. Clocks of workers differ, and it never runs backwards.
    pub now: u64,
    /// The end of its time by that clock, if it is limited.
    #[serde(default)]
    pub deadline: Option<u64>,
    /// The number of its next step.
    pub next: u32,
    /// How it ended; none while it runs.
    pub outcome: Option<Outcome>,
    /// Its usage.
    pub usage: Usage,
}

/// A step to take.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Step {
    /// The session.
    pub session: String,
    /// Its dialect.
    pub dialect: String,
    /// The directory of its project.
    pub project: String,
    /// Whether prices must be known.
    pub priced: bool,
    /// The step's number.
    pub id: u32,
    /// The agent's number, as in its events.
    pub run: u32,
    /// The request.
    pub step: delegation::Step,
    /// What a command may change.
    pub reach: Option<Reach>,
    /// Whether it may be taken again because it changes nothing.
    pub repeatable: bool,
}

/// What a client is told.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    /// An event.
    Event(Event),
    /// A tool answered.
    Answered(Vec<String>, ToolCall, ToolAnswer),
    /// The worker denied a call.
    Denied(Vec<String>, ToolCall, String),
    /// A call was interrupted: it may have been made.
    InDoubt(u32, Vec<String>, ToolCall),
    /// The usage of an agent for an answer.
    Spent(Value),
}

/// Why a session could not be opened or changed.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Refused {
    /// The problem.
    pub message: String,
    /// What to do.
    pub help: Vec<String>,
    /// Whether what was named does not exist.
    pub is_missing: bool,
}

/// What happened in a session.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Told {
    /// What a client is told.
    pub notes: Vec<Note>,
    /// The next list of notes.
    pub next: u32,
    /// Its state; none if there is no such session.
    pub state: Option<Known>,
    /// Whether all was told.
    pub all: bool,
}
