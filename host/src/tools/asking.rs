//! Asks the user before a tool call that is not allowed already.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::rule::{entry, rule};
use crate::conversation::{CallError, ToolAnswer, ToolCall, ToolRequest, ToolSpec};
use crate::lent::{Answer, Caller, Tools};

/// A call that needs confirmation.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The agent, the outermost first.
    pub agent: Vec<String>,
    /// The call.
    pub call: ToolCall,
    /// The effect: a command, a unified diff, or the arguments. Written by a model: it may contain control characters.
    pub what: String,
    /// The rule to remember for this call; none if there is none, or no file for it.
    pub rule: Option<String>,
}

/// The user's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This time.
    Once,
    /// This tool, whatever it does, until the program ends.
    ToolForSession,
    /// This call, from now on.
    Remember,
    /// Denied, with a reason for the model.
    No(Option<String>),
    /// There is no user to ask.
    Unasked,
}

/// Asks the user, one question at a time.
pub trait Asker: Send + Sync {
    /// Asks a question.
    fn ask<'a>(&'a self, question: &'a Question) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>>;

    /// Prints a remark.
    fn tell(&self, _remark: &str) {}
}

/// Without a user to ask.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unattended;

impl Asker for Unattended {
    fn ask<'a>(&'a self, _: &'a Question) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(std::future::ready(Decision::Unasked))
    }
}

/// Stores a rule for later runs.
pub type Remember = Box<dyn Fn(&str) -> io::Result<()> + Send + Sync>;

/// Tools that run once the user has confirmed, or without confirmation if none is needed.
pub struct Asking {
    inner: Arc<dyn Tools>,
    asker: Arc<dyn Asker>,
    remember: Option<Remember>,
    granted: Mutex<BTreeSet<String>>,
    /// Confirmed calls that are not made yet: an agent, and its model's ID of the call.
    permitted: Mutex<BTreeSet<(Vec<String>, String)>>,
    /// Held during a question.
    turn: tokio::sync::Mutex<()>,
}

impl Asking {
    /// Asks before these tools are called.
    pub fn new(inner: Arc<dyn Tools>, asker: Arc<dyn Asker>) -> Self {
        Self {
            inner,
            asker,
            remember: None,
            granted: Mutex::default(),
            permitted: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
        }
    }

    /// Sets the store of rules, without which none is offered.
    #[must_use]
    pub fn remembering(mut self, remember: Remember) -> Self {
        self.remember = Some(remember);
        self
    }

    async fn permission(&self, request: &ToolRequest) -> Result<Option<ToolAnswer>, CallError> {
        if request.permitted {
            return Ok(None);
        }
        let failed = self.decide(request).await?;
        if failed.is_none() {
            lock(&self.permitted).insert(name(request));
        }
        Ok(failed)
    }

    async fn answer(&self, request: &ToolRequest, caller: &Caller) -> Result<ToolAnswer, CallError> {
        let known = request.permitted || lock(&self.permitted).remove(&name(request));
        if !known && let Some(failed) = self.decide(request).await? {
            return Ok(failed);
        }
        self.inner.call(request, caller).await
    }

    /// Returns if the call may be made, or with its answer if that is already known: failing calls are not asked about.
    async fn decide(&self, request: &ToolRequest) -> Result<Option<ToolAnswer>, CallError> {
        let _turn = self.turn.lock().await;
        let tool = &request.call.name;
        let specs = self.inner.specs();
        let rule = rule(&request.call, &specs);
        if self.is_granted(tool, rule.as_deref()) {
            return Ok(None);
        }
        self.inner.ready(request).await?;
        let what = match self.inner.preview(request) {
            Some(Err(text)) => return Ok(Some(ToolAnswer { text, is_error: true })),
            Some(Ok(what)) => what,
            None => request.call.arguments.clone(),
        };
        let question = Question {
            agent: request.agent.clone(),
            call: request.call.clone(),
            what,
            rule: rule.clone().filter(|_| self.remember.is_some()),
        };
        match self.asker.ask(&question).await {
            Decision::Once => {}
            Decision::ToolForSession => self.grant(tool.clone()),
            Decision::Remember => self.keep(rule),
            Decision::No(reason) => return Err(CallError::Denied(refusal(reason))),
            Decision::Unasked => return Err(CallError::Denied(unasked(tool, entry(&request.call, &specs)))),
        }
        Ok(None)
    }

    /// A tool's name, or a rule with parentheses, which names never contain.
    fn is_granted(&self, tool: &str, rule: Option<&str>) -> bool {
        let granted = lock(&self.granted);
        granted.contains(tool) || rule.is_some_and(|rule| granted.contains(rule))
    }

    fn grant(&self, what: String) {
        lock(&self.granted).insert(what);
    }

    fn keep(&self, rule: Option<String>) {
        let (Some(rule), Some(remember)) = (rule, &self.remember) else {
            return;
        };
        if let Err(error) = remember(&rule) {
            self.asker.tell(&format!("`{rule}` was not remembered: {error}"));
        }
        self.grant(rule);
    }
}

impl Tools for Asking {
    fn specs(&self) -> Vec<ToolSpec> {
        self.inner.specs()
    }

    fn inner(&self) -> Option<&dyn Tools> {
        Some(&*self.inner)
    }

    fn permit<'a>(&'a self, request: &'a ToolRequest) -> Answer<'a, Option<ToolAnswer>> {
        Box::pin(self.permission(request))
    }

    fn call<'a>(&'a self, request: &'a ToolRequest, caller: &'a Caller) -> Answer<'a, ToolAnswer> {
        Box::pin(self.answer(request, caller))
    }
}

/// A poisoned lock is safe: a set is always whole.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn name(request: &ToolRequest) -> (Vec<String>, String) {
    (request.agent.clone(), request.call.id.clone())
}

fn refusal(reason: Option<String>) -> String {
    match reason {
        Some(reason) => format!("the user denied it: {reason}"),
        None => "the user denied it".into(),
    }
}

fn unasked(tool: &str, entry: Option<String>) -> String {
    let how = match entry {
        Some(entry) => {
            let quoted = shlex::try_quote(&entry).unwrap_or(Cow::Borrowed(&entry));
            format!("The user can allow it with `--allow {quoted}`, or with a wider `--permission-mode`")
        }
        None => {
            "No entry of `--allow` covers only this call; a wider `--permission-mode` may allow it".to_owned()
        }
    };
    format!("`{tool}` needs permission, and there is no terminal to ask the user. {how}")
}
