//! Steps of sessions, taken with the models and tools of this machine.

use std::sync::Arc;

use callsheet::conversation::{CallError, ModelRequest, ToolAnswer, ToolRequest};
use callsheet::delegation::{Reply, Step};
use callsheet::{Caller, Models, Tools, drive};
use callsheet_restate::{self as restate, Answer, Answered, Note, Steps};
use tokio::sync::mpsc::UnboundedSender;

use super::desk::Ask;
use super::turns::ask;

pub(super) struct Hands {
    desk: UnboundedSender<Ask>,
    project: String,
    /// For sessions without and with a limited cost.
    models: [Arc<dyn Models>; 2],
}

impl Hands {
    pub(super) fn new(desk: UnboundedSender<Ask>, project: String, models: [Arc<dyn Models>; 2]) -> Self {
        Self {
            desk,
            project,
            models,
        }
    }

    async fn ask(&self, request: &ModelRequest, priced: bool) -> Result<Answered, String> {
        match self.models[usize::from(priced)].complete(request, &|_| {}).await {
            Ok(completion) => {
                let used = drive::usage(&request.agent, &completion);
                Ok(Answered {
                    notes: vec![Note::Spent(
                        serde_json::to_value(used).map_err(|error| error.to_string())?,
                    )],
                    reply: Reply::Model(completion.answer),
                })
            }
            Err(CallError::Unavailable(reason)) => Err(reason),
            Err(error) => Ok(Answered {
                reply: Reply::Failed(error),
                notes: Vec::new(),
            }),
        }
    }

    async fn tools(&self, step: &restate::Step) -> Result<Arc<dyn Tools>, String> {
        if step.project != self.project {
            return Err(format!(
                "the session is about {}, but this worker has {}",
                step.project, self.project
            ));
        }
        let tools = ask(&self.desk, |to| Ask::Tools(step.dialect.clone(), to)).await;
        tools.map_err(|refused| refused.message)
    }
}

async fn made(
    tools: &dyn Tools,
    step: &restate::Step,
    request: &ToolRequest,
) -> Result<ToolAnswer, CallError> {
    if !request.permitted
        && let Some(known) = tools.permit(request).await?
    {
        return Ok(known);
    }
    // The next step may be made by another worker.
    let caller = Caller {
        agent: None,
        reach: step.reach.clone(),
        printed: None,
    };
    tools.call(request, &caller).await
}

fn told(request: &ToolRequest, answered: Result<ToolAnswer, CallError>) -> Answered {
    let ToolRequest { agent, call, .. } = request.clone();
    match answered {
        Ok(answer) => Answered {
            reply: Reply::Tool(answer.clone()),
            notes: vec![Note::Answered(agent, call, answer)],
        },
        Err(error) => Answered {
            notes: match &error {
                CallError::Denied(reason) => vec![Note::Denied(agent, call, reason.clone())],
                _ => Vec::new(),
            },
            reply: Reply::Failed(error),
        },
    }
}

impl Steps for Hands {
    fn ready<'a>(&'a self, step: &'a restate::Step) -> Answer<'a, Result<(), String>> {
        Box::pin(async move {
            match &step.step {
                Step::AskModel(_) => Ok(()),
                Step::CallTool(_) => self.tools(step).await.map(drop),
            }
        })
    }

    fn take(&self, step: restate::Step) -> Answer<'_, Result<Answered, String>> {
        Box::pin(async move {
            match &step.step {
                Step::AskModel(request) => self.ask(request, step.priced).await,
                Step::CallTool(request) => {
                    let tools = self.tools(&step).await?;
                    Ok(told(request, made(&*tools, &step, request).await))
                }
            }
        })
    }

    fn in_doubt(&self, step: &restate::Step) -> Answered {
        let notes = match &step.step {
            Step::AskModel(_) => Vec::new(),
            Step::CallTool(request) => {
                vec![Note::InDoubt(
                    step.id,
                    request.agent.clone(),
                    request.call.clone(),
                )]
            }
        };
        Answered {
            reply: Reply::Tool(ToolAnswer {
                text: drive::IN_DOUBT.to_owned(),
                is_error: true,
            }),
            notes,
        }
    }
}
