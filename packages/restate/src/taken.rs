//! A step that is being taken, for as long as the engine waits for it.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::wire::{Answered, Step};
use crate::worker::Steps;

/// How long a canceled step may go on.
const PART: Duration = Duration::from_secs(2);

pub(crate) struct Taken {
    steps: Arc<dyn Steps>,
    step: Step,
    task: Option<JoinHandle<Result<Answered, String>>>,
}

impl Taken {
    pub(crate) fn new(steps: Arc<dyn Steps>, step: Step) -> Self {
        Self {
            steps,
            step,
            task: None,
        }
    }

    /// Takes the step, unless an earlier attempt may have done so, and waits for a part of the time. None if it is not done.
    ///
    /// Fails if it should be taken again.
    pub(crate) async fn wait(&mut self, is_first: bool) -> Result<Option<Answered>, String> {
        let task = match &mut self.task {
            Some(task) => task,
            None if !is_first => return Ok(Some(self.steps.in_doubt(&self.step))),
            none => {
                let (steps, step) = (Arc::clone(&self.steps), self.step.clone());
                none.insert(tokio::spawn(async move { steps.take(step).await }))
            }
        };
        let Ok(ended) = timeout(PART, &mut *task).await else {
            return Ok(None);
        };
        self.task = None;
        ended
            .map_err(|error| format!("the step failed: {error}"))?
            .map(Some)
    }
}

/// Without a caller, a step is stopped with its processes.
impl Drop for Taken {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}
