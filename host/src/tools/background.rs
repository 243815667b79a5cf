//! Commands in the background: their agent does not wait for them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::arguments::Arguments;
use super::limits::{BACKGROUND, BACKGROUND_MS, COMMAND_MS_MOST, WAIT_MS};
use super::shell::{LINE, Printed, Processes, Running, Shell, TIMEOUT, ending, is_refused};
use crate::lent::AgentId;

/// The names of the argument that starts a command in the background, and of the one with the ID of such a command. The component has
/// the same list of the latter, for IDs of agents.
const STARTS: &[&str] = &["run_in_background", "is_background"];
const ID: &[&str] = &["task_id", "bash_id", "shell_id", "id"];

/// The answer of tools that do not know when an agent ends.
pub(super) const UNAVAILABLE: &str = "background commands are not supported here: run it and wait";

/// Whether a call starts a command in the background.
pub(super) fn is_meant(arguments: &Arguments) -> bool {
    arguments.flag(STARTS)
}

/// The commands of each agent. Dropping them ends them.
#[derive(Default)]
pub(super) struct Background(Mutex<HashMap<AgentId, Vec<Job>>>);

/// A command. Its ID is its place among those of its agent, from 1.
struct Job {
    state: State,
    processes: Processes,
    /// Ends it when dropped.
    stop: Option<oneshot::Sender<()>>,
}

#[derive(Clone)]
struct State {
    output: Printed,
    /// How it ended, once it has.
    ended: watch::Receiver<Option<String>>,
    /// The limits of its confinement.
    limits: Option<String>,
}

impl Background {
    /// Starts a command.
    pub(super) fn start(
        &self,
        shell: &Shell<'_>,
        arguments: &Arguments,
        agent: AgentId,
    ) -> Result<String, String> {
        let runtime = Handle::try_current().map_err(|_| UNAVAILABLE)?;
        let mut agents = self.agents();
        let jobs = agents.entry(agent).or_default();
        if jobs.iter().filter(|job| job.state.how().is_none()).count() >= BACKGROUND {
            return Err(format!(
                "{BACKGROUND} commands are running in the background: stop one first"
            ));
        }
        let output = Printed::default();
        let mut running = Running::start(shell, arguments.demand(LINE)?, &output)?;
        let limit = arguments.count(TIMEOUT, BACKGROUND_MS, BACKGROUND_MS);
        let processes = running.processes();
        let (stop, mut stopped) = oneshot::channel();
        let (ends, ended) = watch::channel(None);
        runtime.spawn(async move {
            let status = tokio::select! {
                status = running.wait(Duration::from_millis(limit as u64), None) => Some(status),
                _ = &mut stopped => None,
            };
            let given_up = !matches!(status, Some(Some(_)));
            running.finish(given_up).await;
            let how = status.map_or_else(|| STOPPED.to_owned(), |status| ending(status, limit));
            ends.send_replace(Some(how));
        });
        let limits = shell.limits();
        jobs.push(Job {
            state: State {
                output,
                ended,
                limits,
            },
            processes,
            stop: Some(stop),
        });
        let id = jobs.len();
        Ok(format!(
            "The command runs in the background, with the ID {id}. It ends when this agent answers."
        ))
    }

    /// What a command has printed since the last call, and whether it has ended. Waits for its end if that is wanted.
    pub(super) async fn output(
        &self,
        arguments: &Arguments,
        agent: Option<AgentId>,
    ) -> Result<String, String> {
        let mut state = self.find(arguments, agent, |job| job.state.clone())?;
        if !arguments.denies(&["block"]) {
            let limit = arguments.count(TIMEOUT, WAIT_MS, COMMAND_MS_MOST);
            // Whether it has ended is seen below.
            let _ = timeout(Duration::from_millis(limit as u64), state.end()).await;
        }
        Ok(state.told())
    }

    /// Ends a command.
    pub(super) async fn stop(&self, arguments: &Arguments, agent: Option<AgentId>) -> Result<String, String> {
        let mut state = self.find(arguments, agent, |job| {
            job.stop = None;
            job.state.clone()
        })?;
        state.end().await;
        Ok(state.told())
    }

    /// Ends the commands of an agent, or of all of a session, and returns once they have ended: afterwards, the program may end.
    pub(super) fn ended(&self, session: u64, run: Option<u32>) {
        let is_over = |agent: &AgentId| agent.session == session && run.is_none_or(|run| agent.run == run);
        let over: Vec<Job> = self
            .agents()
            .extract_if(|agent, _| is_over(agent))
            .flat_map(|(_, jobs)| jobs)
            .collect();
        let running = over.iter().filter(|job| job.state.how().is_none());
        thread::scope(|scope| {
            for job in running {
                let end = || job.processes.end_all();
                // Without room for a thread, they end one after another.
                if Builder::new().spawn_scoped(scope, end).is_err() {
                    end();
                }
            }
        });
    }

    fn find<T>(
        &self,
        arguments: &Arguments,
        agent: Option<AgentId>,
        with: impl FnOnce(&mut Job) -> T,
    ) -> Result<T, String> {
        let given = arguments.id(ID)?;
        let number = given
            .trim()
            .parse::<usize>()
            .ok()
            .and_then(|id| id.checked_sub(1));
        let mut agents = self.agents();
        let jobs = agent
            .and_then(|agent| agents.get_mut(&agent))
            .map(Vec::as_mut_slice)
            .unwrap_or_default();
        match number.and_then(|number| jobs.get_mut(number)) {
            Some(job) => Ok(with(job)),
            None => Err(format!(
                "no command with the ID `{given}` was started in the background. Commands end when the session is interrupted"
            )),
        }
    }

    /// A poisoned lock is safe: a command is added as a whole.
    fn agents(&self) -> MutexGuard<'_, HashMap<AgentId, Vec<Job>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Waits for the end.
    async fn end(&mut self) {
        // It fails if the runtime has ended, and the command with it.
        let _ = self.ended.wait_for(Option::is_some).await;
    }

    fn how(&self) -> Option<String> {
        let how = self.ended.borrow().clone();
        how.or_else(|| self.ended.has_changed().is_err().then(|| STOPPED.to_owned()))
    }

    /// What is new.
    fn told(&self) -> String {
        let (how, text) = match self.how() {
            Some(how) => (how, self.output.take()),
            None => ("Still running".to_owned(), self.output.so_far()),
        };
        let shown = if text.is_empty() { "(no new output)" } else { &text };
        match self.limits.as_ref().filter(|_| is_refused(&text)) {
            Some(limits) => format!("{how}\n{shown}\n{limits}"),
            None => format!("{how}\n{shown}"),
        }
    }
}

/// The end of a command that was stopped.
const STOPPED: &str = "Stopped";
