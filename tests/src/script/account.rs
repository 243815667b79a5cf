//! The results of a script: all requests, the tool calls made and denied, and the end.

use callsheet::conversation::{Message, ModelRequest, Role, ToolRequest, ToolSpec};
use callsheet::delegation::{Ending, Event, Happening, Outcome, Usage};
use serde::Serialize;

/// An account. Its lists are sorted, since agents work side by side.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Account {
    /// The program's exit code.
    pub exit: i32,
    /// Requests to models.
    pub asked: Vec<Asked>,
    /// Tool calls that were allowed, and whether they need no confirmation.
    pub called: Vec<String>,
    /// Tools that call agents, as a model sees them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub described: Vec<Described>,
    /// Tool calls that were denied.
    pub refused: Vec<String>,
    /// Tool calls that were invalid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invalid: Vec<String>,
    /// Settings that were ignored.
    pub ignored: Vec<String>,
    /// Agents whose conversations were shortened, and the number of results left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shortened: Vec<String>,
    /// How it ended.
    #[serde(flatten)]
    pub end: End,
    /// What it used.
    pub used: Used,
}

/// A request to a model.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Asked {
    agent: String,
    model: String,
    tools: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_budget: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_key_variable: Option<String>,
    messages: Vec<String>,
}

/// A tool that calls agents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Described {
    /// The agent that it is offered to.
    to: String,
    name: String,
    description: Vec<String>,
    schema: serde_json::Value,
}

/// How a session ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// It does not end.
    #[default]
    Endless,
    /// It did not start.
    Unopened(String),
    /// With an answer.
    Answer(String),
    /// At a limit.
    Bound {
        /// The limit.
        name: String,
        /// The partial answer.
        partial: String,
    },
    /// Without an answer.
    Failed(String),
    /// It was canceled.
    Cancelled,
}

/// What a session used.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Used {
    pub(super) turns: u64,
    /// Agents that were called.
    pub children: u64,
    #[serde(skip_serializing_if = "is_nothing")]
    pub(super) input_tokens: u64,
    #[serde(skip_serializing_if = "is_nothing")]
    pub(super) output_tokens: u64,
    #[serde(skip_serializing_if = "is_nothing")]
    pub(super) cost: u64,
}

fn is_nothing(number: &u64) -> bool {
    *number == 0
}

impl Account {
    /// Of a session that did not start.
    pub(super) fn unopened(reason: String) -> Self {
        Self {
            exit: 2,
            end: End::Unopened(reason),
            ..Self::default()
        }
    }

    /// A request to a model.
    pub(super) fn asked(&mut self, request: &ModelRequest) {
        let tools: Vec<&str> = request.tools.iter().map(|tool| &*tool.name).collect();
        self.asked.push(Asked {
            agent: request.agent.join("/"),
            model: match &request.provider {
                Some(provider) => format!("{provider}:{}", request.model),
                None => request.model.clone(),
            },
            tools: tools.join(", "),
            max_tokens: request.max_tokens,
            thinking_budget: request.thinking_budget,
            effort: request.effort.clone(),
            base_url: request.base_url.clone(),
            api_key_variable: request.api_key_variable.clone(),
            messages: request.messages.iter().map(said).collect(),
        });
    }

    /// How a tool is offered.
    pub(super) fn described(&mut self, to: &[String], tool: &ToolSpec) {
        let described = Described {
            to: to.join("/"),
            name: tool.name.clone(),
            description: tool.description.lines().map(str::to_owned).collect(),
            schema: serde_json::from_str(&tool.schema).expect("a schema is JSON"),
        };
        if !self.described.contains(&described) {
            self.described.push(described);
        }
    }

    /// A call that is allowed.
    pub(super) fn called(&mut self, request: &ToolRequest) {
        let permitted = if request.permitted { " (permitted)" } else { "" };
        let (mut who, call) = (request.agent.join("/"), &request.call);
        if let Some(workspace) = &request.workspace {
            who.push_str(&format!(
                " in {} of {}",
                workspace.root,
                workspace.agent.join("/")
            ));
        }
        self.called
            .push(format!("{who}: {} {}{permitted}", call.name, call.arguments));
    }

    /// What was decided without asking the host.
    pub(super) fn heard(&mut self, event: &Event) {
        let who = event.agent.join("/");
        match &event.what {
            Happening::Refused(it) => self.refuse(&who, &it.tool, &it.reason),
            Happening::Invalid(it) => self.reject(&who, &it.tool, &it.reason),
            Happening::Ignored(what) => self.ignore(&who, what),
            Happening::Compacted(results) => self.shorten(&who, u64::from(*results)),
            _ => {}
        }
    }

    pub(super) fn refuse(&mut self, who: &str, tool: &str, reason: &str) {
        self.refused.push(format!("{who}: {tool}: {reason}"));
    }

    pub(super) fn reject(&mut self, who: &str, tool: &str, reason: &str) {
        self.invalid.push(format!("{who}: {tool}: {reason}"));
    }

    pub(super) fn ignore(&mut self, who: &str, what: &str) {
        self.ignored.push(format!("{who}: {what}"));
    }

    pub(super) fn shorten(&mut self, who: &str, results: u64) {
        self.shortened.push(format!("{who}: {results}"));
    }

    /// Closes the account. Denials by the user count, too.
    pub(super) fn close(&mut self, outcome: Option<Outcome>, usage: &Usage, refused: bool) {
        self.end = match outcome.map(|it| (it.ending, it.text)) {
            None => End::Endless,
            Some((Ending::Answer, text)) => End::Answer(text),
            Some((Ending::Bound(exceeded), _)) => End::Bound {
                name: exceeded.bound,
                partial: exceeded.partial,
            },
            Some((Ending::Failed, reason)) => End::Failed(reason),
            Some((Ending::Cancelled, _)) => End::Cancelled,
        };
        self.used = Used {
            turns: usage.turns.into(),
            children: usage.children.into(),
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cost: usage.cost,
        };
        self.exit = match &self.end {
            End::Answer(_) if refused => 3,
            End::Answer(_) => 0,
            End::Bound { .. } => 4,
            _ => 5,
        };
        self.sort();
    }

    pub(super) fn sort(&mut self) {
        self.asked.sort();
        self.called.sort();
        self.refused.sort();
        self.invalid.sort();
        self.ignored.sort();
        self.shortened.sort();
    }

    /// As a JSON value.
    pub fn value(&self) -> serde_json::Value {
        serde_json::to_value(self).expect("it is plain data")
    }

    /// As JSON.
    pub fn text(&self) -> String {
        format!("{:#}\n", self.value())
    }
}

fn said(message: &Message) -> String {
    let calls = message.calls.iter();
    let calls: String = calls
        .map(|call| format!(" -> {} {}", call.name, call.arguments))
        .collect();
    let who = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let failed = if message.is_error { " (error)" } else { "" };
    format!("{who}{failed}: {}{calls}", message.text)
}
