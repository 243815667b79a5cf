//! What is under way.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::task::{Id, JoinError, JoinSet};

use super::observer::Observer;
use super::saved::{Asked, InFlight, Left};
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
    /// What goes on if the session is put away.
    left: Left,
}

impl Work {
    pub(super) fn new(models: Arc<dyn Models>, tools: Arc<dyn Tools>, observer: Arc<dyn Observer>) -> Self {
        Self {
            models,
            tools,
            observer,
            tasks: JoinSet::new(),
            steps: HashMap::new(),
            left: Left::default(),
        }
    }

    /// What is under way: calls that must not be made twice, and models that are asked.
    pub(super) fn left(&self) -> Left {
        self.left.clone()
    }

    pub(super) fn record(&mut self, call: InFlight) {
        self.left.in_flight.push(call);
    }

    /// Remembers whose part a question to a model is.
    pub(super) fn asks(&mut self, asked: Asked) {
        self.left.asked.push(asked);
    }

    pub(super) fn run_of(&self, id: u32) -> Option<u32> {
        let asked = self.left.asked.iter().find(|asked| asked.id == id);
        asked.map(|asked| asked.run)
    }

    pub(super) fn forget(&mut self, id: u32) {
        self.left.in_flight.retain(|call| call.id != id);
        self.left.asked.retain(|asked| asked.id != id);
    }

    /// Asks a model. Where the run is not known, nobody hears the answer while it comes.
    pub(super) fn ask(&mut self, id: u32, request: ModelRequest) {
        let run = self.run_of(id);
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
