//! What happens in a run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::conversation::{CallError, ModelRequest, ToolCall};
use crate::delegation::{Event, Happening};
use crate::drive::Observer;
use crate::{Answer, Completion, Heard, Models};

/// Collects calls, tasks of called agents, and denials.
#[derive(Debug, Default)]
pub struct Observed(Mutex<Seen>);

/// What was collected.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Calls that were not denied, those of agents included.
    pub(super) calls: Vec<Call>,
    pub(super) tasks: Vec<Delegated>,
    pub(super) denials: Vec<Denied>,
}

#[derive(Clone, Debug)]
pub(super) struct Call {
    path: Vec<String>,
    id: String,
    pub(super) tool: String,
    pub(super) arguments: String,
}

impl Call {
    pub(super) fn agent(&self) -> &str {
        last(&self.path)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Delegated {
    pub(super) caller: String,
    pub(super) agent: String,
    pub(super) task: String,
}

#[derive(Clone, Debug)]
pub(super) struct Denied {
    pub(super) agent: String,
    pub(super) tool: String,
}

impl Observed {
    /// What was collected so far.
    pub fn seen(&self) -> Seen {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Observed {
    fn event(&self, event: &Event) {
        let agent = || last(&event.agent).to_owned();
        let mut seen = self.lock();
        match &event.what {
            Happening::Called(task) => {
                if let [.., caller, agent] = &*event.agent {
                    seen.tasks.push(Delegated {
                        caller: caller.clone(),
                        agent: agent.clone(),
                        task: task.clone(),
                    });
                }
            }
            Happening::Calls(call) => seen.calls.push(Call {
                path: event.agent.clone(),
                id: call.id.clone(),
                tool: call.name.clone(),
                arguments: call.arguments.clone(),
            }),
            Happening::Refused(refused) => seen.denials.push(Denied {
                agent: agent(),
                tool: refused.tool.clone(),
            }),
            _ => {}
        }
    }

    /// The component permitted the call, the host did not.
    fn denied(&self, agent: &[String], call: &ToolCall, _: &str) {
        let mut seen = self.lock();
        let is_it = |it: &Call| it.path == agent && it.id == call.id;
        if let Some(at) = seen.calls.iter().rposition(is_it) {
            seen.calls.remove(at);
        }
        seen.denials.push(Denied {
            agent: last(agent).to_owned(),
            tool: call.name.clone(),
        });
    }
}

fn last(path: &[String]) -> &str {
    path.last().map(String::as_str).unwrap_or_default()
}

/// Models, and whether the price of every answer is known.
pub struct Priced {
    inner: Arc<dyn Models>,
    is_unknown: AtomicBool,
}

impl Priced {
    /// Asks these models.
    pub fn new(inner: Arc<dyn Models>) -> Self {
        Self {
            inner,
            is_unknown: AtomicBool::new(false),
        }
    }

    /// Whether the cost of all answers so far is known.
    pub fn knows_the_cost(&self) -> bool {
        !self.is_unknown.load(Ordering::Relaxed)
    }
}

impl Models for Priced {
    fn complete<'a>(&'a self, request: &'a ModelRequest, heard: Heard<'a>) -> Answer<'a, Completion> {
        Box::pin(async move {
            let completion = self.inner.complete(request, heard).await;
            if completion.as_ref().is_ok_and(|it| it.answer.cost.is_none()) {
                self.is_unknown.store(true, Ordering::Relaxed);
            }
            completion
        })
    }

    fn check(&self, request: &ModelRequest) -> Result<(), CallError> {
        self.inner.check(request)
    }
}
