//! Sessions as JSON, described in `docs/json.md`.

use std::time::UNIX_EPOCH;

use serde::Serialize;

use super::{Conversation, SavedSession};
use crate::conversation::{Message, Role};
use crate::output::json;
use crate::output::report::{AgentUsage, Worktree};

#[derive(Serialize)]
struct Document<T> {
    version: u32,
    command: &'static str,
    #[serde(flatten)]
    content: T,
}

#[derive(Serialize)]
struct List<'a> {
    sessions: Vec<Session<'a>>,
}

#[derive(Serialize)]
struct Exported<'a> {
    session: Session<'a>,
    messages: Vec<Said<'a>>,
}

#[derive(Serialize)]
struct Session<'a> {
    id: &'a str,
    state: &'static str,
    path: &'a str,
    /// Seconds since 1970.
    updated: u64,
    project: Option<String>,
    dialect: Option<&'a str>,
    agent: Option<&'a str>,
    task: Option<&'a str>,
    model: Option<&'a str>,
    turns: u32,
    tokens: u64,
    cache_read_tokens: u64,
    cache_write_tokens: u64,
    cost: u64,
    agents: &'a [AgentUsage],
    problem: Option<&'a str>,
    /// Only if one session is shown: git is asked for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    worktrees: Option<&'a [Worktree]>,
}

#[derive(Serialize)]
struct Said<'a> {
    role: &'static str,
    text: &'a str,
    calls: Vec<Call<'a>>,
    answers: Option<&'a str>,
    is_error: bool,
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    tool: &'a str,
    arguments: &'a str,
}

/// The document that `sessions show` prints.
pub fn one(conversation: &Conversation) -> String {
    document(List {
        sessions: vec![conversation.into()],
    })
}

/// The document that `sessions` prints.
pub fn sessions(sessions: &[SavedSession]) -> String {
    document(List {
        sessions: sessions.iter().map(Into::into).collect(),
    })
}

/// The document that `sessions export` prints.
pub fn conversation(conversation: &Conversation) -> String {
    document(Exported {
        session: conversation.into(),
        messages: conversation.messages.iter().map(Into::into).collect(),
    })
}

fn document(content: impl Serialize) -> String {
    json::pretty(&Document {
        version: 1,
        command: "sessions",
        content,
    })
}

impl<'a> From<&'a Conversation> for Session<'a> {
    fn from(it: &'a Conversation) -> Self {
        Self {
            worktrees: Some(&it.worktrees),
            ..(&it.session).into()
        }
    }
}

impl<'a> From<&'a SavedSession> for Session<'a> {
    fn from(it: &'a SavedSession) -> Self {
        let about = it.about.as_ref();
        let sum = AgentUsage::sum(&it.agents);
        let updated = it.updated.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            id: &it.id,
            state: it.state,
            path: &it.path,
            updated: updated.as_secs(),
            project: about.map(|about| about.project.to_string_lossy().into_owned()),
            dialect: about.map(|about| &*about.dialect),
            agent: about.map(|about| &*about.agent),
            task: about.map(|about| &*about.task),
            model: about.and_then(|about| about.model.as_deref()),
            turns: it.status.turns,
            tokens: it.status.tokens,
            cache_read_tokens: sum.cache_read_tokens,
            cache_write_tokens: sum.cache_write_tokens,
            cost: it.status.cost,
            agents: &it.agents,
            problem: it.problem.as_deref(),
            worktrees: None,
        }
    }
}

impl<'a> From<&'a Message> for Said<'a> {
    fn from(message: &'a Message) -> Self {
        let calls = message.calls.iter().map(|call| Call {
            id: &call.id,
            tool: &call.name,
            arguments: &call.arguments,
        });
        Self {
            role: match message.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
                Role::Tool => "tool",
            },
            text: &message.text,
            calls: calls.collect(),
            answers: message.answers.as_deref(),
            is_error: message.is_error,
        }
    }
}
