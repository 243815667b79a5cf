//! Denies models and tools; hosts that have them use sessions.

use crate::Adapter;
use crate::bindings::exports::callsheet::agents::conversation::{
    CallError, ModelAnswer, ModelRequest, ToolAnswer, ToolRequest,
};
use crate::bindings::exports::callsheet::agents::{model, tools};

impl model::Guest for Adapter {
    fn complete(_: ModelRequest) -> Result<ModelAnswer, CallError> {
        Err(CallError::Denied("no model available".to_owned()))
    }
}

impl tools::Guest for Adapter {
    fn call(_: ToolRequest) -> Result<ToolAnswer, CallError> {
        Err(CallError::Denied("no tools available".to_owned()))
    }
}
