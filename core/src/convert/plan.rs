//! What a conversion writes, and what became of each field on the way.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::write::{Draft, Value};

/// What became of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It says the same.
    Kept,
    /// It says the same in other words.
    Renamed,
    /// It says something near, never more.
    Approximated,
    /// It is lost.
    Dropped,
    /// It is why there is no result.
    Refused,
}

/// A line of the report: what became of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// The canonical field, or the key of a field that only its dialect knows.
    pub field: String,
    /// What became of it.
    pub fate: Fate,
    /// What the file says.
    pub from: String,
    /// What the result says; empty for nothing.
    pub to: String,
    /// Why, as one sentence without a full stop; empty where it goes without saying.
    pub reason: String,
}

/// What is to be written.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) draft: Draft,
    pub(super) report: Vec<Loss>,
    /// Whether rights may be lost.
    pub(super) allow_loss: bool,
}

impl Plan {
    pub(super) fn put(&mut self, field: &str, value: Value) {
        self.draft.fields.retain(|(known, _)| known != field);
        self.draft.fields.push((field.to_owned(), value));
    }

    pub(super) fn say(&mut self, field: &str, fate: Fate, from: &str, to: &str, reason: &str) {
        self.report.push(Loss {
            field: field.to_owned(),
            fate,
            from: from.to_owned(),
            to: to.to_owned(),
            reason: reason.to_owned(),
        });
    }

    /// Kept, or renamed where the words differ.
    pub(super) fn carry(&mut self, field: &str, from: &str, to: &str) {
        let fate = if from == to { Fate::Kept } else { Fate::Renamed };
        self.say(field, fate, from, to, "");
    }

    /// A right or a guard that has no like. Lost only if that is allowed.
    pub(super) fn lose(&mut self, field: &str, from: &str, reason: &str) {
        let fate = if self.allow_loss {
            Fate::Dropped
        } else {
            Fate::Refused
        };
        self.say(field, fate, from, "", reason);
    }

    /// What would let the agent do more is never written.
    pub(super) fn refuse(&mut self, field: &str, from: &str, reason: &str) {
        self.report
            .retain(|loss| loss.field != field || loss.fate != Fate::Kept);
        self.say(field, Fate::Refused, from, "", reason);
    }

    pub(super) fn is_refused(&self) -> bool {
        self.report.iter().any(|loss| loss.fate == Fate::Refused)
    }
}
