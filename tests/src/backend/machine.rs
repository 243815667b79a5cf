//! Sessions on any backend, with the names of the contract.

use callsheet::conversation::Message;
use callsheet::delegation::{Event, Outcome, Outstanding, Reply, SessionError, Usage};
use callsheet_convert::{conversation, sessions};
use callsheet_core::session;

/// A session. A trap is never an answer.
#[allow(missing_docs, reason = "wit/delegation.wit documents them")]
pub trait Machine {
    fn poll(&mut self, now: u64, from: u32) -> Vec<Outstanding>;
    fn poll_brief(&mut self, now: u64, from: u32) -> Vec<Outstanding>;
    fn messages(&mut self, run: u32, from: u32) -> Vec<Message>;
    fn reply(&mut self, id: u32, reply: Reply, now: u64) -> Result<(), SessionError>;
    fn send(&mut self, message: &str) -> Result<(), SessionError>;
    fn cancel(&mut self);
    fn events(&mut self) -> Vec<Event>;
    fn outcome(&mut self) -> Option<Outcome>;
    fn usage(&mut self) -> Usage;
    fn snapshot(&mut self) -> Vec<u8>;
}

/// On the core. Its answers go through the component's own conversion.
impl Machine for session::Session {
    fn poll(&mut self, now: u64, from: u32) -> Vec<Outstanding> {
        let steps = self.poll(now, from);
        steps.into_iter().map(sessions::outstanding).collect()
    }

    fn poll_brief(&mut self, now: u64, from: u32) -> Vec<Outstanding> {
        let steps = self.poll_brief(now, from);
        steps.into_iter().map(sessions::outstanding).collect()
    }

    fn messages(&mut self, run: u32, from: u32) -> Vec<Message> {
        conversation::messages(session::Session::messages(self, run, from))
    }

    fn send(&mut self, message: &str) -> Result<(), SessionError> {
        self.send(message.to_owned()).map_err(sessions::error)
    }

    fn reply(&mut self, id: u32, reply: Reply, now: u64) -> Result<(), SessionError> {
        let replied = self.reply(id, sessions::reply(reply), now);
        replied.map_err(sessions::error)
    }

    fn cancel(&mut self) {
        self.cancel();
    }

    fn events(&mut self) -> Vec<Event> {
        self.events().into_iter().map(sessions::event).collect()
    }

    fn outcome(&mut self) -> Option<Outcome> {
        session::Session::outcome(self).cloned().map(sessions::outcome)
    }

    fn usage(&mut self) -> Usage {
        sessions::usage(session::Session::usage(self))
    }

    fn snapshot(&mut self) -> Vec<u8> {
        session::Session::snapshot(self)
    }
}

/// On the component.
impl Machine for callsheet::Session {
    fn poll(&mut self, now: u64, from: u32) -> Vec<Outstanding> {
        answered(self.poll(now, from))
    }

    fn poll_brief(&mut self, now: u64, from: u32) -> Vec<Outstanding> {
        answered(self.poll_brief(now, from))
    }

    fn messages(&mut self, run: u32, from: u32) -> Vec<Message> {
        answered(self.messages(run, from))
    }

    fn reply(&mut self, id: u32, reply: Reply, now: u64) -> Result<(), SessionError> {
        taken(self.reply(id, &reply, now))
    }

    fn send(&mut self, message: &str) -> Result<(), SessionError> {
        taken(self.send(message))
    }

    fn cancel(&mut self) {
        answered(self.cancel());
    }

    fn events(&mut self) -> Vec<Event> {
        answered(self.events())
    }

    fn outcome(&mut self) -> Option<Outcome> {
        answered(self.outcome())
    }

    fn usage(&mut self) -> Usage {
        answered(self.usage())
    }

    fn snapshot(&mut self) -> Vec<u8> {
        answered(self.snapshot())
    }
}

fn taken(answer: callsheet::Result<()>) -> Result<(), SessionError> {
    match answer {
        Err(callsheet::Error::Session(error)) => Err(error),
        other => {
            answered(other);
            Ok(())
        }
    }
}

fn answered<T>(answer: callsheet::Result<T>) -> T {
    answer.unwrap_or_else(|error| panic!("{error}"))
}
