//! The replies to a session, as stored in its file.

use serde::{Deserialize, Serialize};

use crate::conversation::{CallError, ModelAnswer, ToolAnswer, ToolCall};
use crate::delegation::Reply;

/// A reply that a session accepted.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Input {
    pub(super) id: u32,
    /// The session's clock.
    pub(super) at: u64,
    reply: Answered,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Answered {
    Model {
        text: String,
        calls: Vec<Call>,
        tokens: (u32, u32),
        cost: Option<u64>,
    },
    Tool {
        text: String,
        is_error: bool,
    },
    Unavailable(String),
    Denied(String),
    TimedOut,
    TooLong(String),
    Failed(String),
}

/// Name, tool and arguments.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Call(String, String, String);

impl Input {
    pub(super) fn new(id: u32, at: u64, reply: Reply) -> Self {
        let reply = match reply {
            Reply::Model(answer) => Answered::Model {
                text: answer.text,
                calls: answer.calls.into_iter().map(Call::from).collect(),
                tokens: (answer.input_tokens, answer.output_tokens),
                cost: answer.cost,
            },
            Reply::Tool(ToolAnswer { text, is_error }) => Answered::Tool { text, is_error },
            Reply::Failed(CallError::Unavailable(reason)) => Answered::Unavailable(reason),
            Reply::Failed(CallError::Denied(reason)) => Answered::Denied(reason),
            Reply::Failed(CallError::TimedOut) => Answered::TimedOut,
            Reply::Failed(CallError::TooLong(reason)) => Answered::TooLong(reason),
            Reply::Failed(CallError::Other(reason)) => Answered::Failed(reason),
        };
        Self { id, at, reply }
    }

    pub(super) fn reply(self) -> Reply {
        match self.reply {
            Answered::Model {
                text,
                calls,
                tokens: (input_tokens, output_tokens),
                cost,
            } => Reply::Model(ModelAnswer {
                text,
                calls: calls.into_iter().map(ToolCall::from).collect(),
                input_tokens,
                output_tokens,
                cost,
            }),
            Answered::Tool { text, is_error } => Reply::Tool(ToolAnswer { text, is_error }),
            Answered::Unavailable(reason) => Reply::Failed(CallError::Unavailable(reason)),
            Answered::Denied(reason) => Reply::Failed(CallError::Denied(reason)),
            Answered::TimedOut => Reply::Failed(CallError::TimedOut),
            Answered::TooLong(reason) => Reply::Failed(CallError::TooLong(reason)),
            Answered::Failed(reason) => Reply::Failed(CallError::Other(reason)),
        }
    }
}

impl From<ToolCall> for Call {
    fn from(ToolCall { id, name, arguments }: ToolCall) -> Self {
        Self(id, name, arguments)
    }
}

impl From<Call> for ToolCall {
    fn from(Call(id, name, arguments): Call) -> Self {
        Self { id, name, arguments }
    }
}
