//! What a worker provides.

use std::pin::Pin;

use crate::wire::{Answered, Change, Known, Open, Refused, Step, Turned};

/// A pending answer.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Changes sessions. It keeps none.
pub trait Turns: Send + Sync {
    /// Opens a session with this ID.
    ///
    /// Fails if the worker cannot open it, and never will.
    fn open(&self, session: String, open: Open) -> Answer<'_, Result<Turned, Refused>>;

    /// Changes a session. A reply to a step that is not outstanding changes nothing.
    ///
    /// Fails if this worker cannot read the snapshot: another version may.
    fn change(
        &self,
        session: String,
        known: Known,
        snapshot: Vec<u8>,
        change: Change,
    ) -> Answer<'_, Result<Turned, Refused>>;
}

/// Takes steps: asks models and calls tools.
pub trait Steps: Send + Sync {
    /// Fails if this worker cannot take a step, with the reason: another one may.
    fn ready<'a>(&'a self, step: &'a Step) -> Answer<'a, Result<(), String>>;

    /// Takes a step.
    ///
    /// Fails if it should be taken again later, such as a model that is temporarily unavailable. A call that was made has an answer.
    fn take(&self, step: Step) -> Answer<'_, Result<Answered, String>>;

    /// The answer to a call that an earlier worker may have made.
    fn in_doubt(&self, step: &Step) -> Answered;
}
