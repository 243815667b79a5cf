//! The state of a session: plain data.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::context::Context;
use super::conversation::{Message, ModelAnswer, ToolAnswer, ToolCall, ToolSpec};
use super::event::{Log, Outcome, Usage};
use super::settings::Settings;
use crate::definition::Endpoint;
use crate::permission::{Reserved, Rights};
use crate::skills::Skill;

/// All of it except the definitions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) settings: Settings,
    /// The host's tools.
    pub(super) tools: Vec<ToolSpec>,
    /// The skills at the start, by name. They follow the state in a snapshot.
    #[serde(skip)]
    pub(super) skills: Vec<Skill>,
    /// What agents are told besides. It follows the skills in a snapshot.
    #[serde(skip)]
    pub(super) context: Context,
    /// What works in the background. It follows the context in a snapshot.
    #[serde(skip)]
    pub(super) background: Background,
    /// The sizes of conversations that may become too long. They follow what works in the background in a snapshot.
    #[serde(skip)]
    pub(super) sizes: Vec<Size>,
    /// Those that only some agents have.
    pub(super) reserved: Reserved,
    /// The working agents, in the order of their calls, without those that ended.
    pub(super) runs: Vec<Option<Run>>,
    /// Requests without an answer yet, in the order of their numbers.
    pub(super) outstanding: Vec<Outstanding>,
    /// Runs that wait until fewer are working, or until a stopped session is resumed.
    pub(super) queue: Vec<u32>,
    /// A run's answer whose calls were not started, since a limit was reached.
    pub(super) held: Option<(u32, ModelAnswer)>,
    pub(super) next_call: u32,
    pub(super) usage: Usage,
    /// The last text of any agent.
    pub(super) last_said: String,
    pub(super) outcome: Option<Outcome>,
    pub(super) log: Log,
    /// The host's clock at its last update.
    pub(super) now: u64,
}

/// A working agent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Run {
    /// Its definition.
    pub(super) agent: u32,
    /// Its name, after its callers' names.
    pub(super) path: Vec<String>,
    /// The recipient of its answer.
    pub(super) caller: Option<Caller>,
    pub(super) model: Model,
    pub(super) rights: Rights,
    pub(super) system: String,
    pub(super) messages: Vec<Message>,
    pub(super) turns: u32,
    pub(super) turn_limit: u32,
    /// Its last text.
    pub(super) said: String,
    /// The calls of its last answer.
    pub(super) slots: Vec<Slot>,
}

/// A call of another agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Caller {
    pub(super) run: u32,
    pub(super) slot: u32,
}

/// The model of an agent, and its prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Model {
    pub(super) provider: Option<String>,
    pub(super) model: String,
    pub(super) max_tokens: Option<u32>,
    pub(super) effort: Option<String>,
    pub(super) thinking_budget: Option<u32>,
    /// Used if the file that names it is trusted.
    pub(super) endpoint: Endpoint,
}

/// A call, and its answer once there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Slot {
    pub(super) call: ToolCall,
    pub(super) answer: Option<ToolAnswer>,
}

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Outstanding {
    pub(super) id: u32,
    pub(super) run: u32,
    /// The tool call; none if the model was asked.
    pub(super) slot: Option<u32>,
}

/// The size of an agent's conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Size {
    pub(super) run: u32,
    /// Tokens of its last request and answer.
    pub(super) tokens: u64,
    /// The messages that they are of.
    pub(super) messages: u32,
    /// Whether its model has refused the request as too long.
    pub(super) refused: bool,
    /// The first message that changed since its last request.
    pub(super) changed_from: Option<u32>,
}

/// What works in the background.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Background {
    /// The agents whose answers are not told yet, by their numbers, which grow with each call.
    pub(super) children: Vec<Child>,
    /// Agents that have nothing to do until one of theirs answers.
    pub(super) idle: Vec<u32>,
    /// Messages that are not told yet, in the order of their calls.
    pub(super) letters: Vec<Letter>,
}

/// An agent in the background.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Child {
    pub(super) run: u32,
    pub(super) caller: u32,
    pub(super) name: String,
    /// Calls of its caller that wait for its answer.
    pub(super) awaited: Vec<u32>,
    /// Its answer, once it has ended.
    pub(super) answer: Option<ToolAnswer>,
}

/// A message of one agent to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Letter {
    pub(super) to: u32,
    pub(super) text: String,
}

impl Background {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether an agent works in the background for this caller.
    pub(super) fn has(&self, run: u32, caller: u32) -> bool {
        self.find(run, caller).is_some()
    }

    pub(super) fn find(&self, run: u32, caller: u32) -> Option<usize> {
        let found = self.children.binary_search_by_key(&run, |child| child.run);
        found.ok().filter(|at| self.children[*at].caller == caller)
    }

    /// Whether all references are valid.
    fn is_sound(&self, state: &State) -> bool {
        let ordered = self.children.windows(2).all(|pair| pair[0].run < pair[1].run);
        let working = self.children.iter().filter(|child| child.answer.is_none());
        let awaited: BTreeSet<u32> = working.map(|child| child.caller).collect();
        let mut children = self.children.iter();
        let mut idle = self.idle.iter();
        ordered
            && children.all(|child| {
                let works = state.run(child.run).is_some_and(|run| {
                    let caller = run.caller.map(|caller| caller.run);
                    caller == Some(child.caller) && child.caller < child.run
                });
                let mut awaited = child.awaited.iter();
                state.run(child.caller).is_some()
                    && works == child.answer.is_none()
                    && awaited.all(|slot| state.waits(child.caller, *slot))
            })
            && idle.all(|run| state.run(*run).is_some() && awaited.contains(run))
            && self.letters.iter().all(|letter| state.run(letter.to).is_some())
    }
}

impl State {
    pub(super) fn run(&self, run: u32) -> Option<&Run> {
        self.runs.get(run as usize)?.as_ref()
    }

    pub(super) fn run_mut(&mut self, run: u32) -> Option<&mut Run> {
        self.runs.get_mut(run as usize)?.as_mut()
    }

    /// Called agents that wait for a model or a tool.
    pub(super) fn at_work(&self) -> u32 {
        let mut runs: Vec<u32> = Vec::new();
        for outstanding in &self.outstanding {
            let called = self.run(outstanding.run).is_some_and(|run| run.caller.is_some());
            if called && !runs.contains(&outstanding.run) {
                runs.push(outstanding.run);
            }
        }
        u32::try_from(runs.len()).unwrap_or(u32::MAX)
    }

    /// Whether all references are valid.
    pub(super) fn is_sound(&self, agents: usize) -> bool {
        let mut runs = self.runs.iter().zip(0_u32..);
        let runs = runs.all(|(run, number)| {
            run.as_ref().is_none_or(|run| {
                let caller = run.caller.map_or(number == 0, |caller| {
                    let waits = || self.waits(caller.run, caller.slot);
                    caller.run < number && (self.background.has(number, caller.run) || waits())
                });
                (run.agent as usize) < agents && caller
            })
        });
        let mut outstanding = self.outstanding.iter();
        let outstanding = outstanding.all(|it| {
            let asked = it
                .slot
                .map_or(self.run(it.run).is_some(), |at| self.waits(it.run, at));
            it.id < self.next_call && asked
        });
        let ordered = self.outstanding.windows(2).all(|pair| pair[0].id < pair[1].id);
        let queue = self.queue.iter().all(|run| self.run(*run).is_some());
        let alive = self.outcome.is_some() || self.run(0).is_some() && !self.outstanding.is_empty();
        runs && outstanding && ordered && queue && alive && self.background.is_sound(self)
    }

    /// Whether a call has no answer yet.
    pub(super) fn waits(&self, run: u32, slot: u32) -> bool {
        let slot = self.run(run).and_then(|run| run.slots.get(slot as usize));
        slot.is_some_and(|slot| slot.answer.is_none())
    }
}
