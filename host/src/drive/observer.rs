//! Who watches a session.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::saved::InFlight;
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

/// Whether a call of a tool was not permitted, be it by the component, the host or the user. A mistake of the model, which it may
/// correct, is none.
pub(super) struct Refusals {
    any: AtomicBool,
    /// The tools that the host lends.
    lent: BTreeSet<String>,
    /// Calls whose arguments cannot be read, by their models' names for them.
    mistakes: Mutex<BTreeSet<String>>,
}

impl Refusals {
    /// `before` is whether one was before the session was put away.
    pub(super) fn new(before: bool, lent: impl Iterator<Item = String>) -> Self {
        Self {
            any: AtomicBool::new(before),
            lent: lent.collect(),
            mistakes: Mutex::default(),
        }
    }

    pub(super) fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// Looks at the calls of an answer before they are judged.
    pub(super) fn look_at(&self, calls: &[ToolCall]) {
        type Object = serde_json::Map<String, serde_json::Value>;
        let is_mistake = |call: &&ToolCall| {
            let arguments = call.arguments.trim();
            !arguments.is_empty() && serde_json::from_str::<Object>(arguments).is_err()
        };
        let mistakes = calls.iter().filter(is_mistake);
        self.mistakes().extend(mistakes.map(|call| call.id.clone()));
    }

    fn mistakes(&self) -> MutexGuard<'_, BTreeSet<String>> {
        // A set is whole after a panic.
        self.mistakes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Refusals {
    fn event(&self, event: &Event) {
        if let Happening::Refused(refused) = &event.what
            && self.lent.contains(&refused.tool)
            && !self.mistakes().remove(&refused.id)
        {
            self.any.store(true, Ordering::Relaxed);
        }
    }

    fn denied(&self, _: &[String], _: &ToolCall, _: &str) {
        self.any.store(true, Ordering::Relaxed);
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
