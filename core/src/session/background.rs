//! Agents that work in the background: their callers do not wait, and get their answers as messages.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Session;
use super::conversation::{Message, Role, ToolAnswer, ToolCall};
use super::delegate::Objection;
use super::event::{Happening, Outcome};
use super::state::{Caller, Child};
use crate::json::Value;
use crate::permission::{BackgroundTool, background_tool};

/// The start of an agent's ID, which its number follows: the host's own tools have IDs, too.
const ID: &str = "agent-";

/// The names of the argument with an ID.
const IDS: [&str; 2] = ["task_id", "shell_id"];

impl Session {
    /// Lets a called agent work in the background: its caller does not wait.
    pub(super) fn detach(&mut self, at: Caller, child: u32) {
        let name = self.name_of(child);
        let text = format!(
            "`{name}` works in the background, with the ID {ID}{child}. Its answer comes as a message: if you have nothing else to do, just \
             answer."
        );
        self.state.background.children.push(Child {
            run: child,
            caller: at.run,
            name,
            awaited: Vec::new(),
            answer: None,
        });
        self.put(at, text, false);
    }

    fn name_of(&self, run: u32) -> String {
        let name = self.state.run(run).and_then(|run| run.path.last());
        name.cloned().unwrap_or_default()
    }

    /// An agent in the background has ended.
    pub(super) fn answered_later(&mut self, run: u32, caller: u32, text: String, is_error: bool) {
        let background = &mut self.state.background;
        let Some(at) = background.find(run, caller) else {
            return;
        };
        let awaited = core::mem::take(&mut background.children[at].awaited);
        if awaited.is_empty() {
            background.children[at].answer = Some(ToolAnswer { text, is_error });
            if let Some(idle) = background.idle.iter().position(|run| *run == caller) {
                background.idle.remove(idle);
                self.ask(caller);
            }
            return;
        }
        background.children.remove(at);
        for slot in awaited {
            self.put(Caller { run: caller, slot }, text.clone(), is_error);
        }
        self.advance(caller);
    }

    /// Whether agents work in the background for a run, or their answers are not told yet.
    pub(super) fn has_background(&self, run: u32) -> bool {
        self.state
            .background
            .children
            .iter()
            .any(|child| child.caller == run)
    }

    /// A run has nothing else to do than to wait for agents in the background.
    pub(super) fn wait_for_background(&mut self, number: u32, said: String) {
        if let Some(run) = self.state.run_mut(number).filter(|_| !said.trim().is_empty()) {
            run.messages.push(Message::plain(Role::Assistant, said));
        }
        let mut children = self.state.background.children.iter();
        if children.any(|child| child.caller == number && child.answer.is_some()) {
            self.ask(number);
        } else {
            self.state.background.idle.push(number);
        }
    }

    /// Tells a run the answers of its agents in the background.
    pub(super) fn tell_answers(&mut self, number: u32) {
        let children = &mut self.state.background.children;
        let is_news = |child: &mut Child| child.caller == number && child.answer.is_some();
        let news = children.extract_if(.., is_news).filter_map(|child| {
            let ToolAnswer { text, is_error } = child.answer?;
            let ended = if is_error { "has failed" } else { "has answered" };
            Some(format!(
                "[`{}`, which worked in the background with the ID {ID}{}, {ended}:]\n\n{text}",
                child.name, child.run
            ))
        });
        let news: Vec<String> = news.collect();
        if let Some(run) = self.state.run_mut(number).filter(|_| !news.is_empty()) {
            run.messages.push(Message::plain(Role::User, news.join("\n\n")));
        }
    }

    /// Answers a call about an agent in the background. None if it is about something else.
    pub(super) fn manage(
        &mut self,
        at: Caller,
        call: &ToolCall,
        arguments: &Value,
    ) -> Option<Result<(), Objection>> {
        let tool = background_tool(&self.dialect, &call.name)?;
        let mut given = IDS.iter().filter_map(|key| arguments.get(key));
        let Value::Text(id) = given.next()? else {
            return None;
        };
        let number = id.strip_prefix(ID)?;
        let run = number.parse().ok();
        let Some(child) = run.and_then(|run| self.state.background.find(run, at.run)) else {
            return Some(Err(Objection::Invalid(format!(
                "no agent with the ID `{id}` works in the background for this agent, or its answer is known"
            ))));
        };
        self.note(at.run, Happening::Calls(call.clone()));
        let waits = arguments.get("block") != Some(&Value::Boolean(false));
        let background = &mut self.state.background;
        let (run, answer) = (
            background.children[child].run,
            background.children[child].answer.take(),
        );
        match (answer, tool) {
            (Some(ToolAnswer { text, is_error }), _) => {
                background.children.remove(child);
                self.put(at, text, is_error);
            }
            (None, BackgroundTool::Output) if waits => background.children[child].awaited.push(at.slot),
            (None, BackgroundTool::Output) => self.put(at, self.state_of(run, "Still working"), false),
            (None, BackgroundTool::Stop) => {
                let text = self.state_of(run, "Stopped");
                let stopped = self.state.background.children.remove(child);
                self.give_up(run);
                for slot in stopped.awaited {
                    self.put(Caller { slot, ..at }, text.clone(), false);
                }
                self.put(at, text, false);
            }
        }
        Some(Ok(()))
    }

    /// Ends an agent and all that work for it. Nothing gets their answers.
    pub(super) fn give_up(&mut self, number: u32) {
        let mut ended: Vec<u32> = Vec::new();
        let numbers = self.state.runs.iter().zip(0_u32..);
        // Callers come before the agents that they call.
        for (run, other) in numbers {
            let Some(run) = run else { continue };
            if other == number || run.caller.is_some_and(|caller| ended.contains(&caller.run)) {
                ended.push(other);
            }
        }
        self.forget(&ended);
    }

    /// Ends all agents that work in the background for one that has ended.
    pub(super) fn give_up_background(&mut self, caller: u32) {
        let children = self.state.background.children.iter();
        let left: Vec<u32> = children
            .filter(|it| it.caller == caller)
            .map(|it| it.run)
            .collect();
        left.into_iter().for_each(|run| self.give_up(run));
        self.state
            .background
            .children
            .retain(|child| child.caller != caller);
    }

    fn forget(&mut self, ended: &[u32]) {
        for number in ended {
            self.note(*number, Happening::Ended(Outcome::Cancelled));
            if let Some(run) = self.state.runs.get_mut(*number as usize) {
                *run = None;
            }
        }
        let state = &mut self.state;
        state.outstanding.retain(|it| !ended.contains(&it.run));
        state.queue.retain(|run| !ended.contains(run));
        state.background.idle.retain(|run| !ended.contains(run));
        let children = &mut state.background.children;
        children.retain(|child| !ended.contains(&child.caller) && !ended.contains(&child.run));
    }

    /// What an agent has said so far, after its state.
    fn state_of(&self, run: u32, state: &str) -> String {
        match self.state.run(run).map(|run| &*run.said) {
            None | Some("") => state.to_string(),
            Some(said) => format!("{state}. It said last:\n{said}"),
        }
    }
}
