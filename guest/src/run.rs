//! Exports `run`: a session over the imported model and tools.

use callsheet_core::session::{self, CallError, Callee, ModelAnswer, ModelRequest, ToolAnswer, ToolRequest};

use crate::bindings::callsheet::agents::{model, tools};
use crate::bindings::exports::callsheet::agents::delegation::{
    CatalogBorrow, Outcome, SessionError, Settings, Task, ToolSpec,
};
use crate::bindings::exports::callsheet::agents::run::Guest;
use crate::{Component, conversation, delegation, sessions};

impl Guest for Component {
    fn run(
        from: CatalogBorrow<'_>,
        task: Task,
        tools: Vec<ToolSpec>,
        settings: Settings,
    ) -> Result<Outcome, SessionError> {
        let session = delegation::open(from, task, tools, settings)?;
        Ok(sessions::outcome(session::run(session, &mut Host)))
    }
}

/// The host's model and tools.
struct Host;

impl Callee for Host {
    fn complete(&mut self, request: ModelRequest) -> Result<ModelAnswer, CallError> {
        let answer = model::complete(&conversation::model_request(request));
        answer
            .map(conversation::model_answer)
            .map_err(conversation::call_error)
    }

    fn call(&mut self, request: ToolRequest) -> Result<ToolAnswer, CallError> {
        let answer = tools::call(&conversation::tool_request(request));
        answer
            .map(conversation::tool_answer)
            .map_err(conversation::call_error)
    }
}
