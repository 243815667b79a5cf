//! Observers of a session.

use std::sync::atomic::{AtomicBool, Ordering};

use super::about::InFlight;
use crate::conversation::{ModelRequest, ToolAnswer, ToolCall};
use crate::delegation::{Event, Happening, Usage};

/// Observes a session. It cannot affect the session, and must return quickly.
pub trait Observer: Send + Sync {
    /// An event.
    fn event(&self, _event: &Event) {}

    /// A piece of an agent's answer. `run` is the number in its events.
    fn heard(&self, _run: u32, _piece: &str) {}

    /// A tool answered.
    fn answered(&self, _agent: &[String], _call: &ToolCall, _answer: &ToolAnswer) {}

    /// The user or the host denied a call.
    fn denied(&self, _agent: &[String], _call: &ToolCall, _reason: &str) {}

    /// A request from before the session was saved is repeated, at this time of its clock.
    fn again(&self, _run: u32, _at: u64, _request: &ModelRequest) {}

    /// A call was unfinished when the session was saved, and is not repeated.
    fn in_doubt(&self, _call: &InFlight) {}

    /// The usage so far.
    fn used(&self, _usage: &Usage) {}

    /// The session ended, or is saved. Pieces of aborted answers may still arrive.
    fn end(&self) {}
}

/// Does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Whether a tool call was denied by the component, the host or the user.
pub(super) struct Refusals(AtomicBool);

impl Refusals {
    /// `before` is whether one was denied before the session was saved.
    pub(super) fn new(before: bool) -> Self {
        Self(AtomicBool::new(before))
    }

    pub(super) fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Observer for Refusals {
    fn event(&self, event: &Event) {
        if matches!(event.what, Happening::Refused(_)) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    fn denied(&self, _: &[String], _: &ToolCall, _: &str) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Several observers.
impl Observer for Vec<std::sync::Arc<dyn Observer>> {
    fn event(&self, event: &Event) {
        self.iter().for_each(|observer| observer.event(event));
    }

    fn heard(&self, run: u32, piece: &str) {
        self.iter().for_each(|observer| observer.heard(run, piece));
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

    fn used(&self, usage: &Usage) {
        self.iter().for_each(|observer| observer.used(usage));
    }

    fn end(&self) {
        self.iter().for_each(|observer| observer.end());
    }
}
