//! Ends of agents, which reply to their callers, and of the session.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Session;
use super::conversation::{Message, Role};
use super::event::{Bound, Happening, Outcome};
use super::text::fill;

/// The caller must not look for its changes here, nor take its files for changed.
const APART: &str = "worked in a git worktree of its own: the files here are as they were";

impl Session {
    /// A limit of the session that is reached.
    pub(super) fn exhausted(&self) -> Option<Bound> {
        let (usage, bounds) = (&self.state.usage, &self.state.settings.bounds);
        let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
        if bounds.tokens.is_some_and(|most| tokens >= most) {
            return Some(Bound::Tokens);
        }
        if bounds.cost.is_some_and(|most| usage.cost >= most) {
            return Some(Bound::Cost);
        }
        (usage.turns >= bounds.total_turns).then_some(Bound::TotalTurns)
    }

    /// Stops the session at a limit, with the best partial answer.
    pub(super) fn stop_at(&mut self, bound: Bound) {
        if self.state.outcome.is_some() {
            return;
        }
        let said = self.state.run(0).map(|run| run.said.clone());
        let partial = said.filter(|said| !said.is_empty());
        let partial = partial.unwrap_or_else(|| self.state.last_said.clone());
        self.stop(bound.reached(partial));
    }

    /// Ends a run: the first one ends the session or, without an answer, stops it; others reply to their callers.
    pub(super) fn end(&mut self, number: u32, outcome: Outcome) {
        let caller = self.state.run(number).and_then(|run| run.caller);
        let Some(caller) = caller else {
            match (&outcome, self.state.run_mut(number)) {
                // The conversation is kept: the user may send another message.
                (Outcome::Answer(text), Some(run)) => {
                    run.messages.push(Message::plain(Role::Assistant, text.clone()));
                }
                _ => self.state.queue.push(number),
            }
            return self.stop(outcome);
        };
        self.give_up_background(number);
        self.note(number, Happening::Ended(outcome.clone()));
        let name = self
            .state
            .run(number)
            .and_then(|run| run.path.last().cloned())
            .unwrap_or_default();
        let is_isolated = self.workspace(number).is_some_and(|it| it.id == number);
        if let Some(run) = self.state.runs.get_mut(number as usize) {
            *run = None;
        }
        self.forget_size(number);
        let (mut text, is_error) = self.as_result(&name, outcome);
        if is_isolated {
            text.push_str(&format!("\n\n[{name} {APART}]"));
        }
        if self.state.background.has(number, caller.run) {
            return self.answered_later(number, caller.run, text, is_error);
        }
        self.put(caller, text, is_error);
        self.advance(caller.run);
    }

    /// The outcome as the caller gets it, in the dialect's words.
    fn as_result(&self, name: &str, outcome: Outcome) -> (String, bool) {
        let delegation = &self.dialect.delegation;
        let failed = |text: &str| fill(&delegation.failed, &[("name", name), ("text", text)]);
        match outcome {
            Outcome::Answer(text) if text.trim().is_empty() => {
                (fill(&delegation.empty, &[("name", name)]), false)
            }
            Outcome::Answer(text) => (
                fill(&delegation.result, &[("name", name), ("text", &text)]),
                false,
            ),
            Outcome::Bound { bound, partial } => {
                let text = match &*partial {
                    "" => format!("the limit `{bound}` was reached before an answer"),
                    partial => format!("the limit `{bound}` was reached. Partial answer:\n{partial}"),
                };
                (failed(&text), true)
            }
            Outcome::Failed(text) => (failed(&text), true),
            Outcome::Cancelled => (failed("it was cancelled"), true),
        }
    }

    /// Stops the session in its current state, so that it can be resumed.
    pub(super) fn stop(&mut self, outcome: Outcome) {
        self.note(0, Happening::Ended(outcome.clone()));
        self.state.outcome = Some(outcome);
    }

    /// Ends the session. Only its outcome is kept.
    pub(super) fn close(&mut self, outcome: Outcome) {
        self.note(0, Happening::Ended(outcome.clone()));
        self.agents = Vec::new();
        let state = core::mem::take(&mut self.state);
        self.state.usage = state.usage;
        self.state.log = state.log;
        self.state.now = state.now;
        self.state.next_call = state.next_call;
        self.state.outcome = Some(outcome);
    }
}
