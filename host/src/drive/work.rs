//! Running steps.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::task::{Id, JoinError, JoinSet};

use super::about::{Asked, Left};
use super::observer::Observer;
use super::spent::usage;
use crate::conversation::{CallError, Message, ModelRequest, ToolAnswer, ToolRequest};
use crate::delegation::Reply;
use crate::output::report::AgentUsage;
use crate::{Caller, Models, Tools};

/// The result of a step.
pub(super) enum Finished {
    /// Its answer.
    Answered(u32, Reply),
    /// A model's.
    Asked(u32, Said),
    /// The user confirmed the call, which is not made yet.
    Permitted(Asked, ToolRequest),
}

/// The end of a step's task.
enum Done {
    Answered(Reply),
    Asked(Said),
    Permitted(Asked, ToolRequest),
}

/// The end of a request to a model.
pub(super) struct Said {
    pub(super) reply: Reply,
    /// The agent's number, and its conversation.
    pub(super) run: u32,
    pub(super) messages: Vec<Message>,
    /// Unless it failed.
    pub(super) used: Option<AgentUsage>,
}

/// Running models and tools. Dropping it aborts them.
pub(super) struct Work {
    models: Arc<dyn Models>,
    tools: Arc<dyn Tools>,
    observer: Arc<dyn Observer>,
    tasks: JoinSet<Done>,
    steps: HashMap<Id, u32>,
    /// The unfinished work if the session is saved.
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

    /// The unfinished work: calls that must not be repeated, and requests to models.
    pub(super) fn left(&self) -> Left {
        self.left.clone()
    }

    pub(super) fn record(&mut self, id: u32) {
        self.left.in_flight.push(id);
    }

    /// Records which agent a request belongs to.
    pub(super) fn asks(&mut self, asked: Asked) {
        self.left.asked.push(asked);
    }

    pub(super) fn has_asked(&self, id: u32) -> bool {
        self.left.asked.iter().any(|asked| asked.id == id)
    }

    pub(super) fn forget(&mut self, id: u32) {
        self.left.in_flight.retain(|call| *call != id);
        self.left.asked.retain(|asked| asked.id != id);
    }

    /// Asks a model.
    pub(super) fn ask(&mut self, Asked { id, run }: Asked, request: ModelRequest) {
        let (models, observer) = (Arc::clone(&self.models), Arc::clone(&self.observer));
        let task = self.tasks.spawn(ask(models, run, request, observer));
        self.steps.insert(task.id(), id);
    }

    /// Asks for the user's confirmation of a call.
    pub(super) fn permit(&mut self, asked: Asked, request: ToolRequest) {
        let (tools, observer) = (Arc::clone(&self.tools), Arc::clone(&self.observer));
        let task = self.tasks.spawn(permit(tools, asked, request, observer));
        self.steps.insert(task.id(), asked.id);
    }

    /// Aborts unfinished work, and returns once it has ended.
    pub(super) async fn give_up(&mut self) {
        self.tasks.shutdown().await;
    }

    pub(super) fn call(&mut self, id: u32, request: ToolRequest, caller: Caller) {
        let (tools, observer) = (Arc::clone(&self.tools), Arc::clone(&self.observer));
        let task = self.tasks.spawn(call(tools, request, caller, observer));
        self.steps.insert(task.id(), id);
    }

    /// An agent has ended.
    pub(super) fn ended(&self, run: u32) {
        self.tools.ended(run);
    }

    /// The next answer; pending while nothing is running.
    pub(super) async fn next(&mut self) -> Finished {
        match self.tasks.join_next_with_id().await {
            Some(ended) => self.finished(ended),
            None => std::future::pending().await,
        }
    }

    /// An answer that is ready.
    pub(super) fn ready(&mut self) -> Option<Finished> {
        let ended = self.tasks.try_join_next_with_id()?;
        Some(self.finished(ended))
    }

    fn finished(&mut self, ended: Result<(Id, Done), JoinError>) -> Finished {
        let (task, done) = ended.unwrap_or_else(|error| {
            let reason = "its client failed; that is a bug, please report it";
            let reply = Reply::Failed(CallError::Other(reason.to_owned()));
            (error.id(), Done::Answered(reply))
        });
        let step = self.steps.remove(&task).expect("every task has its step");
        match done {
            Done::Answered(reply) => Finished::Answered(step, reply),
            Done::Asked(said) => Finished::Asked(step, said),
            Done::Permitted(asked, request) => Finished::Permitted(asked, request),
        }
    }
}

async fn ask(models: Arc<dyn Models>, run: u32, request: ModelRequest, observer: Arc<dyn Observer>) -> Done {
    let heard = |piece: &str| observer.heard(run, piece);
    let answered = models.complete(&request, &heard).await;
    let used = answered.as_ref().ok().map(|it| usage(&request.agent, it));
    let reply = answered.map_or_else(Reply::Failed, |it| Reply::Model(it.answer));
    Done::Asked(Said {
        reply,
        run,
        messages: request.messages,
        used,
    })
}

async fn permit(
    tools: Arc<dyn Tools>,
    asked: Asked,
    request: ToolRequest,
    observer: Arc<dyn Observer>,
) -> Done {
    match tools.permit(&request).await.transpose() {
        None => Done::Permitted(asked, request),
        Some(known) => Done::Answered(told(&request, known, &*observer)),
    }
}

async fn call(
    tools: Arc<dyn Tools>,
    request: ToolRequest,
    caller: Caller,
    observer: Arc<dyn Observer>,
) -> Done {
    let answered = tools.call_within(&request, Some(&caller)).await;
    Done::Answered(told(&request, answered, &*observer))
}

/// Reports the outcome of a call.
fn told(request: &ToolRequest, answered: Result<ToolAnswer, CallError>, observer: &dyn Observer) -> Reply {
    let ToolRequest { agent, call, .. } = request;
    match answered {
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
