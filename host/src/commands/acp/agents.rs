//! The agents of a project as modes of a conversation.

use std::sync::{Mutex, MutexGuard, PoisonError};

use agent_client_protocol::v1::schema::{SessionMode, SessionModeId, SessionModeState};
use callsheet::Catalog;

use super::super::context::Context;
use super::super::task::coordinated;
use super::super::work::coordinator::COORDINATOR;
use crate::exit::Failure;

/// An agent that a user can choose.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    /// The mode's ID: the name, with the dialect if another dialect before has the name, too.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) description: String,
    /// None for the coordinator.
    pub(super) dialect: Option<String>,
}

impl Choice {
    fn coordinator() -> Self {
        Self {
            id: COORDINATOR.to_owned(),
            name: COORDINATOR.to_owned(),
            description: "Chooses the agents that fit, and shares the work among them".to_owned(),
            dialect: None,
        }
    }

    /// A catalog that has it.
    pub(super) fn open(&self, context: &mut Context, has_model: bool) -> Result<(String, Catalog), Failure> {
        match &self.dialect {
            Some(dialect) => Ok((dialect.clone(), context.callsheet.open(dialect)?)),
            None => coordinated(context, has_model),
        }
    }
}

/// The coordinator, and the active agents of every tool in use that users may choose.
pub(super) fn choices(context: &mut Context) -> Result<Vec<Choice>, Failure> {
    let dialects = context.dialects()?;
    let mut choices = Vec::new();
    for dialect in &dialects {
        let entries = context.callsheet.open(dialect)?.entries(false)?;
        for entry in entries.into_iter().filter(|entry| entry.for_users) {
            let is_known = |choice: &Choice| choice.name == entry.name;
            let id = if choices.iter().any(is_known) {
                format!("{dialect}:{}", entry.name)
            } else {
                entry.name.clone()
            };
            choices.push(Choice {
                id,
                name: entry.name,
                description: entry.description,
                dialect: Some(dialect.clone()),
            });
        }
    }
    if choices.is_empty() {
        let failure = Failure::nothing_found("no known tool has agents here");
        return Err(failure.help("`callsheet list` shows the searched folders"));
    }
    if !choices.iter().any(|choice| choice.id == COORDINATOR) {
        choices.insert(0, Choice::coordinator());
    }
    Ok(choices)
}

/// The agents of a conversation, and the one that answers. The user may choose another one at any time.
#[derive(Default)]
pub(super) struct Modes(Mutex<State>);

#[derive(Default)]
struct State {
    choices: Vec<Choice>,
    /// The chosen one; the first, until the user chooses.
    current: usize,
}

impl Modes {
    /// Offers these agents: at least one.
    pub(super) fn offer(&self, choices: Vec<Choice>) {
        *self.state() = State { choices, current: 0 };
    }

    /// The agent that answers.
    pub(super) fn current(&self) -> Choice {
        let state = self.state();
        state.choices[state.current].clone()
    }

    /// Returns whether there is one like this, which answers from now on.
    pub(super) fn choose(&self, is: impl Fn(&Choice) -> bool) -> bool {
        let mut state = self.state();
        let found = state.choices.iter().position(is);
        state.current = found.unwrap_or(state.current);
        found.is_some()
    }

    /// Returns whether the editor offered this mode.
    pub(super) fn set(&self, id: &SessionModeId) -> bool {
        self.choose(|choice| *choice.id == *id.0)
    }

    /// What the editor offers to choose from.
    pub(super) fn shown(&self) -> SessionModeState {
        let mode = |choice: &Choice| {
            SessionMode::new(choice.id.clone(), choice.id.clone()).description(choice.description.clone())
        };
        let state = self.state();
        let current = state.choices[state.current].id.clone();
        SessionModeState::new(current, state.choices.iter().map(mode).collect())
    }

    /// A poisoned lock is safe: an agent is chosen in one step.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
