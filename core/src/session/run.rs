//! Runs a whole session, for hosts that prefer callbacks.

use super::conversation::{CallError, ModelAnswer, ModelRequest, ToolAnswer, ToolRequest};
use super::event::Outcome;
use super::{Reply, Session, Step};

/// The host's side.
pub trait Callee {
    /// Completes a request.
    fn complete(&mut self, request: ModelRequest) -> Result<ModelAnswer, CallError>;
    /// Calls a tool.
    fn call(&mut self, request: ToolRequest) -> Result<ToolAnswer, CallError>;
}

/// Runs a session to its end, one step after the other, without a clock.
pub fn run(mut session: Session, callee: &mut impl Callee) -> Outcome {
    let mut from = 0;
    loop {
        if let Some(outcome) = session.outcome() {
            return outcome.clone();
        }
        let steps = session.poll(0, from);
        if steps.is_empty() {
            session.cancel();
        }
        for step in steps {
            from = step.id.saturating_add(1);
            let reply = match step.step {
                Step::AskModel(request) => callee.complete(request).map(Reply::Model),
                Step::CallTool(request) => callee.call(request).map(Reply::Tool),
            };
            // A reply is only refused after the end, which an earlier one of these may be.
            if session
                .reply(step.id, reply.unwrap_or_else(Reply::Failed), 0)
                .is_err()
            {
                break;
            }
        }
    }
}
