//! What is under way.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::task::{Id, JoinError, JoinSet};

use super::observer::Observer;
use super::saved::InFlight;
use crate::conversation::{CallError, ModelRequest, ToolRequest};
use crate::delegation::Reply;
use crate::{Models, Tools};

/// A step, and its answer.
pub(super) type Finished = (u32, Reply);

/// Models and tools at work. Dropped, it gives up what is under way.
pub(super) struct Work {
    models: Arc<dyn Models>,
    tools: Arc<dyn Tools>,
    observer: Arc<dyn Observer>,
    tasks: JoinSet<Reply>,
    steps: HashMap<Id, u32>,
    on_record: Vec<InFlight>,
}

impl Work {
    pub(super) fn new(models: Arc<dyn Models>, tools: Arc<dyn Tools>, observer: Arc<dyn Observer>) -> Self {
        Self {
            models,
            tools,
            observer,
            tasks: JoinSet::new(),
            steps: HashMap::new(),
            on_record: Vec::new(),
        }
    }

    /// Calls that must not be made twice.
    pub(super) fn in_flight(&self) -> Vec<InFlight> {
        self.on_record.clone()
    }

    pub(super) fn record(&mut self, call: InFlight) {
        self.on_record.push(call);
    }

    pub(super) fn forget(&mut self, id: u32) {
        self.on_record.retain(|call| call.id != id);
    }

    /// Asks a model. Where the run is not known, nobody hears the answer while it comes.
    pub(super) fn ask(&mut self, id: u32, run: Option<u32>, request: ModelRequest) {
        let (models, observer) = (Arc::clone(&self.models), Arc::clone(&self.observer));
        let task = self.tasks.spawn(ask(models, run, request, observer));
        self.steps.insert(task.id(), id);
    }

    pub(super) fn call(&mut self, id: u32, request: ToolRequest) {
        let (tools, observer) = (Arc::clone(&self.tools), Arc::clone(&self.observer));
        let task = self.tasks.spawn(call(tools, request, observer));
        self.steps.insert(task.id(), id);
    }

    /// The next answer; none comes while nothing is under way.
    pub(super) async fn next(&mut self) -> Finished {
        match self.tasks.join_next_with_id().await {
            Some(ended) => self.finished(ended),
            None => std::future::pending().await,
        }
    }

    /// An answer that is there already.
    pub(super) fn ready(&mut self) -> Option<Finished> {
        let ended = self.tasks.try_join_next_with_id()?;
        Some(self.finished(ended))
    }

    fn finished(&mut self, ended: Result<(Id, Reply), JoinError>) -> Finished {
        let (task, reply) = ended.unwrap_or_else(|error| {
            let reason = "its client failed; that is a bug, please report it";
            (error.id(), Reply::Failed(CallError::Other(reason.to_owned())))
        });
        let step = self.steps.remove(&task);
        (step.expect("every task has its step"), reply)
    }
}

async fn ask(
    models: Arc<dyn Models>,
    run: Option<u32>,
    request: ModelRequest,
    observer: Arc<dyn Observer>,
) -> Reply {
    let heard = |piece: &str| {
        if let Some(run) = run {
            observer.heard(run, piece);
        }
    };
    match models.complete(&request, &heard).await {
        Ok(answer) => Reply::Model(answer),
        Err(error) => Reply::Failed(error),
    }
}

async fn call(tools: Arc<dyn Tools>, request: ToolRequest, observer: Arc<dyn Observer>) -> Reply {
    let ToolRequest { agent, call, .. } = &request;
    match tools.call(&request).await {
        Ok(answer) => {
            observer.answered(agent, call, &answer);
            Reply::Tool(answer)
        }
        Err(error) => {
            if let CallError::Denied(reason) = &error {
                observer.denied(agent, call, reason);
            }
            Reply::Failed(error)
        }
    }
}
