//! Tools without a user to ask.

use std::sync::Arc;

use crate::conversation::{CallError, ToolAnswer, ToolRequest, ToolSpec};
use crate::{Answer, Caller, Tools};

/// Denies every call that would need confirmation.
pub(super) struct Permitted(pub(super) Arc<dyn Tools>);

impl Tools for Permitted {
    fn specs(&self) -> Vec<ToolSpec> {
        self.0.specs()
    }

    fn call<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, ToolAnswer> {
        self.call_within(request, None)
    }

    fn call_within<'a>(
        &'a self,
        request: &'a ToolRequest,
        caller: Option<&'a Caller>,
    ) -> Answer<'a, ToolAnswer> {
        if request.permitted {
            return self.0.call_within(request, caller);
        }
        let tool = &request.call.name;
        let reason =
            format!("`{tool}` is not allowed here: the server was not started with `--allow {tool}`");
        Box::pin(async { Err(CallError::Denied(reason)) })
    }

    fn ended(&self, session: u64, run: Option<u32>) {
        self.0.ended(session, run);
    }
}
