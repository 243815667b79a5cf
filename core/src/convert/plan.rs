//! The result of a conversion, and the fate of each field.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::write::{Draft, Value};

/// The fate of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Same meaning, same text.
    Kept,
    /// Same meaning, different text.
    Renamed,
    /// Something close, never more.
    Approximated,
    /// It is lost.
    Dropped,
    /// The reason that there is no result.
    Refused,
}

/// A line of the report: the fate of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// The field as the file or its dialect spells it, or what else it is about: `prompt`, `files`. In a plan, the canonical field.
    pub field: String,
    /// Its fate.
    pub fate: Fate,
    /// The value in the source.
    pub from: String,
    /// The value in the result; empty for none.
    pub to: String,
    /// The reason, as one sentence without a full stop; empty if obvious.
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

    /// Kept, or renamed where the text differs.
    pub(super) fn carry(&mut self, field: &str, from: &str, to: &str) {
        let fate = if from == to { Fate::Kept } else { Fate::Renamed };
        self.say(field, fate, from, to, "");
    }

    /// A right or a guard without an equivalent. It is dropped only if that is allowed.
    pub(super) fn lose(&mut self, field: &str, from: &str, reason: &str) {
        let fate = if self.allow_loss {
            Fate::Dropped
        } else {
            Fate::Refused
        };
        self.say(field, fate, from, "", reason);
    }

    /// Refuses what would grant the agent more.
    pub(super) fn refuse(&mut self, field: &str, from: &str, reason: &str) {
        self.report
            .retain(|loss| loss.field != field || loss.fate != Fate::Kept);
        self.say(field, Fate::Refused, from, "", reason);
    }

    pub(super) fn is_refused(&self) -> bool {
        self.report.iter().any(|loss| loss.fate == Fate::Refused)
    }
}
