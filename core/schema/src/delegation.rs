//! How agents call each other.

use alloc::string::String;

use serde::{Deserialize, Serialize};

/// How the agents of a dialect call each other.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Delegation {
    /// The tool that calls any agent. Empty where every agent is a tool of its own, called by its name.
    #[serde(default)]
    pub tool: String,
    /// The tool's description; `{agents}` is filled in. If every agent is a tool: the description of one that has none, with `{name}`,
    /// `{provider}` and `{model}`.
    pub tool_text: String,
    /// One agent in that text, with `{name}`, `{description}` and `{tools}`.
    #[serde(default)]
    pub agent_line: String,
    /// Whether agents are called by the names that they are displayed with.
    #[serde(default)]
    pub titles: bool,
    /// The agent for a call that names none.
    #[serde(default)]
    pub default_agent: String,
    /// Where an agent's prompt goes.
    pub prompt: PromptPlace,
    /// The agent's message, with `{prompt}` and `{task}`, if its prompt goes there.
    #[serde(default)]
    pub user_text: String,
    /// The model of an agent that names none.
    pub model_absent: ModelAbsent,
    /// How commands are matched.
    pub commands: CommandPatterns,
    /// Whether a call of an agent that lists an unknown tool fails.
    #[serde(default)]
    pub checks_tools: bool,
    /// Whether a call may ask not to wait for the answer, with `run_in_background`.
    #[serde(default)]
    pub background: bool,
    /// The tool that writes to agents in the background, and from there to a caller. Empty if there is none.
    #[serde(default)]
    pub message_tool: String,
    /// What the caller gets of an answer, with `{name}` and `{text}`.
    pub result: String,
    /// What it gets for an empty answer.
    pub empty: String,
    /// What it gets without an answer, with `{name}` and `{text}`.
    pub failed: String,
}

/// Where an agent's prompt goes.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum PromptPlace {
    /// It is the system prompt.
    Replace,
    /// After the caller's system prompt.
    Append,
    /// Into the first message, before the task.
    User,
}

/// The model of an agent that names none.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ModelAbsent {
    /// The caller's.
    Parent,
    /// The default one.
    Default,
}

/// How commands are matched.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum CommandPatterns {
    /// `git *` and `git:*` match `git` alone, too, and `*` matches any text.
    Prefix,
    /// `*` matches any text, and nothing else is special.
    Glob,
}
