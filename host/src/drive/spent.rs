//! The usage of each agent, counted from the answers of its models.

use serde::{Deserialize, Serialize};

use crate::Completion;
use crate::output::report::AgentUsage;

/// The usage of agents, in the order of their first answers.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Spent(pub Vec<AgentUsage>);

impl Spent {
    /// Adds what was counted elsewhere.
    pub(super) fn extend(&mut self, other: &Self) {
        other.0.iter().for_each(|one| self.add(one));
    }

    pub(super) fn add(&mut self, one: &AgentUsage) {
        match self.0.iter_mut().find(|known| known.agent == one.agent) {
            Some(known) => known.add(one),
            None => self.0.push(one.clone()),
        }
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The usage of an agent for one answer.
pub(super) fn usage(agent: &[String], completion: &Completion) -> AgentUsage {
    let Completion { answer, cached } = completion;
    AgentUsage {
        agent: agent.to_vec(),
        turns: 1,
        input_tokens: answer.input_tokens.into(),
        cache_read_tokens: cached.read.into(),
        cache_write_tokens: cached.written.into(),
        output_tokens: answer.output_tokens.into(),
        cost: answer.cost.unwrap_or_default(),
    }
}
