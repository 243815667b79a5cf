//! What a host lends the component besides files: models and tools.

use std::pin::Pin;
use std::sync::Arc;

use wasmtime::StoreLimits;

use crate::conversation::{CallError, ModelAnswer, ModelRequest, ToolAnswer, ToolRequest, ToolSpec};
use crate::delegation::Reach;
use crate::files::Files;

/// An answer that is on its way.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, CallError>> + Send + 'a>>;

/// Hears an answer while it comes, piece by piece.
pub type Heard<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// Tells the user something that no answer holds.
pub type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// Completes requests to models. Dropping an answer gives the request up.
pub trait Models: Send + Sync {
    /// Completes one request.
    fn complete<'a>(&'a self, request: &'a ModelRequest, heard: Heard<'a>) -> Answer<'a, ModelAnswer>;

    /// Fails with what completing the request would fail with, as far as that is known without asking anybody.
    fn check(&self, _request: &ModelRequest) -> Result<(), CallError> {
        Ok(())
    }
}

/// Calls tools. Dropping an answer gives the call up, and ends what it started.
pub trait Tools: Send + Sync {
    /// What there is.
    fn specs(&self) -> Vec<ToolSpec>;

    /// Sees to it that the user permits a call, before it is on record as made. Gives the answer where it is known already.
    fn permit<'a>(&'a self, _request: &'a ToolRequest) -> Answer<'a, Option<ToolAnswer>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Calls one tool. A tool's own failure is an answer.
    fn call<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, ToolAnswer>;

    /// The same, and a command that it runs is confined to a reach, where that can be done.
    fn call_within<'a>(
        &'a self,
        request: &'a ToolRequest,
        _reach: Option<&'a Reach>,
    ) -> Answer<'a, ToolAnswer> {
        self.call(request)
    }

    /// What a call would do, for whoever is asked whether it may: a command, or a difference in unified form. None if the
    /// arguments say it best. Fails with the reason why the call would fail.
    fn preview(&self, _request: &ToolRequest) -> Option<Result<String, String>> {
        None
    }
}

/// What an instance of the component was lent.
#[derive(Clone, Default)]
pub(crate) struct Lent {
    pub(crate) models: Option<Arc<dyn Models>>,
    pub(crate) tools: Option<Arc<dyn Tools>>,
}

impl crate::bindings::callsheet::agents::model::Host for Lent {
    fn complete(&mut self, request: ModelRequest) -> Result<ModelAnswer, CallError> {
        match &self.models {
            Some(models) => futures_executor::block_on(models.complete(&request, &|_| {})),
            None => Err(CallError::Denied("this host lends no model".into())),
        }
    }
}

impl crate::bindings::callsheet::agents::tools::Host for Lent {
    fn call(&mut self, request: ToolRequest) -> Result<ToolAnswer, CallError> {
        match &self.tools {
            Some(tools) => futures_executor::block_on(tools.call(&request)),
            None => Err(CallError::Denied("this host lends no tools".into())),
        }
    }
}

/// What the host keeps for an instance.
pub(crate) struct State {
    pub(crate) files: Files,
    pub(crate) lent: Lent,
    pub(crate) limits: StoreLimits,
}
