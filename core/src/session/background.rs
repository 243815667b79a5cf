//! Agents that work in the background: their callers do not wait, and get their answers as messages.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Session;
use super::conversation::{Message, Role, ToolAnswer, ToolCall, ToolSpec};
use super::delegate::Objection;
use super::event::{Happening, Outcome};
use super::state::{Background, Caller, Child, Letter};
use super::text::cut;
use crate::json::Value;
use crate::permission::{BackgroundTool, background_tool};

/// The start of an agent's ID, which its number follows: the host's own tools have IDs, too.
const ID: &str = "agent-";

/// The names of the argument with an ID. The host's tools have the same list.
const IDS: [&str; 4] = ["task_id", "bash_id", "shell_id", "id"];

/// The name of the caller for an agent in the background.
const MAIN: &str = "main";

/// The arguments of a message.
const MESSAGE: &str = r#"{"type":"object","properties":{"to":{"type":"string","description":"The ID of the agent; `main` for your caller"},"message":{"type":"string","description":"The text"}},"required":["to","message"]}"#;

impl Session {
    /// Lets a called agent work in the background: its caller does not wait.
    pub(super) fn detach(&mut self, at: Caller, child: u32) {
        let name = self.name_of(child);
        let mut text = format!(
            "`{name}` works in the background, with the ID {ID}{child}. Its answer comes as a message: if you have nothing else to do, just \
             answer."
        );
        for (kind, does) in [
            (BackgroundTool::Output, "waits for it"),
            (BackgroundTool::Stop, "ends it"),
        ] {
            if let Some(tool) = self.background_tool_of(at.run, kind) {
                text.push_str(&format!(" `{tool}` {does}."));
            }
        }
        self.state.background.children.push(Child {
            run: child,
            caller: at.run,
            name,
            awaited: Vec::new(),
            answer: None,
        });
        self.put(at, text, false);
    }

    /// A run's tool for work in the background.
    fn background_tool_of(&self, run: u32, kind: BackgroundTool) -> Option<&str> {
        let run = self.state.run(run)?;
        let is_meant = |name: &&str| {
            background_tool(&self.dialect, name) == Some(kind) && run.rights.offers(&self.dialect, name)
        };
        self.hosts_tools().map(|spec| &*spec.name).find(is_meant)
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
            let text = cut(text, self.state.settings.bounds.result_bytes);
            background.children[at].answer = Some(ToolAnswer { text, is_error });
            return self.wake(caller);
        }
        background.children.remove(at);
        for slot in awaited {
            self.put(Caller { run: caller, slot }, text.clone(), is_error);
        }
        self.advance(caller);
    }

    /// Whether agents work in the background for a run, or what it is to be told is not told yet.
    pub(super) fn has_background(&self, run: u32) -> bool {
        let mut children = self.state.background.children.iter();
        children.any(|child| child.caller == run) || self.has_news(run)
    }

    fn has_news(&self, run: u32) -> bool {
        let Background {
            children, letters, ..
        } = &self.state.background;
        let mut answered = children.iter().filter(|child| child.answer.is_some());
        answered.any(|child| child.caller == run) || letters.iter().any(|letter| letter.to == run)
    }

    /// A run has nothing else to do than to wait for agents in the background.
    pub(super) fn wait_for_background(&mut self, number: u32, said: String) {
        if let Some(run) = self.state.run_mut(number).filter(|_| !said.trim().is_empty()) {
            run.messages.push(Message::plain(Role::Assistant, said));
        }
        if self.has_news(number) {
            self.ask(number);
        } else {
            self.state.background.idle.push(number);
        }
    }

    /// There is something to tell a run, which may have nothing else to do.
    fn wake(&mut self, number: u32) {
        let idle = &mut self.state.background.idle;
        if let Some(at) = idle.iter().position(|run| *run == number) {
            idle.remove(at);
            self.ask(number);
        }
    }

    /// Tells a run the messages for it, and the answers of its agents in the background.
    pub(super) fn tell_news(&mut self, number: u32) {
        let Background {
            children, letters, ..
        } = &mut self.state.background;
        let letters = letters.extract_if(.., |letter| letter.to == number);
        let mut news: Vec<String> = letters.map(|letter| letter.text).collect();
        let has_answered = |child: &mut Child| child.caller == number && child.answer.is_some();
        news.extend(children.extract_if(.., has_answered).filter_map(|child| {
            let ToolAnswer { text, is_error } = child.answer?;
            let ended = if is_error { "has failed" } else { "has answered" };
            Some(format!(
                "[`{}`, which worked in the background with the ID {ID}{}, {ended}:]\n\n{text}",
                child.name, child.run
            ))
        }));
        if let Some(run) = self.state.run_mut(number).filter(|_| !news.is_empty()) {
            run.messages.push(Message::plain(Role::User, news.join("\n\n")));
        }
    }

    /// The tool for messages, if a run can write to anyone.
    pub(super) fn message_spec(&self, number: u32, calls_others: bool) -> Option<ToolSpec> {
        let tool = &self.dialect.delegation.message_tool;
        let run = self.state.run(number)?;
        let is_called = self.background_caller(number).is_some();
        let is_offered = !tool.is_empty() && run.rights.offers(&self.dialect, tool);
        (is_offered && (calls_others || is_called)).then(|| ToolSpec {
            name: tool.clone(),
            description: "Writes to an agent that works in the background for you, or, if you work in the background, to your caller. The \
                          message comes with the next results of its calls."
                .to_string(),
            schema: MESSAGE.to_string(),
        })
    }

    /// Whether a call is a message.
    pub(super) fn writes(&self, run: u32, tool: &str) -> bool {
        tool == self.dialect.delegation.message_tool && self.message_spec(run, true).is_some()
    }

    /// Who called a run that works in the background.
    fn background_caller(&self, number: u32) -> Option<u32> {
        let caller = self.state.run(number)?.caller?.run;
        self.state.background.has(number, caller).then_some(caller)
    }

    /// Writes to another agent.
    pub(super) fn write_to(
        &mut self,
        at: Caller,
        call: &ToolCall,
        arguments: &Value,
    ) -> Result<(), Objection> {
        let text = |key: &str| match arguments.get(key) {
            Some(Value::Text(text)) if !text.trim().is_empty() => Ok(&**text),
            _ => Err(Objection::Invalid(format!("`{key}` is required"))),
        };
        let (to, message) = (text("to")?, text("message")?);
        let recipient = self.recipient(at.run, to).map_err(Objection::Invalid)?;
        let message = cut(message.to_string(), self.state.settings.bounds.result_bytes);
        let is_caller = self.background_caller(recipient) == Some(at.run);
        let id = if is_caller {
            "your caller".to_string()
        } else {
            format!("{ID}{}", at.run)
        };
        let text = format!("[Message of `{}`, {id}:]\n\n{message}", self.name_of(at.run));
        self.note(at.run, Happening::Calls(call.clone()));
        let letters = &mut self.state.background.letters;
        letters.push(Letter { to: recipient, text });
        self.put(at, "The message comes with its next results.".to_string(), false);
        self.wake(recipient);
        Ok(())
    }

    /// The agent that a run means: its caller, or one that works in the background for it.
    fn recipient(&self, from: u32, to: &str) -> Result<u32, String> {
        let caller = self.background_caller(from);
        let is_caller =
            |caller: &u32| to == MAIN || to == format!("{ID}{caller}") || to == self.name_of(*caller);
        if let Some(caller) = caller.filter(is_caller) {
            return Ok(caller);
        }
        let children = self.state.background.children.iter();
        let working = children.filter(|child| child.caller == from && child.answer.is_none());
        let working: Vec<&Child> = working.collect();
        let mut named = working
            .iter()
            .filter(|child| child.name == to || format!("{ID}{}", child.run) == to);
        match (named.next(), named.next()) {
            (Some(child), None) => Ok(child.run),
            _ => {
                let ids = working
                    .iter()
                    .map(|child| format!("{ID}{} ({})", child.run, child.name));
                let caller = caller.map(|_| MAIN.to_string());
                let known: Vec<String> = caller.into_iter().chain(ids).collect();
                Err(match &*known.join(", ") {
                    "" => format!("unknown recipient `{to}`: no agent works in the background for this one"),
                    known => format!("unknown recipient `{to}`. This agent can write to: {known}"),
                })
            }
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
                "no agent with the ID `{id}` works in the background for this one, or its answer was already given"
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
                self.give_up(&[run]);
                for slot in stopped.awaited {
                    self.put(Caller { slot, ..at }, text.clone(), false);
                }
                self.put(at, text, false);
            }
        }
        Some(Ok(()))
    }

    /// Ends all agents that work in the background for one that has ended.
    pub(super) fn give_up_background(&mut self, caller: u32) {
        let children = self.state.background.children.iter();
        let its = children.filter(|child| child.caller == caller);
        let its: Vec<u32> = its.map(|child| child.run).collect();
        self.give_up(&its);
        let children = &mut self.state.background.children;
        children.retain(|child| child.caller != caller);
    }

    /// Ends agents, in the order of their numbers, and all that work for them. Nothing gets their answers.
    fn give_up(&mut self, numbers: &[u32]) {
        let mut ended: Vec<u32> = Vec::new();
        // Callers have lower numbers than the agents that they call.
        for (run, number) in self.state.runs.iter().zip(0_u32..) {
            let Some(run) = run else { continue };
            let caller = run.caller.map(|caller| caller.run);
            let works_for_one = caller.is_some_and(|caller| ended.binary_search(&caller).is_ok());
            if works_for_one || numbers.binary_search(&number).is_ok() {
                ended.push(number);
            }
        }
        for number in &ended {
            self.note(*number, Happening::Ended(Outcome::Cancelled));
            if let Some(run) = self.state.runs.get_mut(*number as usize) {
                *run = None;
            }
        }
        let works = |run: u32| ended.binary_search(&run).is_err();
        let state = &mut self.state;
        state.outstanding.retain(|it| works(it.run));
        state.queue.retain(|run| works(*run));
        let background = &mut state.background;
        background.idle.retain(|run| works(*run));
        background.letters.retain(|letter| works(letter.to));
        background
            .children
            .retain(|child| works(child.caller) && works(child.run));
    }

    /// What an agent has said so far, after its state.
    fn state_of(&self, run: u32, state: &str) -> String {
        match self.state.run(run).map(|run| &*run.said) {
            None | Some("") => state.to_string(),
            Some(said) => format!("{state}. It said last:\n{said}"),
        }
    }
}
