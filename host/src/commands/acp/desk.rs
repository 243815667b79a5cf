//! One conversation with an editor.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent_client_protocol::v1::schema::{McpServer, SessionId, StopReason};
use callsheet::delegation::{Ending, Task};
use callsheet::drive::{self, Ended, Saver, drive};
use callsheet::output::text::{self, clean};
use callsheet::traces::Collector;
use tokio::sync::Notify;

use super::super::context::Context;
use super::super::sessions::find;
use super::super::work::begin::{self, Begun, Then};
use super::super::work::{kept, lend};
use super::agents::{Choice, Modes, choices};
use super::calls::Calls;
use super::history;
use super::question::voice;
use super::screen::{Editor, Memory, Screen};
use super::shown::Shown;
use super::unsaved::{Unsaved, Waiting};
use super::words::verbatim;
use crate::cli::{Options, Work};
use crate::exit::Failure;

/// Where a conversation takes place.
pub(super) struct Place {
    pub(super) id: SessionId,
    pub(super) options: Options,
    pub(super) work: Work,
    pub(super) collector: Option<Arc<Collector>>,
    /// MCP servers that the editor passes.
    pub(super) servers: Vec<McpServer>,
    pub(super) editor: Editor,
    /// Whether the editor shares its files.
    pub(super) has_files: bool,
    /// The tools that wait for them.
    pub(super) waiting: Arc<Waiting>,
}

/// A conversation: a saved session for each agent that the user chose.
pub(super) struct Desk {
    context: Context,
    work: Work,
    collector: Option<Arc<Collector>>,
    id: SessionId,
    editor: Editor,
    modes: Arc<Modes>,
    /// The IDs of the saved sessions, by those of the modes.
    sessions: BTreeMap<String, String>,
    memory: Arc<Memory>,
    waiting: Arc<Waiting>,
    /// Stops the answer to the last message.
    stop: Arc<Notify>,
}

impl Desk {
    /// A new conversation.
    pub(super) fn open(place: Place, modes: Arc<Modes>) -> Result<Self, Failure> {
        let mut context = Context::new(place.options, false)?;
        context.pause()?;
        context.options.project = lend::project(&context)?;
        context.configure()?;
        context.thread = Some(place.id.0.to_string());
        context.passed = place.servers.iter().filter_map(history::server).collect();
        let waiting = place.waiting;
        let unsaved = || Unsaved::of(&place.editor, &place.id, Arc::clone(&waiting));
        context.unsaved = place.has_files.then(unsaved);
        modes.offer(choices(&mut context)?);
        Ok(Self {
            context,
            work: place.work,
            collector: place.collector,
            id: place.id,
            editor: place.editor,
            modes,
            sessions: BTreeMap::new(),
            memory: Arc::default(),
            waiting,
            stop: Arc::default(),
        })
    }

    /// Finds the saved sessions of this conversation.
    pub(super) fn recall(&mut self, is_shown: bool) -> Result<(), Failure> {
        for kept in history::of(&mut self.context, &self.id)? {
            if is_shown {
                let screen = self.screen(&kept.dialect)?;
                history::show(&mut self.context, &kept.id, &screen)?;
            }
            let is_its = |choice: &Choice| {
                choice.name == kept.agent && choice.dialect.as_ref().is_none_or(|it| *it == kept.dialect)
            };
            if self.modes.choose(is_its) {
                self.sessions.insert(self.modes.current().id, kept.id);
            }
        }
        Ok(())
    }

    /// Answers a message. Stops early, but saved, when `stop` is notified.
    pub(super) fn prompt(&mut self, text: String, stop: Arc<Notify>) -> Result<StopReason, Failure> {
        self.stop = stop;
        let chosen = self.modes.current();
        let saved = self.sessions.get(&chosen.id).cloned();
        let (screen, begun) = match saved {
            Some(id) => self.again(&id, &text)?,
            None => self.anew(&chosen, text)?,
        };
        let Begun {
            _catalog,
            mut session,
            models,
            tools,
            mut options,
            id,
            worktrees,
            ..
        } = begun;
        let traces = self.collector.as_ref().map(|it| it.session(id.as_deref()));
        if let Some(id) = id {
            self.sessions.insert(chosen.id, id);
        }
        options.stop = Arc::clone(&self.stop);
        let tools = Arc::new(Shown::new(tools, Arc::clone(&screen), Arc::clone(&self.waiting)));
        let mut observers = vec![Arc::clone(&screen) as Arc<dyn drive::Observer>];
        observers.extend(traces.map(|it| Arc::new(it) as Arc<dyn drive::Observer>));
        let driven = drive(&mut session, models, tools, options, Arc::new(observers));
        let ended = drive::block_on(driven)?;
        let kept = worktrees.map(|directory| kept(&ended, &directory));
        let lines: Vec<String> = kept.iter().flatten().flat_map(text::worktree).collect();
        if !lines.is_empty() {
            screen.say(&format!("\n\n{}\n", verbatim(&lines.join("\n"))));
        }
        reason(&ended?, &screen)
    }

    fn anew(&mut self, chosen: &Choice, prompt: String) -> Result<(Arc<Screen>, Begun), Failure> {
        let (dialect, catalog) = chosen.open(&mut self.context, self.work.model().is_some())?;
        let screen = self.screen(&dialect)?;
        let task = Task {
            agent: chosen.name.clone(),
            prompt,
            description: None,
            model: None,
        };
        let voice = voice(&screen);
        let isolated = lend::worktrees(&self.context, Arc::clone(&voice.say))?;
        let context = &mut self.context;
        let begun = begin::anew(context, dialect, catalog, task, &self.work, &voice, isolated)?;
        Ok((screen, begun))
    }

    fn again(&mut self, id: &str, text: &str) -> Result<(Arc<Screen>, Begun), Failure> {
        let resumed = Saver::resume(&find(&self.context, id)?).map_err(callsheet::Error::from)?;
        let screen = self.screen(&resumed.0.about.dialect)?;
        let (then, voice) = (Then::Interject(text), voice(&screen));
        let begun = begin::again(&mut self.context, resumed, &self.work, then, &voice)?;
        Ok((screen, begun))
    }

    /// What shows the work of a dialect's agents.
    fn screen(&mut self, dialect: &str) -> Result<Arc<Screen>, Failure> {
        let calls = Calls::of(&mut self.context, dialect)?;
        let (editor, id) = (self.editor.clone(), self.id.clone());
        let (memory, stop) = (Arc::clone(&self.memory), Arc::clone(&self.stop));
        Ok(Arc::new(Screen::new(editor, id, calls, memory, stop)))
    }
}

/// Why an answer ended. What a limit says is part of the answer.
fn reason(ended: &Ended, screen: &Screen) -> Result<StopReason, Failure> {
    let Some(outcome) = &ended.outcome else {
        return Ok(StopReason::Cancelled);
    };
    match &outcome.ending {
        Ending::Answer => Ok(StopReason::EndTurn),
        Ending::Cancelled => Ok(StopReason::Cancelled),
        Ending::Failed => Err(Failure::trouble(clean(&outcome.text))),
        Ending::Bound(exceeded) => {
            screen.say(&format!("\n\n{}\n", outcome.text));
            Ok(match &*exceeded.bound {
                "tokens" => StopReason::MaxTokens,
                "turns" | "total-turns" => StopReason::MaxTurnRequests,
                _ => StopReason::EndTurn,
            })
        }
    }
}
