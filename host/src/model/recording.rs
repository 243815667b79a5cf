//! The format of a recording: JSON Lines, one request and its answer per line.
//!
//! The first line names the format. A request that continues an earlier one refers to its line and has only the new messages, so a
//! recording grows linearly with the conversation. It contains no keys or URLs.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::conversation::{CallError, Message, ModelAnswer, ModelRequest, Role, ToolCall};
use crate::delegation::{Repository, Surroundings};
use crate::{Cached, Completion};

/// Why a recording cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingError {
    /// The file.
    pub file: String,
    /// The line, counted from 1; none if the file could not be read.
    pub line: Option<usize>,
    /// The problem.
    pub message: String,
}

impl fmt::Display for RecordingError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(to, ":{line}")?;
        }
        write!(to, ": {}", self.message)
    }
}

impl std::error::Error for RecordingError {}

/// The first line.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    #[serde(rename = "callsheet-recording")]
    pub(super) version: u32,
    /// What agents were told about where they worked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) surroundings: Option<Place>,
}

/// Where agents worked.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Place {
    directory: String,
    platform: String,
    date: String,
    personal: bool,
    is_repository: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repository: Option<State>,
}

/// The state of a repository.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct State {
    branch: Option<String>,
    changes: Vec<String>,
    commits: Vec<String>,
}

/// The format that is written, and the only one that is read.
pub(super) const VERSION: u32 = 1;

/// One line.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub(super) agent: Vec<String>,
    pub(super) model: String,
    /// The offered tools, by name, sorted.
    pub(super) tools: Vec<String>,
    /// The line of the request with the previous messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<usize>,
    pub(super) messages: Vec<Said>,
    #[serde(flatten)]
    pub(super) answer: Answered,
}

/// The result of a request.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answered {
    /// With an answer.
    Answer(Reply),
    /// Temporarily unavailable.
    Unavailable(String),
    /// Denied.
    Denied(String),
    /// Timed out.
    TimedOut(()),
    /// Too long.
    TooLong(String),
    /// Failed.
    Failed(String),
}

/// A model's answer.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Reply {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) calls: Vec<Call>,
    pub(super) input_tokens: u32,
    pub(super) output_tokens: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) cache_read_tokens: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) cache_write_tokens: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cost: Option<u64>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A message.
#[derive(Clone, Debug, Deserialize, Hash, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Said {
    pub(super) role: Speaker,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) calls: Vec<Call>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) answers: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_error: bool,
}

/// The role of a message.
#[derive(Clone, Copy, Debug, Deserialize, Hash, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Speaker {
    System,
    User,
    Assistant,
    Tool,
}

/// A tool call.
#[derive(Clone, Debug, Deserialize, Hash, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
}

/// The parts of a request that an answer depends on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Question {
    pub(super) agent: Vec<String>,
    pub(super) model: String,
    pub(super) tools: Vec<String>,
    pub(super) messages: Vec<Said>,
}

impl From<&Surroundings> for Place {
    fn from(told: &Surroundings) -> Self {
        let told = told.clone();
        Self {
            directory: told.directory,
            platform: told.platform,
            date: told.date,
            personal: told.personal,
            is_repository: told.is_repository,
            repository: told.repository.map(|state| State {
                branch: state.branch,
                changes: state.changes,
                commits: state.commits,
            }),
        }
    }
}

impl From<Place> for Surroundings {
    fn from(place: Place) -> Self {
        Self {
            directory: place.directory,
            platform: place.platform,
            date: place.date,
            personal: place.personal,
            is_repository: place.is_repository,
            repository: place.repository.map(|state| Repository {
                branch: state.branch,
                changes: state.changes,
                commits: state.commits,
            }),
        }
    }
}

impl From<&ModelRequest> for Question {
    fn from(request: &ModelRequest) -> Self {
        let mut tools: Vec<String> = request.tools.iter().map(|tool| tool.name.clone()).collect();
        // Their order is arbitrary.
        tools.sort();
        Self {
            agent: request.agent.clone(),
            model: super::name(request.provider.as_deref(), &request.model),
            tools,
            messages: request.messages.iter().map(Said::from).collect(),
        }
    }
}

impl From<&Message> for Said {
    fn from(message: &Message) -> Self {
        Self {
            role: match message.role {
                Role::System => Speaker::System,
                Role::User => Speaker::User,
                Role::Assistant => Speaker::Assistant,
                Role::Tool => Speaker::Tool,
            },
            text: message.text.clone(),
            calls: message.calls.iter().map(Call::from).collect(),
            answers: message.answers.clone(),
            is_error: message.is_error,
        }
    }
}

impl From<&ToolCall> for Call {
    fn from(call: &ToolCall) -> Self {
        let ToolCall { id, name, arguments } = call.clone();
        Self { id, name, arguments }
    }
}

impl From<&Result<Completion, CallError>> for Answered {
    fn from(result: &Result<Completion, CallError>) -> Self {
        match result {
            Ok(Completion { answer, cached }) => Self::Answer(Reply {
                text: answer.text.clone(),
                calls: answer.calls.iter().map(Call::from).collect(),
                input_tokens: answer.input_tokens,
                output_tokens: answer.output_tokens,
                cache_read_tokens: cached.read,
                cache_write_tokens: cached.written,
                cost: answer.cost,
            }),
            Err(CallError::Unavailable(reason)) => Self::Unavailable(reason.clone()),
            Err(CallError::Denied(reason)) => Self::Denied(reason.clone()),
            Err(CallError::TimedOut) => Self::TimedOut(()),
            Err(CallError::TooLong(reason)) => Self::TooLong(reason.clone()),
            Err(CallError::Other(reason)) => Self::Failed(reason.clone()),
        }
    }
}

impl From<Answered> for Result<Completion, CallError> {
    fn from(answered: Answered) -> Self {
        let reply = match answered {
            Answered::Answer(reply) => reply,
            Answered::Unavailable(reason) => return Err(CallError::Unavailable(reason)),
            Answered::Denied(reason) => return Err(CallError::Denied(reason)),
            Answered::TimedOut(()) => return Err(CallError::TimedOut),
            Answered::TooLong(reason) => return Err(CallError::TooLong(reason)),
            Answered::Failed(reason) => return Err(CallError::Other(reason)),
        };
        let calls = reply.calls.into_iter();
        let calls = calls.map(|Call { id, name, arguments }| ToolCall { id, name, arguments });
        let answer = ModelAnswer {
            text: reply.text,
            calls: calls.collect(),
            input_tokens: reply.input_tokens,
            output_tokens: reply.output_tokens,
            cost: reply.cost,
        };
        let cached = Cached {
            read: reply.cache_read_tokens,
            written: reply.cache_write_tokens,
        };
        Ok(Completion { answer, cached })
    }
}
