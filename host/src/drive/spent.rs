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
pub struct Since {
    last: HashMap<u32, u64>,
    /// When a saved session was continued.
    continued: Option<u64>,
}

impl Since {
    /// Of agents that were at work when their session was saved, time counts from now on.
    pub(super) fn continued(now: u64) -> Self {
        Self {
            last: HashMap::new(),
            continued: Some(now),
        }
    }

    /// What an event adds.
    pub fn usage(&mut self, event: &Event) -> AgentUsage {
        let is_new = matches!(event.what, Happening::Called(_));
        let begun = self.continued.filter(|begun| !is_new && *begun < event.at);
        let before = self.last.insert(event.run, event.at);
        let before = before.or(begun).unwrap_or(event.at);
        let mut more = AgentUsage {
            agent: event.agent.clone(),
            nanoseconds: event.at.saturating_sub(before),
            ..AgentUsage::default()
        };
        match &event.what {
            Happening::Called(_) => more.calls = 1,
            Happening::Ended(outcome) => {
                self.last.remove(&event.run);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delegation::Outcome;

    fn event(run: u32, at: u64, what: Happening) -> Event {
        Event {
            number: 0,
            at,
            run,
            agent: Vec::new(),
            what,
        }
    }

    #[test]
    fn time_counts_from_the_task_or_from_the_continuation() {
        let mut since = Since::continued(100);
        let ended = || {
            Happening::Ended(Outcome {
                ending: Ending::Answer,
                text: String::new(),
            })
        };
        // It was at work before.
        assert_eq!(since.usage(&event(0, 150, Happening::Waits)).nanoseconds, 50);
        assert_eq!(since.usage(&event(0, 170, ended())).nanoseconds, 20);
        // A new one.
        assert_eq!(
            since
                .usage(&event(1, 180, Happening::Called(String::new())))
                .nanoseconds,
            0
        );
        assert_eq!(since.usage(&event(1, 200, ended())).nanoseconds, 20);
        // Nothing is known of what was before.
        assert_eq!(Since::default().usage(&event(0, 500, ended())).nanoseconds, 0);
    }
}
