//! Several sets of tools as one.

use std::sync::Arc;

use crate::conversation::{CallError, ToolAnswer, ToolRequest, ToolSpec};
use crate::lent::{Answer, Caller, FileChange, Tools};

/// Several sets of tools as one. Of equal names, the first wins.
pub struct Joined(Vec<Arc<dyn Tools>>);

impl Joined {
    /// Joins them.
    pub fn new(sets: Vec<Arc<dyn Tools>>) -> Self {
        Self(sets)
    }

    fn owner(&self, name: &str) -> Option<&dyn Tools> {
        let mut sets = self.0.iter().map(|set| &**set);
        sets.find(|set| set.specs().iter().any(|spec| spec.name == name))
    }
}

impl Tools for Joined {
    fn specs(&self) -> Vec<ToolSpec> {
        let mut all: Vec<ToolSpec> = Vec::new();
        for spec in self.0.iter().flat_map(|set| set.specs()) {
            if !all.iter().any(|known| known.name == spec.name) {
                all.push(spec);
            }
        }
        all
    }

    fn ready<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, ()> {
        match self.owner(&request.call.name) {
            Some(tools) => tools.ready(request),
            None => Box::pin(std::future::ready(Ok(()))),
        }
    }

    fn permit<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, Option<ToolAnswer>> {
        match self.owner(&request.call.name) {
            Some(tools) => tools.permit(request),
            None => Box::pin(std::future::ready(Ok(None))),
        }
    }

    fn call<'a>(&'a self, request: &'a ToolRequest, caller: &'a Caller) -> Answer<'a, ToolAnswer> {
        match self.owner(&request.call.name) {
            Some(tools) => tools.call(request, caller),
            None => {
                let error = CallError::Other(format!("unknown tool `{}`", request.call.name));
                Box::pin(std::future::ready(Err(error)))
            }
        }
    }

    fn ended(&self, session: u64, run: Option<u32>) {
        self.0.iter().for_each(|set| set.ended(session, run));
    }

    fn preview(&self, request: &ToolRequest) -> Option<Result<String, String>> {
        self.owner(&request.call.name)?.preview(request)
    }

    fn change(&self, request: &ToolRequest) -> Option<FileChange> {
        self.owner(&request.call.name)?.change(request)
    }
}
