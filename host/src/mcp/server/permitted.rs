//! Tools without a user to ask.

use std::future::ready;
use std::sync::Arc;

use crate::conversation::{CallError, ToolAnswer, ToolRequest, ToolSpec};
use crate::{Answer, Caller, Tools};

/// Denies every call that would need confirmation.
pub(super) struct Permitted(pub(super) Arc<dyn Tools>);

fn denied(request: &ToolRequest) -> Option<CallError> {
    let tool = &request.call.name;
    let reason = format!("`{tool}` is not allowed here: the server was not started with `--allow {tool}`");
    (!request.permitted).then_some(CallError::Denied(reason))
}

impl Tools for Permitted {
    fn specs(&self) -> Vec<ToolSpec> {
        self.0.specs()
    }

    /// Before the call is recorded as one that may have been made.
    fn permit<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, Option<ToolAnswer>> {
        Box::pin(ready(denied(request).map_or(Ok(None), Err)))
    }

    fn call<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, ToolAnswer> {
        self.call_within(request, None)
    }

    fn call_within<'a>(
        &'a self,
        request: &'a ToolRequest,
        caller: Option<&'a Caller>,
    ) -> Answer<'a, ToolAnswer> {
        match denied(request) {
            Some(error) => Box::pin(ready(Err(error))),
            None => self.0.call_within(request, caller),
        }
    }

    fn ended(&self, session: u64, run: Option<u32>) {
        self.0.ended(session, run);
    }
}
