//! One delegation and all that it spawns, as a state machine without I/O.
//!
//! [`Session::poll`] returns all steps that may happen now, [`Session::reply`] takes one answer, in any order. Calls that an agent may
//! not make are answered here: the host never sees them.

mod background;
mod context;
mod conversation;
mod delegate;
mod ending;
mod event;
mod going_on;
mod models;
mod offers;
mod permitted;
mod prompts;
mod room;
mod run;
mod send;
mod settings;
mod skills;
mod snapshot;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod turn;
mod workspaces;

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

pub use conversation::{
    CallError, Message, ModelAnswer, ModelRequest, Role, ToolAnswer, ToolCall, ToolRequest, ToolSpec,
    Workspace,
};
pub use event::{Event, Happening, Outcome, Usage};
pub use run::{Callee, run};
pub use settings::{
    Alias, Bounds, Isolation, ModelChoice, PermissionMode, Repository, Settings, Surroundings, Task,
    Workspaces,
};

use crate::catalog::Catalog;
use crate::definition::Definition;
use crate::dialect::Dialect;
use context::Context;
use event::Bound;
use state::{Caller, State};

/// A step that may happen now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Ask a model.
    AskModel(ModelRequest),
    /// Call a tool.
    CallTool(ToolRequest),
}

/// A step with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outstanding {
    /// Its number.
    pub id: u32,
    /// The agent's number, as in its events.
    pub run: u32,
    /// The step.
    pub step: Step,
}

/// The answer to a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A model's.
    Model(ModelAnswer),
    /// A tool's.
    Tool(ToolAnswer),
    /// Neither: it failed.
    Failed(CallError),
}

/// Why a call was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionError {
    /// The agent is unknown or not active.
    UnknownAgent {
        /// The name.
        name: String,
        /// The closest known name, if one is close.
        nearest: Option<String>,
    },
    /// The step is not outstanding.
    NotOutstanding(u32),
    /// A model's answer for a tool's step, or the other way round.
    UnfitReply(u32),
    /// The bytes are not a snapshot of this version.
    BadSnapshot,
    /// The session has ended.
    Finished,
    /// There is no answer yet.
    Unfinished,
}

/// A running delegation. It keeps the definitions it started with.
#[derive(Clone, Debug)]
pub struct Session {
    dialect: Rc<Dialect>,
    agents: Vec<Rc<Definition>>,
    state: State,
}

impl Session {
    /// Starts a session. `tools` are the host's tools. Fails if the agent is not active.
    pub fn open(
        catalog: &mut Catalog,
        task: &Task,
        tools: Vec<ToolSpec>,
        settings: Settings,
    ) -> Result<Self, SessionError> {
        Self::start(catalog, task, tools, settings, Rc::clone)
    }

    /// The same, but the first agent has no instructions of its own.
    pub fn open_baseline(
        catalog: &mut Catalog,
        task: &Task,
        tools: Vec<ToolSpec>,
        settings: Settings,
    ) -> Result<Self, SessionError> {
        let change = |own: &Rc<Definition>| Rc::new(own.without_instructions());
        Self::start(catalog, task, tools, settings, change)
    }

    fn start(
        catalog: &mut Catalog,
        task: &Task,
        tools: Vec<ToolSpec>,
        mut settings: Settings,
        change: fn(&Rc<Definition>) -> Rc<Definition>,
    ) -> Result<Self, SessionError> {
        let names = catalog.names();
        let mut agents: Vec<Rc<Definition>> = names
            .iter()
            .filter_map(|name| Some(catalog.get(name)?.0))
            .collect();
        // What agents are told besides is up to the host.
        if let Some(surroundings) = &settings.surroundings {
            let personal = surroundings.personal;
            let remembers = |agent| catalog.with_memory(agent, personal);
            agents = agents.into_iter().map(remembers).collect();
        }
        let meant = catalog.get(&task.agent).map(|(agent, _)| agent.name.clone());
        let first = agents
            .iter_mut()
            .zip(0..)
            .find(|(agent, _)| Some(&agent.name) == meant.as_ref());
        let Some((definition, first)) = first else {
            let nearest = crate::closest::closest(&task.agent, names.iter().map(String::as_str));
            return Err(SessionError::UnknownAgent {
                name: task.agent.clone(),
                nearest: nearest.map(Into::into),
            });
        };
        *definition = change(definition);
        let skills = catalog.skills_to_load();
        let (mut context, mut left_out) = (Context::default(), Vec::new());
        if let Some(surroundings) = settings.surroundings.take() {
            let instructions = catalog.instructions(surroundings.personal);
            let tells_repository = catalog.dialect().context.repository;
            context = Context::new(surroundings, &instructions.text, tells_repository);
            left_out = instructions.ignored;
        }
        let mut session = Self {
            dialect: Rc::clone(catalog.dialect()),
            agents,
            state: State {
                settings,
                tools,
                skills,
                context,
                reserved: catalog.reserved().clone(),
                ..State::default()
            },
        };
        session.begin(first, None, &task.prompt, task.model.as_deref());
        session.forget_unreachable();
        session.forget_unneeded_skills();
        session.forget_unneeded_isolation();
        session.note_missing_skills();
        session.note_ignored(0, left_out);
        session.ask(0);
        Ok(session)
    }

    /// All outstanding steps at `now`, in nanoseconds of the host's clock, from number `from`, in order. Polling again returns the same.
    pub fn poll(&mut self, now: u64, from: u32) -> Vec<Outstanding> {
        let mut steps = self.poll_brief(now, from);
        for step in &mut steps {
            if let Step::AskModel(request) = &mut step.step {
                let waiting = self.state.outstanding.iter().find(|it| it.id == step.id);
                request.messages = waiting.map_or_else(Vec::new, |it| self.messages(it.run, 0));
            }
        }
        steps
    }

    /// The same, but requests to models have no messages.
    pub fn poll_brief(&mut self, now: u64, from: u32) -> Vec<Outstanding> {
        self.tell(now);
        if self.state.outcome.is_some() {
            return Vec::new();
        }
        let outstanding = self.state.outstanding.iter().filter(|it| it.id >= from);
        outstanding
            .filter_map(|it| {
                let step = self.step(it)?;
                Some(Outstanding {
                    id: it.id,
                    run: it.run,
                    step,
                })
            })
            .collect()
    }

    /// The messages of an agent from this one on, counted from 0, as its model gets them.
    pub fn messages(&self, run: u32, from: u32) -> Vec<Message> {
        let number = run;
        let Some(run) = self.state.run(number) else {
            return Vec::new();
        };
        let system = self.system(number, run);
        let system = (!system.is_empty()).then(|| Message::plain(Role::System, system.into_owned()));
        let skipped = (from as usize).saturating_sub(usize::from(system.is_some()));
        let system = system.filter(|_| from == 0).into_iter();
        system.chain(run.messages.iter().skip(skipped).cloned()).collect()
    }

    /// Answers one step. The next `poll` returns the steps that this makes possible.
    pub fn reply(&mut self, id: u32, reply: Reply, now: u64) -> Result<(), SessionError> {
        self.tell(now);
        if self.state.outcome.is_some() {
            return Err(SessionError::Finished);
        }
        let outstanding = &self.state.outstanding;
        let Ok(at) = outstanding.binary_search_by_key(&id, |it| it.id) else {
            return Err(SessionError::NotOutstanding(id));
        };
        let waiting = outstanding[at];
        match (waiting.slot, &reply) {
            (None, Reply::Tool(_)) | (Some(_), Reply::Model(_)) => return Err(SessionError::UnfitReply(id)),
            _ => drop(self.state.outstanding.remove(at)),
        }
        let run = waiting.run;
        match (waiting.slot, reply) {
            (Some(slot), Reply::Tool(answer)) => {
                self.put(Caller { run, slot }, answer.text, answer.is_error);
                self.advance(run);
            }
            (Some(slot), Reply::Failed(error)) => {
                let text = alloc::format!("the tool could not be called: {}", error.words());
                self.put(Caller { run, slot }, text, true);
                self.advance(run);
            }
            (None, Reply::Model(answer)) => self.model_answered(run, answer),
            (None, Reply::Failed(CallError::TooLong(_))) if self.can_shorten(run) => self.ask(run),
            (None, Reply::Failed(error)) => {
                let text = alloc::format!("the model request failed: {}", error.words());
                self.unanswered(waiting, Outcome::Failed(text));
            }
            // Refused above.
            (None, Reply::Tool(_)) | (Some(_), Reply::Model(_)) => {}
        }
        self.start_waiting();
        Ok(())
    }

    /// The first agent's model is asked again when the session is resumed; other agents reply to their callers.
    fn unanswered(&mut self, waiting: state::Outstanding, failed: Outcome) {
        let is_first = self
            .state
            .run(waiting.run)
            .is_some_and(|run| run.caller.is_none());
        if is_first {
            self.state.outstanding.push(waiting);
            self.state.outstanding.sort_by_key(|it| it.id);
            self.stop(failed);
        } else {
            self.end(waiting.run, failed);
        }
    }

    /// Ends the session.
    pub fn cancel(&mut self) {
        if self.state.outcome.is_none() {
            self.close(Outcome::Cancelled);
        }
    }

    /// How it ended; none while it runs.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.state.outcome.as_ref()
    }

    /// Its usage so far.
    pub fn usage(&self) -> Usage {
        self.state.usage
    }

    /// The events since the last call.
    pub fn events(&mut self) -> Vec<Event> {
        self.state.log.take()
    }

    /// Updates the clock.
    fn tell(&mut self, now: u64) {
        self.state.now = self.state.now.max(now);
        let over = self.state.settings.bounds.deadline.is_some_and(|end| now >= end);
        if over && self.state.outcome.is_none() {
            self.stop_at(Bound::Deadline);
        }
    }

    fn step(&self, waiting: &state::Outstanding) -> Option<Step> {
        let run = self.state.run(waiting.run)?;
        let agent = run.path.clone();
        if let Some(slot) = waiting.slot {
            let call = run.slots.get(slot as usize)?.call.clone();
            let permitted = self.permitted(waiting.run, &call);
            return Some(Step::CallTool(ToolRequest {
                agent,
                call,
                permitted,
                workspace: self.workspace(waiting.run),
            }));
        }
        Some(Step::AskModel(ModelRequest {
            agent,
            provider: run.model.provider.clone(),
            model: run.model.model.clone(),
            messages: Vec::new(),
            changed_from: self.changed_from(waiting.run),
            tools: self.offers(waiting.run),
            max_tokens: run.model.max_tokens,
            effort: run.model.effort.clone(),
            thinking_budget: run.model.thinking_budget,
            endpoint: run.model.endpoint.clone(),
        }))
    }

    /// The names of all tools, including those for calling agents and loading skills.
    fn names(&self) -> Vec<String> {
        let own = self.hosts_tools().map(|spec| spec.name.clone());
        let mut names: Vec<String> = own.collect();
        names.extend(self.skill_tool().map(|skills| skills.tool.clone()));
        let messages = &self.dialect.delegation.message_tool;
        names.extend((!messages.is_empty()).then(|| messages.clone()));
        match &*self.dialect.delegation.tool {
            "" => {
                let agents = self.agents.iter().map(|agent| agent.name.clone());
                names.extend(agents.filter(|name| !self.is_own_tool(name)));
            }
            tool => names.push(tool.into()),
        }
        names
    }

    /// If the first agent calls no others, none is ever called.
    fn forget_unreachable(&mut self) {
        let alone = self
            .state
            .run(0)
            .is_some_and(|run| !self.may_go_deeper(run) || self.callable(run).is_empty());
        if let Some(run) = self.state.run_mut(0).filter(|_| alone) {
            let agent = run.agent as usize;
            run.agent = 0;
            self.agents = self.agents.get(agent).cloned().into_iter().collect();
        }
    }
}
