//! What the host knows of a session besides its state, and a session as it was put away.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::input::Input;
use crate::conversation::ToolRequest;
use crate::delegation::Bounds;

/// What the host knows of a session besides its snapshot.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct About {
    /// Whose rules hold.
    pub dialect: String,
    /// The project's directory, absolute.
    pub project: PathBuf,
    /// Where answers of models come from, as the user said it.
    pub model: Option<String>,
    /// What it may use up.
    pub limits: Limits,
    /// The first agent.
    #[serde(default)]
    pub agent: String,
    /// The beginning of what it was asked first: see [`title`].
    #[serde(default)]
    pub task: String,
}

/// Characters of a task that a list shows at most.
const TITLE: usize = 120;

/// The first line of a task that says something, or the beginning of it.
pub fn title(task: &str) -> String {
    let mut lines = task.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(TITLE).collect()
}

/// The bounds of a session.
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
            deadline: limits.deadline,
            result_bytes: limits.result_bytes,
        }
    }
}

/// A tool call that was under way.
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

/// What the host had under way when a session was put away.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Left {
    /// Steps whose calls must not be made again unseen.
    pub in_flight: Vec<u32>,
    /// Models that were asked, and are asked again.
    #[serde(default)]
    pub asked: Vec<Asked>,
    /// Calls that were answered with the doubt whether they took effect.
    #[serde(skip)]
    pub doubted: Vec<InFlight>,
    /// Whether a call was refused.
    #[serde(default)]
    pub refused: bool,
}

/// A model that was asked.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Asked {
    /// The step.
    pub id: u32,
    /// Whose part it is, as events have it.
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

/// A session as it was put away.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// What the host knows of it.
    pub about: About,
    /// What its clock said.
    pub now: u64,
    /// What was under way.
    pub left: Left,
    /// Whether the last record was not written completely, and left out.
    pub is_cut: bool,
    pub(super) snapshot: Vec<u8>,
    /// The number of the next step in the snapshot.
    pub(super) known: u32,
    pub(super) steps: Vec<Step>,
    pub(super) stamp: Stamp,
    pub(super) by: String,
    pub(super) path: PathBuf,
}

/// What a session was answered, and what its clock said and its next step was afterwards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) now: u64,
    pub(super) known: u32,
    pub(super) inputs: Vec<Input>,
}

/// Which session it is, and who wrote it: each process that goes on with it has a greater number. Where a lock was lost, two may
/// have the same one, and the mark tells them apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stamp {
    pub(super) session: String,
    pub(super) owner: u64,
    pub(super) mark: String,
}
