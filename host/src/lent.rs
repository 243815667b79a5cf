//! The host's models and tools for the component.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use wasmtime::StoreLimits;

use crate::conversation::{CallError, ModelAnswer, ModelRequest, ToolAnswer, ToolRequest, ToolSpec};
use crate::delegation::Reach;
use crate::files::Files;

/// A pending answer.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, CallError>> + Send + 'a>>;

/// Receives an answer piece by piece.
pub type Heard<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// Reports something to the user outside of answers.
pub type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// A model's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// The answer for the session.
    pub answer: ModelAnswer,
    /// How the provider's cache was used.
    pub cached: Cached,
}

/// Parts of an answer's `input_tokens`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cached {
    /// Tokens read from the provider's cache.
    pub read: u32,
    /// Tokens written to it.
    pub written: u32,
}

impl From<ModelAnswer> for Completion {
    fn from(answer: ModelAnswer) -> Self {
        let cached = Cached::default();
        Self { answer, cached }
    }
}

/// Completes requests to models. Dropping an answer aborts the request.
pub trait Models: Send + Sync {
    /// Completes one request.
    fn complete<'a>(&'a self, request: &'a ModelRequest, heard: Heard<'a>) -> Answer<'a, Completion>;

    /// Fails like the request would, as far as that is known without a request.
    fn check(&self, _request: &ModelRequest) -> Result<(), CallError> {
        Ok(())
    }
}

/// Calls tools. Dropping an answer aborts the call and its processes.
pub trait Tools: Send + Sync {
    /// The tools.
    fn specs(&self) -> Vec<ToolSpec>;

    /// The tools that these wrap: what is not implemented here is theirs.
    fn inner(&self) -> Option<&dyn Tools> {
        None
    }

    /// Makes what a call needs before it can be previewed, such as the workspace of its agent.
    fn ready<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, ()> {
        match self.inner() {
            Some(inner) => inner.ready(request),
            None => Box::pin(std::future::ready(Ok(()))),
        }
    }

    /// Asks for the user's confirmation of a call, before it is recorded as made. Returns the answer if it is already known.
    fn permit<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, Option<ToolAnswer>> {
        match self.inner() {
            Some(inner) => inner.permit(request),
            None => Box::pin(std::future::ready(Ok(None))),
        }
    }

    /// Calls one tool. A tool's own failure is an answer.
    fn call<'a>(&'a self, request: &'a ToolRequest, caller: &'a Caller) -> Answer<'a, ToolAnswer>;

    /// An agent has ended, or without a number every one of the session: so does what their calls left running.
    fn ended(&self, session: u64, run: Option<u32>) {
        if let Some(inner) = self.inner() {
            inner.ended(session, run);
        }
    }

    /// A preview of a call for the user's confirmation: a command, or a unified diff. None if the arguments show it best. Fails with the reason
    /// why the call would fail.
    fn preview(&self, request: &ToolRequest) -> Option<Result<String, String>> {
        self.inner()?.preview(request)
    }

    /// The file that a call would change, before and after. None if it would change none, or not one of text.
    fn change(&self, request: &ToolRequest) -> Option<FileChange> {
        self.inner()?.change(request)
    }
}

/// An agent of a running session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AgentId {
    /// The session, unique in this process.
    pub session: u64,
    /// The agent's number, as in its events.
    pub run: u32,
}

/// The agent of a call, or nothing about it.
#[derive(Clone, Default)]
pub struct Caller {
    /// None if its end is not told: then nothing can be left running for it.
    pub agent: Option<AgentId>,
    /// What its command is confined to, if that is possible.
    pub reach: Option<Reach>,
    /// Receives all that a running command has printed so far, from time to time.
    pub printed: Option<Say>,
}

/// A text file before and after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Its path, absolute.
    pub path: PathBuf,
    /// None if it does not exist yet.
    pub before: Option<String>,
    /// Its text afterwards.
    pub after: String,
}

/// The models and tools of an instance of the component.
#[derive(Clone, Default)]
pub(crate) struct Lent {
    pub(crate) models: Option<Arc<dyn Models>>,
    pub(crate) tools: Option<Arc<dyn Tools>>,
}

impl crate::bindings::callsheet::agents::model::Host for Lent {
    fn complete(&mut self, request: ModelRequest) -> Result<ModelAnswer, CallError> {
        match &self.models {
            Some(models) => {
                futures_executor::block_on(models.complete(&request, &|_| {})).map(|it| it.answer)
            }
            None => Err(CallError::Denied("this host provides no model".into())),
        }
    }
}

impl crate::bindings::callsheet::agents::tools::Host for Lent {
    fn call(&mut self, request: ToolRequest) -> Result<ToolAnswer, CallError> {
        match &self.tools {
            Some(tools) => futures_executor::block_on(tools.call(&request, &Caller::default())),
            None => Err(CallError::Denied("this host provides no tools".into())),
        }
    }
}

/// The host's data of an instance.
pub(crate) struct State {
    pub(crate) files: Files,
    pub(crate) lent: Lent,
    pub(crate) limits: StoreLimits,
}
