//! The task and the limits of a session.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// The task and its agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// The agent.
    pub agent: String,
    /// The task.
    pub prompt: String,
    /// The task in three to five words.
    pub description: Option<String>,
    /// A model that overrides the agent's own.
    pub model: Option<String>,
}

/// The limits of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Agents below agents.
    pub depth: u32,
    /// Turns of one agent. An agent may set fewer for itself.
    pub turns: u32,
    /// Turns in all.
    pub total_turns: u32,
    /// Agents called in all.
    pub children: u32,
    /// Called agents that work at once. More wait; one that only waits for others does not count.
    pub parallel: u32,
    /// Tokens in all.
    pub tokens: Option<u64>,
    /// Cost in all, in millionths of the host's currency.
    pub cost: Option<u64>,
    /// Tokens of one request to a model. Before a request that may have more, results of earlier tool calls are left out. It is at the end
    /// of a snapshot.
    #[serde(skip)]
    pub context: Option<u64>,
    /// The end, in nanoseconds of the host's clock.
    pub deadline: Option<u64>,
    /// Bytes of one tool result. Longer ones are cut.
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
            context: None,
            deadline: None,
            result_bytes: 100_000,
        }
    }
}

/// A model, and the provider if given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelChoice {
    /// The provider.
    pub provider: Option<String>,
    /// The model.
    pub model: String,
}

/// A model alias.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    /// The alias.
    pub name: String,
    /// The model.
    pub model: ModelChoice,
}

/// Calls that need no confirmation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PermissionMode {
    /// No changes are allowed, confirmed or not.
    Plan,
    /// Calls that change nothing.
    #[default]
    Default,
    /// Those, and changes to files of the project.
    AcceptEdits,
    /// Everything.
    Bypass,
}

/// The host's support of isolation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Isolation {
    /// None, for this reason.
    Unavailable(String),
    /// A git worktree for each agent that asks for it.
    Worktrees(Workspaces),
}

impl Isolation {
    /// The reason of a host that gives none.
    pub const UNSUPPORTED: &str = "this host makes no worktrees";
}

impl Default for Isolation {
    fn default() -> Self {
        Self::Unavailable(Self::UNSUPPORTED.into())
    }
}

/// The places of workspaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workspaces {
    /// The directory that contains them, absolute. Each is a directory in it, named by its number.
    pub directory: String,
    /// The project's directory in each; empty if that is the whole workspace.
    pub project: String,
}

/// What a host tells agents about where they work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// The directory, as agents are told: absolute.
    pub directory: String,
    /// The operating system, such as `linux`.
    pub platform: String,
    /// The date, such as `2026-11-27`.
    pub date: String,
    /// Whether agents also get the user's own instructions.
    pub personal: bool,
    /// Whether the directory is in a git repository.
    pub is_repository: bool,
    /// The state of the repository, if it is known.
    pub repository: Option<Repository>,
}

/// The state of a git repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    /// The current branch; none if there is none.
    pub branch: Option<String>,
    /// Changed files, one each, as `git status --short` prints them.
    pub changes: Vec<String>,
    /// The last commits, the newest first, as `git log --oneline` prints them.
    pub commits: Vec<String>,
}

/// The host's settings of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Its limits.
    pub bounds: Bounds,
    /// Whether each agent is limited to its caller's permissions.
    pub attenuate: bool,
    /// Calls that need no confirmation.
    pub mode: PermissionMode,
    /// Further calls that need no confirmation: entries as in lists of tools.
    pub allow: Vec<String>,
    /// Agents whose files the user trusts: their endpoints and variables for keys are used.
    pub trusted: Vec<String>,
    /// The project directory, absolute: the base of relative paths.
    pub root: String,
    /// The workspaces of agents whose files ask for isolation. It is at the end of a snapshot.
    #[serde(skip)]
    pub isolation: Isolation,
    /// What agents are told about where they work; with it, they also get the instructions of the user and the project. The context has
    /// it in a session.
    #[serde(skip)]
    pub surroundings: Option<Surroundings>,
    /// The home directory, absolute.
    pub home: Option<String>,
    /// The system prompt of agents without one of their own.
    pub base_prompt: String,
    /// The default model.
    pub default_model: ModelChoice,
    /// Model aliases.
    pub aliases: Vec<Alias>,
}

/// The default system prompt of agents without one of their own.
const BASE_PROMPT: &str = "You do a task for a user who works in the current project. Use your tools, keep to the task, and \
                           end with an answer that stands on its own.";

impl Settings {
    /// The defaults.
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
