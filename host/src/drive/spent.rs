//! The usage of each agent, counted from the answers of its models and from events.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::Completion;
use crate::delegation::{Ending, Event, Happening};
use crate::output::report::AgentUsage;

/// The usage of agents, in the order of their first tasks.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Spent(pub Vec<AgentUsage>);

impl Spent {
    /// Adds what was counted elsewhere.
    pub(super) fn extend(&mut self, other: &Self) {
        other.0.iter().for_each(|one| self.add(one));
    }

    /// Adds the usage of one agent.
    pub fn add(&mut self, one: &AgentUsage) {
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
pub fn usage(agent: &[String], completion: &Completion) -> AgentUsage {
    let Completion { answer, cached } = completion;
    AgentUsage {
        agent: agent.to_vec(),
        turns: 1,
        input_tokens: answer.input_tokens.into(),
        cache_read_tokens: cached.read.into(),
        cache_write_tokens: cached.written.into(),
        output_tokens: answer.output_tokens.into(),
        cost: answer.cost.unwrap_or_default(),
        ..AgentUsage::default()
    }
}

/// The last event of each agent at work.
#[derive(Debug, Default)]
pub struct Since(HashMap<u32, u64>);

impl Since {
    /// What an event adds. Of an agent that was at work when its session was saved, time counts from the first event after that.
    pub fn usage(&mut self, event: &Event) -> AgentUsage {
        let before = self.0.insert(event.run, event.at).unwrap_or(event.at);
        let mut more = AgentUsage {
            agent: event.agent.clone(),
            nanoseconds: event.at.saturating_sub(before),
            ..AgentUsage::default()
        };
        match &event.what {
            Happening::Called(_) => more.calls = 1,
            Happening::Ended(outcome) => {
                self.0.remove(&event.run);
                more.failures = u32::from(!matches!(outcome.ending, Ending::Answer));
            }
            _ => {}
        }
        more
    }
}

/// What a denied call of an agent adds.
pub fn denied(agent: Vec<String>) -> AgentUsage {
    AgentUsage {
        agent,
        denials: 1,
        ..AgentUsage::default()
    }
}
