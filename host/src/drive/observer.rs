//! Observers of a session.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::about::InFlight;
use crate::conversation::{ModelRequest, ToolAnswer, ToolCall};
use crate::delegation::{Event, Happening, Usage};
use crate::output::report::AgentUsage;

/// Observes a session. It cannot affect the session, and must return quickly.
pub trait Observer: Send + Sync {
    /// An event.
    fn event(&self, _event: &Event) {}

    /// A request to a model, without its messages. `run` is the number in the agent's events.
    fn asks(&self, _run: u32, _request: &ModelRequest) {}

    /// A piece of an agent's answer. `run` is the number in its events.
    fn heard(&self, _run: u32, _piece: &str) {}

    /// All that the command of a running call has printed so far.
    fn printed(&self, _agent: &[String], _call: &ToolCall, _text: &str) {}

    /// A tool answered.
    fn answered(&self, _agent: &[String], _call: &ToolCall, _answer: &ToolAnswer) {}

    /// The user or the host denied a call.
    fn denied(&self, _agent: &[String], _call: &ToolCall, _reason: &str) {}

    /// A request from before the session was saved is repeated, at this time of its clock.
    fn again(&self, _run: u32, _at: u64, _request: &ModelRequest) {}

    /// A call was unfinished when the session was saved, and is not repeated.
    fn in_doubt(&self, _call: &InFlight) {}

    /// The usage of an answer. `run` is the number in the agent's events.
    fn spent(&self, _run: u32, _usage: &AgentUsage) {}

    /// The usage so far.
    fn used(&self, _usage: &Usage) {}

    /// The session ended, or is saved. Pieces of aborted answers may still arrive.
    fn end(&self) {}
}

/// Does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Tool calls that were denied by the component, the host or the user.
pub(super) struct Refusals {
    any: AtomicBool,
    /// The agents of those that are not counted yet.
    agents: Mutex<Vec<Vec<String>>>,
}

impl Refusals {
    /// `before` is whether one was denied before the session was saved.
    pub(super) fn new(before: bool) -> Self {
        Self {
            any: AtomicBool::new(before),
            agents: Mutex::default(),
        }
    }

    pub(super) fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// The agent of each since the last call.
    pub(super) fn take(&self) -> Vec<Vec<String>> {
        std::mem::take(&mut *self.agents.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, agent: &[String]) {
        self.any.store(true, Ordering::Relaxed);
        let mut agents = self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        agents.push(agent.to_vec());
    }
}

impl Observer for Refusals {
    fn event(&self, event: &Event) {
        if matches!(event.what, Happening::Refused(_)) {
            self.add(&event.agent);
        }
    }

    fn denied(&self, agent: &[String], _: &ToolCall, _: &str) {
        self.add(agent);
    }
}

/// Several observers.
impl Observer for Vec<std::sync::Arc<dyn Observer>> {
    fn event(&self, event: &Event) {
        self.iter().for_each(|observer| observer.event(event));
    }

    fn asks(&self, run: u32, request: &ModelRequest) {
        self.iter().for_each(|observer| observer.asks(run, request));
    }

    fn heard(&self, run: u32, piece: &str) {
        self.iter().for_each(|observer| observer.heard(run, piece));
    }

    fn printed(&self, agent: &[String], call: &ToolCall, text: &str) {
        self.iter()
            .for_each(|observer| observer.printed(agent, call, text));
    }

    fn answered(&self, agent: &[String], call: &ToolCall, answer: &ToolAnswer) {
        self.iter()
            .for_each(|observer| observer.answered(agent, call, answer));
    }

    fn denied(&self, agent: &[String], call: &ToolCall, reason: &str) {
        self.iter()
            .for_each(|observer| observer.denied(agent, call, reason));
    }

    fn again(&self, run: u32, at: u64, request: &ModelRequest) {
        self.iter().for_each(|observer| observer.again(run, at, request));
    }

    fn in_doubt(&self, call: &InFlight) {
        self.iter().for_each(|observer| observer.in_doubt(call));
    }

    fn spent(&self, run: u32, usage: &AgentUsage) {
        self.iter().for_each(|observer| observer.spent(run, usage));
    }

    fn used(&self, usage: &Usage) {
        self.iter().for_each(|observer| observer.used(usage));
    }

    fn end(&self) {
        self.iter().for_each(|observer| observer.end());
    }
}
