//! Who watches a session.

use std::sync::atomic::{AtomicBool, Ordering};

use super::about::InFlight;
use crate::conversation::{ModelRequest, ToolAnswer, ToolCall};
use crate::delegation::{Event, Happening, Usage};

/// Watches a session. Nothing that it does changes anything; it must not take long.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn event(&self, _event: &Event) {}

    /// A piece of an agent's answer came. `run` is the number that its events have.
    fn heard(&self, _run: u32, _piece: &str) {}

    /// A tool answered.
    fn answered(&self, _agent: &[String], _call: &ToolCall, _answer: &ToolAnswer) {}

    /// The user or the host did not permit a call.
    fn denied(&self, _agent: &[String], _call: &ToolCall, _reason: &str) {}

    /// A model that was asked before the session was put away is asked once more, at this time of its clock.
    fn again(&self, _run: u32, _at: u64, _request: &ModelRequest) {}

    /// A call was under way when the session was put away, and is not made again.
    fn in_doubt(&self, _call: &InFlight) {}

    /// What was used up so far.
    fn used(&self, _usage: &Usage) {}

    /// Nothing else counts: the session ended, or is put away. Models that were given up may still be heard.
    fn end(&self) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Whether a call of a tool was refused, be it by the component, the host or the user.
pub(super) struct Refusals(AtomicBool);

impl Refusals {
    /// `before` is whether one was before the session was put away.
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

/// All of them watch.
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
