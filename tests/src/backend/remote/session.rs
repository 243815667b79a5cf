//! Sessions in a driver.

use callsheet::conversation::Message;
use callsheet::delegation::{Event, Outcome, Outstanding, Reply, SessionError, Usage};
use serde_json::{Value, json};

use super::driver::{Held, Shared, lock};
use super::values::Crossing;
use crate::backend::Machine;

/// A session behind a driver.
pub(super) struct Session(Held);

/// Starts one with a static function of the resource, and these files.
pub(super) fn begin(
    driver: &Shared,
    files: Value,
    name: &str,
    arguments: Vec<Value>,
) -> Result<Box<dyn Machine>, SessionError> {
    let resource = {
        let mut driver = lock(driver);
        driver.lend(files);
        driver.call(&format!("delegation.session.{name}"), arguments)?
    };
    let driver = Shared::clone(driver);
    Ok(Box::new(Session(Held { driver, resource })))
}

impl Session {
    fn ask<T: Crossing, E: Crossing>(&self, name: &str, arguments: Vec<Value>) -> Result<T, E> {
        self.0.call(name, arguments)
    }

    fn call<T: Crossing>(&self, name: &str, arguments: Vec<Value>) -> T {
        let answer = self.ask::<T, ()>(name, arguments);
        answer.expect("it cannot fail")
    }
}

impl Machine for Session {
    fn poll(&mut self, now: u64, from: u32) -> Vec<Outstanding> {
        self.call("poll", vec![now.to_value(), json!(from)])
    }

    fn poll_brief(&mut self, now: u64, from: u32) -> Vec<Outstanding> {
        self.call("poll-brief", vec![now.to_value(), json!(from)])
    }

    fn messages(&mut self, run: u32, from: u32) -> Vec<Message> {
        self.call("messages", vec![json!(run), json!(from)])
    }

    fn send(&mut self, message: &str) -> Result<(), SessionError> {
        self.ask("send", vec![json!(message)])
    }

    fn reply(&mut self, id: u32, reply: Reply, now: u64) -> Result<(), SessionError> {
        self.ask("reply", vec![json!(id), reply.to_value(), now.to_value()])
    }

    fn cancel(&mut self) {
        self.call("cancel", Vec::new())
    }

    fn events(&mut self) -> Vec<Event> {
        self.call("events", Vec::new())
    }

    fn outcome(&mut self) -> Option<Outcome> {
        self.call("outcome", Vec::new())
    }

    fn usage(&mut self) -> Usage {
        self.call("usage", Vec::new())
    }

    fn snapshot(&mut self) -> Vec<u8> {
        self.call("snapshot", Vec::new())
    }
}
