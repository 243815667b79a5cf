//! Shows the work of agents in a conversation.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_client_protocol::Client;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    Content, ContentBlock, ContentChunk, Diff, SessionId, SessionNotification, SessionUpdate, TextContent,
    ToolCall, ToolCallContent, ToolCallId, ToolCallLocation, ToolCallStatus, ToolCallUpdate,
    ToolCallUpdateFields,
};
use callsheet::FileChange;
use callsheet::conversation::{self, ToolAnswer};
use callsheet::delegation::{Ending, Event, Happening};
use callsheet::drive::{InFlight, Observer};
use callsheet::output::text::{clean_lines, shortened};
use serde_json::Value;
use tokio::sync::Notify;

use super::calls::{Calls, locations};
use super::words::verbatim;

/// The connection to the editor.
pub(super) type Editor = ConnectionTo<Client>;

/// What is kept for a whole conversation.
#[derive(Default)]
pub(super) struct Memory {
    /// Tools that the user allowed.
    granted: Mutex<BTreeSet<String>>,
    /// The number of calls so far: models repeat their IDs.
    calls: AtomicU64,
}

impl Memory {
    /// A poisoned lock is safe: a set is always whole.
    pub(super) fn granted(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.granted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The editor's view of a conversation.
pub(super) struct Screen {
    pub(super) editor: Editor,
    pub(super) id: SessionId,
    pub(super) calls: Calls,
    pub(super) memory: Arc<Memory>,
    /// Stops the answer.
    pub(super) stop: Arc<Notify>,
    /// The calls that have not ended.
    open: Mutex<Vec<Call>>,
    /// Agents that were called, before the calls are known.
    called: Mutex<Vec<Called>>,
}

/// An agent that was called.
struct Called {
    run: u32,
    caller: Vec<String>,
    task: String,
}

/// A call as the editor shows it.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) id: ToolCallId,
    pub(super) title: String,
    /// What it changes, which its answer would only repeat.
    pub(super) change: Option<Diff>,
    run: u32,
    agent: Vec<String>,
    call: conversation::ToolCall,
    /// The agent that it called, until it has ended.
    child: Option<u32>,
    /// Whether it was answered before that: the agent works in the background.
    is_answered: bool,
}

impl Screen {
    pub(super) fn new(
        editor: Editor,
        id: SessionId,
        calls: Calls,
        memory: Arc<Memory>,
        stop: Arc<Notify>,
    ) -> Self {
        Self {
            editor,
            id,
            calls,
            memory,
            stop,
            open: Mutex::default(),
            called: Mutex::default(),
        }
    }

    /// Text of the agent that answers.
    pub(super) fn say(&self, text: &str) {
        self.send(SessionUpdate::AgentMessageChunk(chunk(text)));
    }

    /// Text of the user.
    pub(super) fn quote(&self, text: &str) {
        self.send(SessionUpdate::UserMessageChunk(chunk(text)));
    }

    /// A remark that is not part of the answer.
    pub(super) fn remark(&self, words: &str) {
        let line = format!("{}\n", clean_lines(words));
        self.send(SessionUpdate::AgentThoughtChunk(chunk(&line)));
    }

    /// Shows a call.
    pub(super) fn call(&self, run: u32, agent: &[String], call: &conversation::ToolCall) -> Call {
        let number = self.memory.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
        let shown = Call {
            id: ToolCallId::new(format!("call-{number}")),
            title: self.calls.title(agent, call, &arguments),
            change: None,
            run,
            agent: agent.to_vec(),
            call: call.clone(),
            child: self.child(agent, &arguments),
            is_answered: false,
        };
        self.open().push(shown.clone());
        let update = ToolCall::new(shown.id.clone(), shown.title.clone())
            .name(call.name.clone())
            .kind(self.calls.kind(&call.name))
            .status(ToolCallStatus::InProgress)
            .locations(self.calls.locations(&arguments));
        let plan = self.calls.plan(&call.name, &arguments);
        self.send(SessionUpdate::ToolCall(update.raw_input(arguments)));
        plan.into_iter()
            .for_each(|plan| self.send(SessionUpdate::Plan(plan)));
        shown
    }

    /// Shows that a call is made in another directory than the project.
    pub(super) fn locate(&self, agent: &[String], call: &conversation::ToolCall, directory: &Path) {
        let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
        let locations = locations(directory, &arguments);
        if let Some(id) = self.id_of(like(agent, call))
            && !locations.is_empty()
        {
            self.update(id, ToolCallUpdateFields::new().locations(locations));
        }
    }

    /// Shows what a call changes.
    pub(super) fn change(&self, agent: &[String], call: &conversation::ToolCall, change: FileChange) {
        let location = ToolCallLocation::new(change.path.clone());
        let diff = Diff::new(change.path, change.after).old_text(change.before);
        let found = self.find(like(agent, call), |open| {
            let before = open.change.replace(diff.clone());
            (before.as_ref() != Some(&diff)).then(|| open.id.clone())
        });
        if let Some(id) = found.flatten() {
            let fields = ToolCallUpdateFields::new()
                .content(vec![ToolCallContent::Diff(diff)])
                .locations(vec![location]);
            self.update(id, fields);
        }
    }

    /// Shows the answer to a call.
    pub(super) fn answer(&self, id: ToolCallId, text: &str) {
        self.update(id, output(text).content(vec![block(&verbatim(text))]));
    }

    /// Shows the end of a call.
    pub(super) fn end(&self, id: ToolCallId, is_error: bool) {
        self.open().retain(|open| open.id != id);
        let status = if is_error {
            ToolCallStatus::Failed
        } else {
            ToolCallStatus::Completed
        };
        self.update(id, ToolCallUpdateFields::new().status(status));
    }

    /// Shows that the calls that have not ended will not end.
    pub(super) fn give_up(&self) {
        let open: Vec<ToolCallId> = self.open().iter().map(|open| open.id.clone()).collect();
        open.into_iter().for_each(|id| self.end(id, true));
    }

    fn update(&self, id: ToolCallId, fields: ToolCallUpdateFields) {
        self.send(SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(id, fields)));
    }

    fn send(&self, update: SessionUpdate) {
        // If it fails, the connection is closed, which ends the conversation.
        let _ = self
            .editor
            .send_notification(SessionNotification::new(self.id.clone(), update));
    }

    /// The last call like this that has not ended, as it is shown.
    pub(super) fn shown(&self, agent: &[String], call: &conversation::ToolCall) -> Option<Call> {
        self.find(like(agent, call), |open| open.clone())
    }

    fn find<T>(&self, is: impl Fn(&Call) -> bool, then: impl FnOnce(&mut Call) -> T) -> Option<T> {
        self.open().iter_mut().rev().find(|call| is(call)).map(then)
    }

    fn id_of(&self, is: impl Fn(&Call) -> bool) -> Option<ToolCallId> {
        self.find(is, |open| open.id.clone())
    }

    /// A poisoned lock is safe: calls are added and removed in one step.
    fn open(&self) -> MutexGuard<'_, Vec<Call>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The agent that a call with these arguments called.
    fn child(&self, caller: &[String], arguments: &Value) -> Option<u32> {
        let says = |task: &str| {
            let mut values = arguments.as_object().into_iter().flat_map(|it| it.values());
            values.any(|value| value.as_str() == Some(task))
        };
        let mut called = self.called.lock().unwrap_or_else(PoisonError::into_inner);
        let found = called.iter().position(|it| it.caller == caller && says(&it.task));
        found.map(|at| called.remove(at).run)
    }

    fn called(&self, event: &Event, task: &str) {
        if let Some((_, caller)) = event.agent.split_last() {
            let mut called = self.called.lock().unwrap_or_else(PoisonError::into_inner);
            called.push(Called {
                run: event.run,
                caller: caller.to_vec(),
                task: task.to_owned(),
            });
        }
    }

    /// A call that was refused before it was made, and perhaps before it was shown.
    fn refused(&self, event: &Event, call: conversation::ToolCall, reason: &str) {
        let found = self.id_of(|open| open.run == event.run && open.call.id == call.id);
        let id = found.unwrap_or_else(|| self.call(event.run, &event.agent, &call).id);
        self.answer(id.clone(), reason);
        self.end(id, true);
    }
}

impl Observer for Screen {
    fn event(&self, event: &Event) {
        match &event.what {
            Happening::Calls(call) => drop(self.call(event.run, &event.agent, call)),
            Happening::Called(task) => self.called(event, task),
            Happening::Ended(outcome) => {
                let found = self.find(
                    |open| open.child == Some(event.run),
                    |open| {
                        open.child = None;
                        (open.id.clone(), open.is_answered)
                    },
                );
                if let Some((id, is_answered)) = found {
                    // Agents write Markdown.
                    let fields = output(&outcome.text).content(vec![block(&outcome.text)]);
                    self.update(id.clone(), fields);
                    if is_answered {
                        self.end(id, outcome.ending != Ending::Answer);
                    }
                }
            }
            Happening::Returned(returned) => {
                let found = self.find(
                    |open| open.run == event.run && open.call.id == returned.id,
                    |open| {
                        open.is_answered = true;
                        open.child.is_none().then(|| open.id.clone())
                    },
                );
                found
                    .flatten()
                    .into_iter()
                    .for_each(|id| self.end(id, returned.is_error));
            }
            Happening::Refused(refused) | Happening::Invalid(refused) => {
                let call = conversation::ToolCall {
                    id: refused.id.clone(),
                    name: refused.tool.clone(),
                    arguments: String::new(),
                };
                self.refused(event, call, &refused.reason);
            }
            Happening::Ignored(what) => self.remark(&format!("ignored: {what}")),
            Happening::Compacted(results) => self.remark(&shortened(*results)),
            Happening::Waits | Happening::Asked(_) | Happening::Said(_) => {}
        }
    }

    fn heard(&self, run: u32, piece: &str) {
        // The answer of a called agent is that of its call.
        if run == 0 {
            self.say(piece);
        }
    }

    fn printed(&self, agent: &[String], call: &conversation::ToolCall, text: &str) {
        let found = self.id_of(like(agent, call));
        found.into_iter().for_each(|id| self.answer(id, text));
    }

    fn answered(&self, agent: &[String], call: &conversation::ToolCall, answer: &ToolAnswer) {
        match self.shown(agent, call) {
            Some(shown) if shown.change.is_some() && !answer.is_error => {
                self.update(shown.id, output(&answer.text));
            }
            Some(shown) => self.answer(shown.id, &answer.text),
            None => {}
        }
    }

    fn denied(&self, agent: &[String], call: &conversation::ToolCall, reason: &str) {
        let found = self.id_of(like(agent, call));
        found.into_iter().for_each(|id| self.answer(id, reason));
    }

    fn in_doubt(&self, call: &InFlight) {
        self.remark(&format!("{} was interrupted; it is not repeated", call.tool));
    }

    fn end(&self) {
        self.give_up();
    }
}

fn like(agent: &[String], call: &conversation::ToolCall) -> impl Fn(&Call) -> bool {
    move |open| open.agent == agent && open.call == *call
}

fn chunk(text: &str) -> ContentChunk {
    ContentChunk::new(ContentBlock::Text(TextContent::new(text)))
}

/// Markdown.
pub(super) fn block(text: &str) -> ToolCallContent {
    ToolCallContent::Content(Content::new(ContentBlock::Text(TextContent::new(text))))
}

fn output(text: &str) -> ToolCallUpdateFields {
    ToolCallUpdateFields::new().raw_output(Value::String(text.to_owned()))
}
