//! Messages of the user after the first agent's answer.

use alloc::string::String;

use super::conversation::{Message, Role};
use super::event::{Happening, Outcome};
use super::{Session, SessionError};

impl Session {
    /// Continues the first agent after its answer with another message of the user. Its own limit of turns starts again; the session's limits
    /// do not. Fails before there is an answer, and if the conversation was not kept.
    pub fn send(&mut self, message: String) -> Result<(), SessionError> {
        match self.state.outcome {
            Some(Outcome::Answer(_)) => {}
            Some(Outcome::Cancelled) => return Err(SessionError::Finished),
            _ => return Err(SessionError::Unfinished),
        }
        // Sessions saved by earlier versions kept only the answer.
        let run = self.state.run_mut(0).ok_or(SessionError::Finished)?;
        run.messages.push(Message::plain(Role::User, message.clone()));
        run.turns = 0;
        self.state.outcome = None;
        self.note(0, Happening::Called(message));
        self.ask(0);
        Ok(())
    }
}
