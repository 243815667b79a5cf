//! The messages of each agent, so that a session returns each message once.

use std::collections::HashMap;

use crate::conversation::Message;
use crate::{Result, Session};

/// The conversations of agents, by the numbers in their events. One is moved to its model during a request.
#[derive(Default)]
pub(super) struct Conversations(HashMap<u32, Vec<Message>>);

impl Conversations {
    /// All messages for a request of this agent. Those from `changed_from` on may differ from the known ones.
    pub(super) fn lend(
        &mut self,
        session: &mut Session,
        run: u32,
        changed_from: Option<u32>,
    ) -> Result<Vec<Message>> {
        let mut messages = self.0.remove(&run).unwrap_or_default();
        if let Some(from) = changed_from {
            messages.truncate(from as usize);
        }
        let known = u32::try_from(messages.len()).unwrap_or(u32::MAX);
        messages.append(&mut session.messages(run, known)?);
        Ok(messages)
    }

    /// Takes a conversation back.
    pub(super) fn keep(&mut self, run: u32, messages: Vec<Message>) {
        self.0.insert(run, messages);
    }

    pub(super) fn forget(&mut self, run: u32) {
        self.0.remove(&run);
    }
}
