//! Saved sessions, and their conversations.

mod documents;
mod html;
mod markdown;
mod stats;
mod tables;

use std::time::SystemTime;

pub use self::documents::{conversation, one, sessions};
pub use self::html::html;
pub use self::markdown::markdown;
pub use self::stats::{Stats, document as stats_document, table as stats_table};
pub use self::tables::{concise, list, show};
use super::report::{AgentUsage, Worktree};
use crate::conversation::Message;
use crate::drive::{About, Kept, Status, Stopped};

/// A saved session.
#[derive(Clone, Debug)]
pub struct SavedSession {
    /// Its ID.
    pub id: String,
    /// Its file.
    pub path: String,
    /// When it was last written.
    pub updated: SystemTime,
    /// Its state, in one word.
    pub state: &'static str,
    /// The host's data; none if the file is damaged.
    pub about: Option<About>,
    /// Its progress.
    pub status: Status,
    /// The usage of its agents. Earlier versions did not save it.
    pub agents: Vec<AgentUsage>,
    /// The problem of the file.
    pub problem: Option<String>,
}

/// A session, and the conversation of its first agent.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// The session.
    pub session: SavedSession,
    /// From the system prompt on.
    pub messages: Vec<Message>,
    /// The answer, or why there is none; none if the session is running or was interrupted.
    pub stopped: Option<String>,
    /// The worktrees that its agents changed.
    pub worktrees: Vec<Worktree>,
}

impl From<Kept> for SavedSession {
    fn from(kept: Kept) -> Self {
        let (about, status, agents, problem) = match kept.glance {
            Ok(glance) => (Some(glance.about), glance.status, glance.spent.0, None),
            Err(error) => {
                let problem = error.reason().to_string();
                (None, Status::default(), Vec::new(), Some(problem))
            }
        };
        let state = match (&problem, kept.is_running, status.stopped) {
            (Some(_), _, _) => "damaged",
            (None, true, _) => "running",
            (None, false, Some(Stopped::Answer)) => "finished",
            (None, false, Some(Stopped::Failed)) => "failed",
            (None, false, Some(Stopped::Cancelled)) => "cancelled",
            (None, false, Some(Stopped::Bound) | None) => "paused",
        };
        Self {
            id: kept.id,
            path: kept.path.to_string_lossy().into_owned(),
            updated: kept.updated,
            state,
            about,
            status,
            agents,
            problem,
        }
    }
}
