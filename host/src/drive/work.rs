//! Running steps.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::task::{AbortHandle, Id, JoinError, JoinSet};

use super::about::{Asked, Left};
use super::observer::Observer;
use super::spent::usage;
use crate::conversation::{CallError, Message, ModelRequest, ToolAnswer, ToolRequest};
use crate::delegation::{Reach, Reply};
use crate::output::report::AgentUsage;
use crate::{AgentId, Caller, Models, Say, Tools};

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
    /// A number for the tools, which may serve several sessions.
    session: u64,
    models: Arc<dyn Models>,
    tools: Arc<dyn Tools>,
    observer: Arc<dyn Observer>,
    tasks: JoinSet<Done>,
    steps: HashMap<Id, Running>,
    /// The unfinished work if the session is saved.
    left: Left,
}

/// A task of a step.
struct Running {
    asked: Asked,
    task: AbortHandle,
}

impl Work {
    pub(super) fn new(models: Arc<dyn Models>, tools: Arc<dyn Tools>, observer: Arc<dyn Observer>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self {
            session: NEXT.fetch_add(1, Ordering::Relaxed),
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

    fn start(&mut self, asked: Asked, step: impl Future<Output = Done> + Send + 'static) {
        let task = self.tasks.spawn(step);
        self.steps.insert(task.id(), Running { asked, task });
    }

    /// Asks a model.
    pub(super) fn ask(&mut self, asked: Asked, request: ModelRequest) {
        let (models, observer) = (Arc::clone(&self.models), Arc::clone(&self.observer));
        self.start(asked, ask(models, asked.run, request, observer));
    }

    /// Asks for the user's confirmation of a call.
    pub(super) fn permit(&mut self, asked: Asked, request: ToolRequest) {
        let (tools, observer) = (Arc::clone(&self.tools), Arc::clone(&self.observer));
        self.start(asked, permit(tools, asked, request, observer));
    }

    /// Aborts unfinished work, and returns once it has ended.
    pub(super) async fn give_up(&mut self) {
        self.tasks.shutdown().await;
    }

    pub(super) fn call(&mut self, asked: Asked, request: ToolRequest, reach: Option<Reach>) {
        let (tools, observer) = (Arc::clone(&self.tools), Arc::clone(&self.observer));
        let agent = Some(AgentId {
            session: self.session,
            run: asked.run,
        });
        let printed = printed(&request, &observer);
        let caller = Caller {
            agent,
            reach,
            printed: Some(printed),
        };
        self.start(asked, call(tools, request, caller, observer));
    }

    /// Aborts what is left of an agent that has ended: another one may have stopped it.
    pub(super) fn ended(&mut self, run: u32) {
        // The first agent may have stopped at a limit: its calls are then in doubt.
        let is_over = |running: &Running| running.asked.run == run && run != 0;
        let left = self.steps.extract_if(|_, running| is_over(running));
        let left: Vec<Running> = left.map(|(_, running)| running).collect();
        for Running { asked, task } in left {
            task.abort();
            self.forget(asked.id);
        }
        self.tools.ended(self.session, Some(run));
    }

    /// The next answer; pending while nothing is running.
    pub(super) async fn next(&mut self) -> Finished {
        while let Some(ended) = self.tasks.join_next_with_id().await {
            if let Some(finished) = self.finished(ended) {
                return finished;
            }
        }
        std::future::pending().await
    }

    /// An answer that is ready.
    pub(super) fn ready(&mut self) -> Option<Finished> {
        loop {
            let ended = self.tasks.try_join_next_with_id()?;
            if let Some(finished) = self.finished(ended) {
                return Some(finished);
            }
        }
    }

    /// None if its agent has ended.
    fn finished(&mut self, ended: Result<(Id, Done), JoinError>) -> Option<Finished> {
        let (task, done) = ended.unwrap_or_else(|error| {
            let reason = "its client failed; that is a bug, please report it";
            let reply = Reply::Failed(CallError::Other(reason.to_owned()));
            (error.id(), Done::Answered(reply))
        });
        let step = self.steps.remove(&task)?.asked.id;
        Some(match done {
            Done::Answered(reply) => Finished::Answered(step, reply),
            Done::Asked(said) => Finished::Asked(step, said),
            Done::Permitted(asked, request) => Finished::Permitted(asked, request),
        })
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.tools.ended(self.session, None);
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

/// Reports what the command of a call prints.
fn printed(request: &ToolRequest, observer: &Arc<dyn Observer>) -> Say {
    let (agent, call) = (request.agent.clone(), request.call.clone());
    let observer = Arc::clone(observer);
    Arc::new(move |text| observer.printed(&agent, &call, text))
}

async fn call(
    tools: Arc<dyn Tools>,
    request: ToolRequest,
    caller: Caller,
    observer: Arc<dyn Observer>,
) -> Done {
    let answered = tools.call(&request, &caller).await;
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
