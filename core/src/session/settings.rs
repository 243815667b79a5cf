//! What a session is to do, and within which bounds.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// What is to be done, and by whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// The agent.
    pub agent: String,
    /// What it is asked.
    pub prompt: String,
    /// The task in three to five words.
    pub description: Option<String>,
    /// A model that goes before the agent's own.
    pub model: Option<String>,
}

/// What a session may use up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Agents below agents.
    pub depth: u32,
    /// Turns of one agent. One that sets itself fewer has fewer.
    pub turns: u32,
    /// Turns in all.
    pub total_turns: u32,
    /// Agents called in all.
    pub children: u32,
    /// Called agents at work at once. More wait; one that only waits for others is not at work.
    pub parallel: u32,
    /// Tokens in all.
    pub tokens: Option<u64>,
    /// Cost in all, in millionths of the host's currency.
    pub cost: Option<u64>,
    /// The end, in nanoseconds of the host's clock.
    pub deadline: Option<u64>,
    /// Bytes of one tool result. What is longer is cut.
    pub result_bytes: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            depth: 3,
            turns: 50,
            total_turns: 500,
            children: 100,
            parallel: 10,
            tokens: None,
            cost: None,
            deadline: None,
            result_bytes: 100_000,
        }
    }
}

/// A model, and the provider if it is said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelChoice {
    /// The provider.
    pub provider: Option<String>,
    /// The model.
    pub model: String,
}

/// A word that stands for a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    /// The word.
    pub name: String,
    /// The model.
    pub model: ModelChoice,
}

/// What is done without asking the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PermissionMode {
    /// Nothing may be changed, asked or not.
    Plan,
    /// What changes nothing.
    #[default]
    Default,
    /// That, and to change files of the project.
    AcceptEdits,
    /// Everything.
    Bypass,
}

/// What the host says of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// What it may use up.
    pub bounds: Bounds,
    /// Whether an agent never may what its caller may not.
    pub attenuate: bool,
    /// What is done without asking the user.
    pub mode: PermissionMode,
    /// What is done without asking besides: entries as lists of tools have them.
    pub allow: Vec<String>,
    /// Agents whose files the user trusts: the endpoints and the variables for keys that they name are heeded.
    pub trusted: Vec<String>,
    /// The project directory, absolute: where relative paths begin.
    pub root: String,
    /// The home directory, absolute.
    pub home: Option<String>,
    /// The system prompt of agents that do not bring one of their own.
    pub base_prompt: String,
    /// The model of those for whom nobody names one.
    pub default_model: ModelChoice,
    /// Words for models.
    pub aliases: Vec<Alias>,
}

/// What agents are told that bring no system prompt of their own.
const BASE_PROMPT: &str = "You do a task for somebody who works in the current project. Use the tools that you have, keep to \
                           the task, and end with an answer that stands on its own.";

impl Settings {
    /// Where the host says nothing else.
    pub fn new(root: String, home: Option<String>) -> Self {
        Self {
            root,
            home,
            base_prompt: BASE_PROMPT.into(),
            ..Self::default()
        }
    }

    /// Whether the user trusts the file of an agent.
    pub(super) fn trusts(&self, agent: &str) -> bool {
        self.trusted.iter().any(|name| name == agent)
    }
}
