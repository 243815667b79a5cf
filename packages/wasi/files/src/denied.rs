//! No model and no tools: whoever has some polls the session.

use crate::Adapter;
use crate::bindings::exports::callsheet::agents::conversation::{
    CallError, ModelAnswer, ModelRequest, ToolAnswer, ToolRequest,
};
use crate::bindings::exports::callsheet::agents::{model, tools};

impl model::Guest for Adapter {
    fn complete(_: ModelRequest) -> Result<ModelAnswer, CallError> {
        Err(CallError::Denied("there is no model here".to_owned()))
    }
}

impl tools::Guest for Adapter {
    fn call(_: ToolRequest) -> Result<ToolAnswer, CallError> {
        Err(CallError::Denied("there are no tools here".to_owned()))
    }
}
