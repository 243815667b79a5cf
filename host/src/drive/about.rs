//! The host's data about a session besides its state, and a saved session.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::input::Input;
use super::spent::Spent;
use crate::conversation::ToolRequest;
use crate::delegation::Bounds;

/// The host's data about a session besides its snapshot.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct About {
    /// The dialect.
    pub dialect: String,
    /// The project's directory, absolute.
    pub project: PathBuf,
    /// The model option as the user gave it.
    pub model: Option<String>,
    /// Its limits.
    pub limits: Limits,
    /// The first agent.
    #[serde(default)]
    pub agent: String,
    /// The start of its task: see [`title`].
    #[serde(default)]
    pub task: String,
    /// The editor's conversation that it is part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// The directory of its worktrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktrees: Option<PathBuf>,
}

/// The most characters of a task in a list.
const TITLE: usize = 120;

/// The first line of a task with text, or the start of it.
pub fn title(task: &str) -> String {
    let mut lines = task.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(TITLE).collect()
}

/// The limits of a session.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Limits {
    /// As in [`Bounds`].
    pub depth: u32,
    /// As in [`Bounds`].
    pub turns: u32,
    /// As in [`Bounds`].
    pub total_turns: u32,
    /// As in [`Bounds`].
    pub children: u32,
    /// As in [`Bounds`].
    pub parallel: u32,
    /// As in [`Bounds`].
    pub tokens: Option<u64>,
    /// As in [`Bounds`].
    pub cost: Option<u64>,
    /// As in [`Bounds`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<u64>,
    /// As in [`Bounds`].
    pub deadline: Option<u64>,
    /// As in [`Bounds`].
    pub result_bytes: u32,
}

impl From<&Bounds> for Limits {
    fn from(bounds: &Bounds) -> Self {
        Self {
            depth: bounds.depth,
            turns: bounds.turns,
            total_turns: bounds.total_turns,
            children: bounds.children,
            parallel: bounds.parallel,
            tokens: bounds.tokens,
            cost: bounds.cost,
            context: bounds.context,
            deadline: bounds.deadline,
            result_bytes: bounds.result_bytes,
        }
    }
}

impl From<&Limits> for Bounds {
    fn from(limits: &Limits) -> Self {
        Self {
            depth: limits.depth,
            turns: limits.turns,
            total_turns: limits.total_turns,
            children: limits.children,
            parallel: limits.parallel,
            tokens: limits.tokens,
            cost: limits.cost,
            context: limits.context,
            deadline: limits.deadline,
            result_bytes: limits.result_bytes,
        }
    }
}

/// An unfinished tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct InFlight {
    /// The step.
    pub id: u32,
    /// The agent, the outermost first.
    pub agent: Vec<String>,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: String,
}

/// The host's unfinished work when a session was saved.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Left {
    /// Steps whose calls must not be repeated unnoticed.
    pub in_flight: Vec<u32>,
    /// Requests to models, which are repeated.
    #[serde(default)]
    pub asked: Vec<Asked>,
    /// Calls that were answered as doubtful.
    #[serde(skip)]
    pub doubted: Vec<InFlight>,
    /// Whether a call was denied.
    #[serde(default)]
    pub refused: bool,
}

/// A request, and its agent.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Asked {
    /// The step.
    pub id: u32,
    /// The agent's number, as in events.
    pub run: u32,
}

impl InFlight {
    pub(super) fn new(id: u32, request: &ToolRequest) -> Self {
        Self {
            id,
            agent: request.agent.clone(),
            tool: request.call.name.clone(),
            arguments: request.call.arguments.clone(),
        }
    }
}

/// A saved session.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The host's data.
    pub about: About,
    /// The time of its clock.
    pub now: u64,
    /// Unfinished work.
    pub left: Left,
    /// The usage of its agents. Earlier versions did not save it.
    pub spent: Spent,
    /// Whether the last record was incomplete, and left out.
    pub is_cut: bool,
    pub(super) snapshot: Vec<u8>,
    /// The number of the next step in the snapshot.
    pub(super) known: u32,
    pub(super) steps: Vec<Step>,
    pub(super) stamp: Stamp,
    pub(super) by: String,
    pub(super) path: PathBuf,
}

/// Replies to a session, with its clock and its next step afterwards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) now: u64,
    pub(super) known: u32,
    pub(super) inputs: Vec<Input>,
}

/// The session's ID, and its writer: each process that resumes it has a greater number. If a lock was lost, two may have the same one,
/// and the mark distinguishes them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stamp {
    pub(super) session: String,
    pub(super) owner: u64,
    pub(super) mark: String,
}
