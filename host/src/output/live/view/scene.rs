//! What the agents of a session did so far.

use std::time::Instant;

use super::super::board::{Board, Row, named};
use super::super::lines;
use super::agents::{Agent, Call, CallState, Entry, State};
use super::words::line;
use crate::conversation::{ModelRequest, ToolAnswer, ToolCall};
use crate::delegation::{Ending, Event, Happening, Outcome, Returned, Usage};
use crate::drive::InFlight;
use crate::output::report::AgentUsage;
use crate::output::text::{clean, clean_lines, shortened};

/// The most bytes of texts that are kept: a long session must not fill the memory. The saved session has all of them.
const TEXTS: usize = 64 << 20;

/// What is kept of a text after that.
const BRIEF: usize = 400;

/// A session: its agents, called ones below their callers.
#[derive(Default)]
pub(super) struct Scene {
    pub(super) agents: Vec<Agent>,
    /// What it used, if known.
    pub(super) usage: Option<Usage>,
    /// Lines that stay on the terminal.
    pub(super) lasting: Vec<String>,
    board: Board,
    texts: usize,
    /// The answer of an agent, until its caller's call is answered with it.
    just_ended: Option<String>,
    /// The time of the last event, by two clocks.
    last: Option<(Instant, u64)>,
}

impl Scene {
    /// The time of the session's clock.
    pub(super) fn now(&self) -> u64 {
        self.last.map_or(0, |(instant, at)| {
            at.saturating_add(u64::try_from(instant.elapsed().as_nanos()).unwrap_or(u64::MAX))
        })
    }

    /// Begins at this time of the session's clock.
    pub(super) fn begin(&mut self, now: u64) {
        self.last = Some((Instant::now(), now));
    }

    /// The cost in all, in millionths.
    pub(super) fn cost(&self) -> u64 {
        self.usage.map_or(0, |usage| usage.cost)
    }

    /// The agent that makes a call. A call from before the session was saved had no event.
    pub(super) fn caller(&mut self, path: &[String], call: &ToolCall) -> &mut Agent {
        let mut agents = self.agents.iter();
        let known =
            agents.position(|agent| agent.path == path && agent.entries.iter().any(|entry| entry.is(call)));
        let at = known.unwrap_or_else(|| {
            let at = self.saved(path);
            self.calls(at, self.now(), call, CallState::Runs);
            at
        });
        &mut self.agents[at]
    }

    pub(super) fn event(&mut self, event: &Event) {
        self.last = Some((Instant::now(), event.at));
        let row = self.board.take(event);
        self.lasting.extend(lines::lasting(event, &row));
        let at = self.row(&row, event.at);
        if matches!(
            event.what,
            Happening::Called(_) | Happening::Waits | Happening::Asked(_)
        ) {
            self.agents[at].doing.clone_from(&row.doing);
        }
        match &event.what {
            Happening::Called(task) => {
                let agent = &mut self.agents[at];
                (agent.state, agent.ended) = (State::Works, None);
                self.enter(at, "task", task, None);
            }
            Happening::Ignored(what) => self.enter(at, "ignored", what, None),
            Happening::Compacted(results) => self.enter(at, "shortened", &shortened(*results), None),
            Happening::Said(said) => self.said(at, &said.text),
            Happening::Calls(call) => self.calls(at, event.at, call, CallState::Runs),
            Happening::Refused(refused) => {
                self.refused(
                    at,
                    event.at,
                    &refused.id,
                    &refused.tool,
                    &refused.reason,
                    CallState::Denied,
                );
            }
            Happening::Invalid(invalid) => {
                self.refused(
                    at,
                    event.at,
                    &invalid.id,
                    &invalid.tool,
                    &invalid.reason,
                    CallState::Failed,
                );
            }
            Happening::Returned(returned) => self.returned(at, event.at, returned),
            Happening::Ended(outcome) => {
                self.just_ended = Some(outcome.text.clone());
                self.ended(at, event.at, outcome);
            }
            Happening::Waits | Happening::Asked(_) => {}
        }
    }

    /// The agent of a row, which is up to date afterwards.
    fn row(&mut self, row: &Row, now: u64) -> usize {
        let known = self.at(row.run);
        let known = known.or_else(|| {
            let mut agents = self.agents.iter();
            agents.position(|agent| agent.run.is_none() && agent.path == row.agent)
        });
        let at = known.unwrap_or_else(|| {
            self.saved(&row.agent[..row.agent.len().saturating_sub(1)]);
            self.add(&row.agent, now)
        });
        let agent = &mut self.agents[at];
        agent.run = Some(row.run);
        agent.name = row.labeled(row.agent.last().map(|name| clean(name)).unwrap_or_default());
        agent.turns = row.turns;
        agent.tokens = row.tokens;
        at
    }

    fn at(&self, run: u32) -> Option<usize> {
        self.agents.iter().position(|agent| agent.run == Some(run))
    }

    /// An agent that was at work when its session was saved, and its callers, which have no events before it.
    fn saved(&mut self, path: &[String]) -> usize {
        let now = self.now();
        (1..=path.len()).fold(0, |_, length| {
            let known = self.agents.iter().position(|agent| agent.path == path[..length]);
            known.unwrap_or_else(|| self.add(&path[..length], now))
        })
    }

    /// Adds an agent below its caller, after the caller's other agents.
    fn add(&mut self, path: &[String], now: u64) -> usize {
        let callers = &path[..path.len().saturating_sub(1)];
        let before = self
            .agents
            .iter()
            .rposition(|agent| agent.path.starts_with(callers));
        let at = before.map_or(self.agents.len(), |at| at + 1);
        let agent = Agent {
            id: self.agents.len(),
            run: None,
            path: path.to_vec(),
            name: path.last().map(|name| clean(name)).unwrap_or_default(),
            state: State::Works,
            doing: String::new(),
            turns: 0,
            tokens: 0,
            cost: 0,
            entries: Vec::new(),
            began: now,
            ended: None,
            is_heard: false,
        };
        self.agents.insert(at, agent);
        at
    }

    /// A piece of an answer.
    pub(super) fn heard(&mut self, run: u32, piece: &str) {
        let doing = self.board.hear(run, piece).map(|row| row.doing.clone());
        let Some(at) = self.at(run) else {
            return;
        };
        if !self.agents[at].is_heard {
            self.enter(at, "says", "", None);
            self.agents[at].is_heard = true;
        }
        let piece = self.kept(piece);
        let agent = &mut self.agents[at];
        agent.doing = doing.unwrap_or_default();
        if let Some(entry) = agent.entries.last_mut() {
            entry.text.push_str(&piece);
        }
    }

    /// A call was answered: by a tool, or by the agent that just ended.
    fn returned(&mut self, at: usize, now: u64, returned: &Returned) {
        let state = if returned.is_error {
            CallState::Failed
        } else {
            CallState::Succeeded
        };
        let answer = self.just_ended.take();
        let Some(call) = self.agents[at].running(&returned.id) else {
            return;
        };
        call.end(state, now);
        if call.result.is_empty()
            && let Some(answer) = answer
        {
            call.result = clean_lines(&answer);
        }
    }

    /// A whole answer, which replaces its pieces.
    fn said(&mut self, at: usize, text: &str) {
        let agent = &mut self.agents[at];
        if std::mem::take(&mut agent.is_heard)
            && let Some(heard) = agent.entries.pop()
        {
            self.texts -= heard.text.len().min(self.texts);
        }
        if !text.trim().is_empty() {
            self.enter(at, "says", text, None);
        }
    }

    fn calls(&mut self, at: usize, now: u64, call: &ToolCall, state: CallState) {
        let begun = Call {
            state,
            result: String::new(),
            id: call.id.clone(),
            began: now,
            ended: None,
        };
        self.enter(at, &call.name, &call.arguments, Some(begun));
        let agent = &mut self.agents[at];
        if let Some(entry) = agent.entries.last() {
            agent.doing = format!("{} {}", entry.title, line(entry));
        }
    }

    /// The session tells nothing of such a call but this.
    fn refused(&mut self, at: usize, now: u64, id: &str, tool: &str, reason: &str, state: CallState) {
        let call = ToolCall {
            id: id.to_owned(),
            name: tool.to_owned(),
            arguments: String::new(),
        };
        self.calls(at, now, &call, state);
        let reason = self.kept(reason);
        if let Some(call) = self.agents[at]
            .entries
            .last_mut()
            .and_then(|entry| entry.call.as_mut())
        {
            call.result = reason;
            call.ended = Some(now);
        }
    }

    fn ended(&mut self, at: usize, now: u64, outcome: &Outcome) {
        let (state, title) = match outcome.ending {
            Ending::Answer => (State::Succeeded, "answered"),
            Ending::Bound(_) | Ending::Failed | Ending::Cancelled => (State::Failed, "stopped"),
        };
        let agent = &mut self.agents[at];
        agent.state = state;
        agent.ended = Some(now);
        agent.doing = title.to_owned();
        // The answer was said already.
        match agent.entries.last_mut() {
            Some(last) if last.title == "says" && last.text == clean_lines(&outcome.text) => {
                last.title = title.to_owned();
            }
            _ => self.enter(at, title, &outcome.text, None),
        }
    }

    /// What the command of a running call has printed so far.
    pub(super) fn printed(&mut self, path: &[String], call: &ToolCall, text: &str) {
        self.result(path, call, text, None);
    }

    /// A tool's result. Agents with the same callers and name are told apart by the call.
    pub(super) fn answered(&mut self, path: &[String], call: &ToolCall, answer: &ToolAnswer) {
        self.lasting.extend(lines::failed(path, call, answer));
        self.result(path, call, &answer.text, None);
    }

    pub(super) fn denied(&mut self, path: &[String], call: &ToolCall, reason: &str) {
        self.lasting.push(lines::denied(path, call, reason));
        self.result(path, call, reason, Some(CallState::Denied));
    }

    fn result(&mut self, path: &[String], call: &ToolCall, text: &str, state: Option<CallState>) {
        let (text, now) = (self.kept(text), self.now());
        let entries = self.caller(path, call).entries.iter_mut();
        let found = entries
            .rev()
            .find(|entry| entry.is(call))
            .and_then(|entry| entry.call.as_mut());
        if let Some(found) = found {
            found.result = text;
            if let Some(state) = state {
                found.end(state, now);
            }
        }
    }

    pub(super) fn again(&mut self, run: u32, now: u64, request: &ModelRequest) {
        self.last = Some((Instant::now(), now));
        let row = self.board.again(run, now, &request.agent, &request.model);
        let at = self.row(&row, now);
        self.agents[at].doing.clone_from(&row.doing);
        self.enter(at, "resumed", &format!("asks {}", named(&request.model)), None);
    }

    pub(super) fn in_doubt(&mut self, in_flight: &InFlight) {
        self.lasting.push(lines::in_doubt(in_flight));
        let at = self.saved(&in_flight.agent);
        let call = ToolCall {
            id: String::new(),
            name: in_flight.tool.clone(),
            arguments: in_flight.arguments.clone(),
        };
        self.calls(at, self.now(), &call, CallState::InDoubt);
    }

    pub(super) fn spent(&mut self, run: u32, usage: &AgentUsage) {
        if let Some(at) = self.at(run) {
            let agent = &mut self.agents[at];
            agent.cost = agent.cost.saturating_add(usage.cost);
        }
    }

    /// A remark of the program, which is about all agents.
    pub(super) fn remark(&mut self, words: &str) {
        self.lasting.push(clean_lines(words));
        if !self.agents.is_empty() {
            self.enter(0, "remark", words, None);
        }
    }

    fn enter(&mut self, at: usize, title: &str, text: &str, call: Option<Call>) {
        let text = self.kept(text);
        let agent = &mut self.agents[at];
        agent.is_heard = false;
        let title = clean(title);
        agent.entries.push(Entry { title, text, call });
    }

    /// The text without control characters, and shortened if there is too much of it in all.
    fn kept(&mut self, text: &str) -> String {
        let end = if self.texts < TEXTS {
            text.len()
        } else {
            text.floor_char_boundary(BRIEF)
        };
        let mut kept = clean_lines(&text[..end]);
        if end < text.len() {
            kept.push('…');
        }
        self.texts += kept.len();
        kept
    }
}
