//! What passes between agents, models and tools.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::definition::Endpoint;

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// The instructions.
    System,
    /// The one who asks.
    User,
    /// The model.
    Assistant,
    /// A tool's result.
    Tool,
}

/// A tool call that the model asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The model's name for this call. No other call of the same answer has it.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments: a JSON object, as the model wrote it.
    pub arguments: String,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub text: String,
    /// The calls that an assistant asks for.
    pub calls: Vec<ToolCall>,
    /// The call that a tool's message answers.
    pub answers: Option<String>,
    /// Whether a tool's message tells of a failure.
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
    /// The agent that asks, the outermost first.
    pub agent: Vec<String>,
    /// The provider, if the definition or the host names one.
    pub provider: Option<String>,
    /// The model. Empty where nobody names one.
    pub model: String,
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The tools on offer.
    pub tools: Vec<ToolSpec>,
    /// The longest answer, in tokens.
    pub max_tokens: Option<u32>,
    /// How much effort to spend, in the dialect's words.
    pub effort: Option<String>,
    /// Tokens for thinking.
    pub thinking_budget: Option<u32>,
    /// Where a trusted file wants the model to be asked, and with which key.
    pub endpoint: Endpoint,
}

/// A model's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelAnswer {
    /// What it says.
    pub text: String,
    /// The calls it asks for.
    pub calls: Vec<ToolCall>,
    /// Tokens read.
    pub input_tokens: u32,
    /// Tokens written.
    pub output_tokens: u32,
    /// What it cost, in millionths of the host's currency, if the host knows.
    pub cost: Option<u64>,
}

/// A tool call that is let through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolRequest {
    /// The agent that asks, the outermost first.
    pub agent: Vec<String>,
    /// The call.
    pub call: ToolCall,
    /// Whether it may be done without asking the user.
    pub permitted: bool,
}

/// A tool's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolAnswer {
    /// The result.
    pub text: String,
    /// Whether it tells of a failure.
    pub is_error: bool,
}

/// Why a host could not serve a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// Not now; trying again may help.
    Unavailable(String),
    /// The user or the host does not permit it.
    Denied(String),
    /// It took too long.
    TimedOut,
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
            Self::Other(text) => text.clone(),
        }
    }
}

impl Message {
    /// A message that neither calls nor answers.
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
