//! Messages between agents, models and tools.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::definition::Endpoint;

/// The role of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// The instructions.
    System,
    /// The caller.
    User,
    /// The model.
    Assistant,
    /// A tool's result.
    Tool,
}

/// A tool call that the model asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The model's id for this call, unique within an answer.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments: a JSON object, as the model wrote it.
    pub arguments: String,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Its role.
    pub role: Role,
    /// The text.
    pub text: String,
    /// The calls that an assistant requests.
    pub calls: Vec<ToolCall>,
    /// The call that a tool's message answers.
    pub answers: Option<String>,
    /// Whether a tool's message reports a failure.
    pub is_error: bool,
}

/// A tool that a model may call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Its arguments: JSON Schema.
    pub schema: String,
}

/// A request to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelRequest {
    /// The agent that makes it, the outermost first.
    pub agent: Vec<String>,
    /// The provider, if the definition or the host names one.
    pub provider: Option<String>,
    /// The model; empty if none is named.
    pub model: String,
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The first message that changed since the agent's last request, since results of earlier calls were left out. None if messages were
    /// only added.
    pub changed_from: Option<u32>,
    /// The offered tools.
    pub tools: Vec<ToolSpec>,
    /// The longest answer, in tokens.
    pub max_tokens: Option<u32>,
    /// The effort, in the dialect's words.
    pub effort: Option<String>,
    /// Tokens for thinking.
    pub thinking_budget: Option<u32>,
    /// The endpoint and the variable of its key, from a trusted file.
    pub endpoint: Endpoint,
}

/// A model's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelAnswer {
    /// The text.
    pub text: String,
    /// The calls it requests.
    pub calls: Vec<ToolCall>,
    /// Tokens read.
    pub input_tokens: u32,
    /// Tokens written.
    pub output_tokens: u32,
    /// What it cost, in millionths of the host's currency, if the host knows.
    pub cost: Option<u64>,
}

/// An allowed tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolRequest {
    /// The agent that makes it, the outermost first.
    pub agent: Vec<String>,
    /// The call.
    pub call: ToolCall,
    /// Whether it needs no confirmation.
    pub permitted: bool,
    /// Where its agent works; none for the project.
    pub workspace: Option<Workspace>,
}

/// A copy of the project for an agent whose file asks for isolation, and for the agents that it calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Its number: that of the agent, as in its events.
    pub id: u32,
    /// The project's directory in it, absolute.
    pub root: String,
    /// The agent, the outermost first.
    pub agent: Vec<String>,
}

/// A tool's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolAnswer {
    /// The result.
    pub text: String,
    /// Whether it reports a failure.
    pub is_error: bool,
}

/// Why a host could not serve a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// Not now; trying again may help.
    Unavailable(String),
    /// The user or the host denied it.
    Denied(String),
    /// It took too long.
    TimedOut,
    /// A model's request was longer than it takes.
    TooLong(String),
    /// Anything else.
    Other(String),
}

impl CallError {
    /// For people and models.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Unavailable(text) => alloc::format!("not available: {text}"),
            Self::Denied(text) => alloc::format!("not permitted: {text}"),
            Self::TimedOut => "it took too long".into(),
            Self::TooLong(text) | Self::Other(text) => text.clone(),
        }
    }
}

impl Message {
    /// A message without calls, and not a reply to one.
    pub(super) fn plain(role: Role, text: String) -> Self {
        Self {
            role,
            text,
            calls: Vec::new(),
            answers: None,
            is_error: false,
        }
    }
}
