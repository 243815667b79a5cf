//! Agents, and what each was told, said and did.

use crate::conversation::ToolCall;
use crate::output::text::{clean, clean_lines};

/// An agent, at work or not.
pub(super) struct Agent {
    /// Its place in the order in which agents became known.
    pub(super) id: usize,
    /// Its number in the session; unknown until its first event if it was at work when the session was saved.
    pub(super) run: Option<u32>,
    pub(super) path: Vec<String>,
    /// Its name, with what tells it apart.
    pub(super) name: String,
    pub(super) state: State,
    pub(super) doing: String,
    pub(super) turns: u64,
    pub(super) tokens: u64,
    /// In millionths.
    pub(super) cost: u64,
    pub(super) entries: Vec<Entry>,
    pub(super) began: u64,
    pub(super) ended: Option<u64>,
    /// Whether the last entry is an answer that is not complete.
    pub(super) is_heard: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Works,
    Succeeded,
    Failed,
}

/// Something that an agent did, or was told.
pub(super) struct Entry {
    /// What it is, or the tool of a call.
    pub(super) title: String,
    /// The text, or the arguments of a call.
    pub(super) text: String,
    pub(super) call: Option<Call>,
}

/// The state of a call.
pub(super) struct Call {
    pub(super) state: CallState,
    /// The result, or the reason why there is none.
    pub(super) result: String,
    pub(super) id: String,
    pub(super) began: u64,
    pub(super) ended: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallState {
    Runs,
    Succeeded,
    Failed,
    Denied,
    /// The session was interrupted before its result was known.
    InDoubt,
}

impl Agent {
    /// Its callers and its name, with what tells it apart.
    pub(super) fn place(&self) -> String {
        let callers = &self.path[..self.path.len().saturating_sub(1)];
        let callers = callers.iter().map(|name| clean(name));
        callers.chain([self.name.clone()]).collect::<Vec<_>>().join("/")
    }

    /// How long it works or worked, in nanoseconds.
    pub(super) fn time(&self, now: u64) -> u64 {
        self.ended.unwrap_or(now).saturating_sub(self.began)
    }

    pub(super) fn running(&mut self, id: &str) -> Option<&mut Call> {
        let calls = self
            .entries
            .iter_mut()
            .rev()
            .filter_map(|entry| entry.call.as_mut());
        calls
            .into_iter()
            .find(|call| call.id == id && call.ended.is_none())
    }
}

impl Entry {
    /// Whether it is this call, without an answer so far.
    pub(super) fn is(&self, call: &ToolCall) -> bool {
        let is_open = |it: &Call| it.id == call.id && it.ended.is_none();
        self.call.as_ref().is_some_and(is_open) && self.text == clean_lines(&call.arguments)
    }
}

impl Call {
    /// How long it runs or ran, in nanoseconds.
    pub(super) fn time(&self, now: u64) -> u64 {
        self.ended.unwrap_or(now).saturating_sub(self.began)
    }

    pub(super) fn end(&mut self, state: CallState, now: u64) {
        self.state = state;
        self.ended = Some(now);
    }
}
