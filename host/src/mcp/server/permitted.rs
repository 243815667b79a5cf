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

    fn inner(&self) -> Option<&dyn Tools> {
        Some(&*self.0)
    }

    /// Before the call is recorded as one that may have been made.
    fn permit<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, Option<ToolAnswer>> {
        Box::pin(ready(denied(request).map_or(Ok(None), Err)))
    }

    fn call<'a>(&'a self, request: &'a ToolRequest, caller: &'a Caller) -> Answer<'a, ToolAnswer> {
        match denied(request) {
            Some(error) => Box::pin(ready(Err(error))),
            None => self.0.call(request, caller),
        }
    }
}
