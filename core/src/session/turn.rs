//! Turns: a model answers, its calls are checked, tools and other agents answer, the model is asked again.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Session;
use super::conversation::{Message, ModelAnswer, Role, ToolAnswer, ToolCall};
use super::delegate::{Called, Errand, Objection};
use super::event::{Bound, Happening, Outcome};
use super::state::{Caller, Outstanding, Slot};
use super::text::cut;
use crate::closest::closest;
use crate::json::{self, Value};
use crate::limits::CALLS;
use crate::permission::Call;

impl Session {
    /// Asks the model of a run, unless a limit is reached.
    pub(super) fn ask(&mut self, number: u32) {
        if let Some(bound) = self.exhausted() {
            self.state.queue.push(number);
            return self.stop_at(bound);
        }
        let Some(run) = self.state.run(number) else {
            return;
        };
        if let Some(reason) = self.lacks_isolation(run) {
            return self.end(number, Outcome::Failed(reason));
        }
        let Some(run) = self.state.run_mut(number) else {
            return;
        };
        if run.turns >= run.turn_limit {
            let partial = run.said.clone();
            return self.end(number, Bound::Turns.reached(partial));
        }
        run.turns = run.turns.saturating_add(1);
        self.tell_news(number);
        self.make_room(number);
        let Some(run) = self.state.run(number) else {
            return;
        };
        let model = run.model.model.clone();
        self.state.usage.turns = self.state.usage.turns.saturating_add(1);
        self.note(number, Happening::Asked(model));
        self.wait_for(number, None);
    }

    fn wait_for(&mut self, run: u32, slot: Option<u32>) {
        let id = self.state.next_call;
        self.state.next_call = id.wrapping_add(1);
        self.state.outstanding.push(Outstanding { id, run, slot });
    }

    pub(super) fn model_answered(&mut self, number: u32, answer: ModelAnswer) {
        let usage = &mut self.state.usage;
        usage.input_tokens = usage.input_tokens.saturating_add(u64::from(answer.input_tokens));
        usage.output_tokens = usage
            .output_tokens
            .saturating_add(u64::from(answer.output_tokens));
        usage.cost = usage.cost.saturating_add(answer.cost.unwrap_or(0));
        self.note(
            number,
            Happening::Said {
                text: answer.text.clone(),
                input_tokens: answer.input_tokens,
                output_tokens: answer.output_tokens,
            },
        );
        self.measure(number, &answer);
        if let Err(wrong) = sound(&answer.calls) {
            return self.end(number, Outcome::Failed(wrong));
        }
        let Some(run) = self.state.run_mut(number) else {
            return;
        };
        if !answer.text.trim().is_empty() {
            run.said.clone_from(&answer.text);
            self.state.last_said.clone_from(&answer.text);
        }
        if answer.calls.is_empty() {
            if self.has_background(number) {
                return self.wait_for_background(number, answer.text);
            }
            return self.end(number, Outcome::Answer(answer.text));
        }
        self.go_through(number, answer);
    }

    /// Starts the calls of an answer, unless a limit is reached.
    pub(super) fn go_through(&mut self, number: u32, answer: ModelAnswer) {
        match self.exhausted() {
            // The calls of the last turn are still made.
            None | Some(Bound::TotalTurns) => self.calls(number, answer),
            Some(bound) => {
                self.state.held = Some((number, answer));
                self.stop_at(bound);
            }
        }
    }

    fn calls(&mut self, number: u32, answer: ModelAnswer) {
        let Some(run) = self.state.run_mut(number) else {
            return;
        };
        let slot = |call: &ToolCall| Slot {
            call: call.clone(),
            answer: None,
        };
        run.slots = answer.calls.iter().map(slot).collect();
        run.messages.push(Message {
            calls: answer.calls.clone(),
            ..Message::plain(Role::Assistant, answer.text)
        });
        for (call, slot) in answer.calls.into_iter().zip(0..) {
            let at = Caller { run: number, slot };
            if let Err(objection) = self.call(at, &call) {
                let (id, tool) = (call.id, call.name);
                let (what, reason) = match objection {
                    Objection::Denied(reason) => {
                        let text = reason.clone();
                        (Happening::Refused { id, tool, reason }, text)
                    }
                    Objection::Invalid(reason) => {
                        let text = reason.clone();
                        (Happening::Invalid { id, tool, reason }, text)
                    }
                };
                self.note(number, what);
                self.put(at, reason, true);
            }
        }
        self.advance(number);
    }

    /// Allows a call, or returns why not.
    fn call(&mut self, at: Caller, call: &ToolCall) -> Result<(), Objection> {
        let blank = call.arguments.trim().is_empty();
        let arguments = json::parse(if blank { "{}" } else { &call.arguments });
        let unread = |wrong| Objection::Invalid(format!("the arguments cannot be read: {wrong}"));
        let arguments = arguments.map_err(unread)?;
        if !matches!(arguments, Value::Object(_)) {
            return Err(Objection::Invalid(
                "the arguments are not a JSON object".to_string(),
            ));
        }
        if let Some(tool) = self.delegating(&call.name) {
            let called = self.delegate(at, &tool, &arguments)?;
            self.note(at.run, Happening::Calls(call.clone()));
            if let Called::InBackground(child) = called {
                self.detach(at, child);
            }
            return Ok(());
        }
        if self.skill_tool().is_some_and(|skills| skills.tool == call.name) {
            return self.load_skill(at, call, &arguments);
        }
        if self.writes(at.run, &call.name) {
            return self.write_to(at, call, &arguments);
        }
        let Some(run) = self.state.run(at.run) else {
            return Ok(());
        };
        if self.is_others(run, &call.name) {
            return Err(Objection::Denied(self.no_such_tool(at.run, &call.name)));
        }
        if !self.is_own_tool(&call.name) {
            return Err(Objection::Invalid(self.no_such_tool(at.run, &call.name)));
        }
        let root = self.root(at.run);
        let allowed = run.rights.allow(&Call {
            tool: &call.name,
            arguments: &arguments,
            dialect: &self.dialect,
            root: &root,
            home: self.state.settings.home.as_deref(),
        });
        allowed.map_err(|reason| {
            Objection::Denied(if run.rights.offers(&self.dialect, &call.name) {
                reason
            } else {
                format!("{reason}. {}", self.tools_of(at.run))
            })
        })?;
        if let Some(managed) = self.manage(at, call, &arguments) {
            return managed;
        }
        self.note(at.run, Happening::Calls(call.clone()));
        self.wait_for(at.run, Some(at.slot));
        Ok(())
    }

    /// Answers a call for a skill, or starts the agent that it runs in.
    fn load_skill(&mut self, at: Caller, call: &ToolCall, arguments: &Value) -> Result<(), Objection> {
        let loaded = self.load(at, arguments)?;
        let text = match loaded.agent {
            Some(agent) => {
                let errand = Errand {
                    agent,
                    prompt: loaded.text,
                    model: None,
                    in_background: false,
                };
                let tool = self.dialect.delegation.tool.clone();
                self.send_off(at, &tool, &errand)?;
                None
            }
            None => Some(loaded.text),
        };
        self.note(at.run, Happening::Calls(call.clone()));
        self.note_ignored(at.run, loaded.ignored);
        if let Some(text) = text {
            self.put(at, text, false);
        }
        Ok(())
    }

    fn no_such_tool(&self, run: u32, name: &str) -> String {
        let names = self.names_offered(run);
        let mut text = format!("unknown tool `{name}`. {}", self.tools_of(run));
        if let Some(nearest) = closest(name, names.iter().map(String::as_str)) {
            text.push_str(&format!(". Did you mean `{nearest}`?"));
        }
        text
    }

    fn tools_of(&self, run: u32) -> String {
        match self.names_offered(run).join(", ") {
            names if names.is_empty() => "This agent has no tools".into(),
            names => format!("This agent's tools: {names}"),
        }
    }

    fn names_offered(&self, run: u32) -> Vec<String> {
        self.offers(run).into_iter().map(|spec| spec.name).collect()
    }

    /// Records an answer to a call.
    pub(super) fn put(&mut self, at: Caller, text: String, is_error: bool) {
        let bytes = self.state.settings.bounds.result_bytes;
        let Some(run) = self.state.run_mut(at.run) else {
            return;
        };
        let Some(slot) = run.slots.get_mut(at.slot as usize) else {
            return;
        };
        slot.answer = Some(ToolAnswer {
            text: cut(text, bytes),
            is_error,
        });
        let id = slot.call.id.clone();
        self.note(at.run, Happening::Returned { id, is_error });
    }

    /// Asks the model again once every call is answered.
    pub(super) fn advance(&mut self, number: u32) {
        let Some(run) = self.state.run_mut(number) else {
            return;
        };
        if run.slots.iter().any(|slot| slot.answer.is_none()) {
            return;
        }
        for slot in core::mem::take(&mut run.slots) {
            let answer = slot.answer.unwrap_or(ToolAnswer {
                text: String::new(),
                is_error: true,
            });
            run.messages.push(Message {
                answers: Some(slot.call.id),
                is_error: answer.is_error,
                ..Message::plain(Role::Tool, answer.text)
            });
        }
        self.ask(number);
    }

    /// Asks the models of waiting agents, while few enough are working.
    pub(super) fn start_waiting(&mut self) {
        while let Some(next) = self.state.queue.first().copied() {
            if self.state.outcome.is_some() {
                return;
            }
            if self.state.at_work() >= self.state.settings.bounds.parallel.max(1) {
                return;
            }
            self.state.queue.remove(0);
            self.ask(next);
        }
    }

    pub(super) fn note(&mut self, run: u32, what: Happening) {
        let path = self.state.run(run).map(|it| it.path.clone()).unwrap_or_default();
        self.state.log.push(self.state.now, run, &path, what);
    }
}

/// Whether each call has an id of its own.
fn sound(calls: &[ToolCall]) -> Result<(), String> {
    if calls.len() > CALLS {
        return Err(format!("the model requested more than {CALLS} calls at once"));
    }
    let again = calls
        .iter()
        .zip(0..)
        .find(|(call, at)| call.id.is_empty() || calls[..*at].iter().any(|other| other.id == call.id));
    match again {
        Some((call, _)) => Err(format!(
            "two calls of the model have the same id or none: `{}`",
            call.id
        )),
        None => Ok(()),
    }
}
