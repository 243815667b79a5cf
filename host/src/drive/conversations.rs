//! The messages of each agent, so that a session returns each message once.

use std::collections::HashMap;

use crate::conversation::Message;
use crate::delegation::Step;
use crate::{Result, Session};

/// The conversations of agents, by the numbers in their events. One is moved to its model during a request.
#[derive(Default)]
pub(super) struct Conversations(HashMap<u32, Vec<Message>>);

impl Conversations {
    /// All messages for a request. For an unknown agent, the session is asked for all messages.
    pub(super) fn lend(&mut self, session: &mut Session, run: Option<u32>, id: u32) -> Result<Vec<Message>> {
        let Some(run) = run else {
            return whole(session, id);
        };
        let mut messages = self.0.remove(&run).unwrap_or_default();
        let known = u32::try_from(messages.len()).unwrap_or(u32::MAX);
        messages.append(&mut session.messages(run, known)?);
        Ok(messages)
    }

    /// Takes a conversation back.
    pub(super) fn keep(&mut self, run: Option<u32>, messages: Vec<Message>) {
        if let Some(run) = run {
            self.0.insert(run, messages);
        }
    }

    pub(super) fn forget(&mut self, run: u32) {
        self.0.remove(&run);
    }
}

fn whole(session: &mut Session, id: u32) -> Result<Vec<Message>> {
    let steps = session.poll(0, id)?.into_iter();
    let mut requests = steps.filter(|it| it.id == id).map(|it| it.step);
    Ok(match requests.next() {
        Some(Step::AskModel(request)) => request.messages,
        _ => Vec::new(),
    })
}
