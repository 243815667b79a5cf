//! Converts session requests to the contract.

use std::collections::BTreeMap;

use callsheet_contract::conversation::{CallError, ModelAnswer, ToolAnswer, ToolCall, ToolSpec};
use callsheet_contract::delegation::{self, Bounds, Isolation, ModelChoice, PermissionMode};
use serde::Deserialize;
use serde_json::Value;

use crate::requests::Paths;

#[derive(Deserialize)]
pub(super) struct Open {
    pub(super) files: Paths,
    pub(super) dialect: String,
    pub(super) task: Task,
    pub(super) tools: Vec<Tool>,
    pub(super) settings: Settings,
}

#[derive(Deserialize)]
pub(super) struct Task {
    agent: String,
    prompt: String,
    description: Option<String>,
    model: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Tool {
    name: String,
    description: String,
    schema: Value,
}

#[derive(Deserialize)]
pub(super) struct Settings {
    bounds: Limits,
    attenuate: bool,
    mode: Mode,
    allow: Vec<String>,
    trusted: Vec<String>,
    root: String,
    home: String,
    base_prompt: String,
    default_model: Model,
    aliases: BTreeMap<String, Model>,
}

#[derive(Deserialize)]
struct Limits {
    depth: u32,
    turns: u32,
    total_turns: u32,
    children: u32,
    parallel: u32,
    tokens: Option<u64>,
    cost: Option<u64>,
    context: Option<u64>,
    deadline: Option<u64>,
    result_bytes: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Mode {
    Plan,
    Default,
    AcceptEdits,
    Bypass,
}

#[derive(Deserialize)]
struct Model {
    provider: Option<String>,
    model: String,
}

/// The reply to a step.
pub(super) struct Reply {
    pub(super) step: u32,
    pub(super) answer: delegation::Reply,
}

#[derive(Deserialize)]
struct Answered {
    step: u32,
    model: Option<Said>,
    tool: Option<Done>,
    failed: Option<Failed>,
}

#[derive(Deserialize)]
struct Said {
    text: String,
    calls: Vec<Call>,
    input_tokens: u32,
    output_tokens: u32,
    cost: Option<u64>,
}

#[derive(Deserialize)]
struct Call {
    id: String,
    name: String,
    arguments: String,
}

#[derive(Deserialize)]
struct Done {
    text: String,
    is_error: bool,
}

#[derive(Deserialize)]
struct Failed {
    error: String,
    text: String,
}

/// Decodes a validated body with defaults filled in.
pub(super) fn request<Request: for<'a> Deserialize<'a>>(body: Value) -> Request {
    serde_json::from_value(body).expect("it fits the description, and so does the type")
}

pub(super) fn reply(body: Value) -> Reply {
    let Answered {
        step,
        model,
        tool,
        failed,
    } = request(body);
    let answer = match (model, tool, failed) {
        (Some(said), ..) => delegation::Reply::Model(said.into()),
        (None, Some(Done { text, is_error }), _) => delegation::Reply::Tool(ToolAnswer { text, is_error }),
        (None, None, failed) => delegation::Reply::Failed(failed.map_or(CallError::TimedOut, Into::into)),
    };
    Reply { step, answer }
}

pub(super) fn tools(tools: Vec<Tool>) -> Vec<ToolSpec> {
    let spec = |tool: Tool| ToolSpec {
        name: tool.name,
        description: tool.description,
        schema: tool.schema.to_string(),
    };
    tools.into_iter().map(spec).collect()
}

impl From<Task> for delegation::Task {
    fn from(task: Task) -> Self {
        Self {
            agent: task.agent,
            prompt: task.prompt,
            description: task.description,
            model: task.model,
        }
    }
}

impl From<Settings> for delegation::Settings {
    fn from(settings: Settings) -> Self {
        let aliases = settings.aliases.into_iter();
        Self {
            bounds: settings.bounds.into(),
            attenuate: settings.attenuate,
            mode: match settings.mode {
                Mode::Plan => PermissionMode::Plan,
                Mode::Default => PermissionMode::Default,
                Mode::AcceptEdits => PermissionMode::AcceptEdits,
                Mode::Bypass => PermissionMode::Bypass,
            },
            allow: settings.allow,
            trusted: settings.trusted,
            root: settings.root,
            isolation: Isolation::Unavailable("this service makes no worktrees".to_owned()),
            surroundings: None,
            home: Some(settings.home),
            base_prompt: settings.base_prompt,
            default_model: settings.default_model.into(),
            aliases: aliases.map(|(word, model)| (word, model.into())).collect(),
        }
    }
}

impl From<Limits> for Bounds {
    fn from(limits: Limits) -> Self {
        Self {
            depth: limits.depth,
            turns: limits.turns,
            total_turns: limits.total_turns,
            children: limits.children,
            parallel: limits.parallel,
            tokens: limits.tokens,
            cost: limits.cost,
            context: limits.context,
            deadline: limits.deadline,
            result_bytes: limits.result_bytes,
        }
    }
}

impl From<Model> for ModelChoice {
    fn from(Model { provider, model }: Model) -> Self {
        Self { provider, model }
    }
}

impl From<Said> for ModelAnswer {
    fn from(said: Said) -> Self {
        let call = |Call { id, name, arguments }: Call| ToolCall { id, name, arguments };
        Self {
            text: said.text,
            calls: said.calls.into_iter().map(call).collect(),
            input_tokens: said.input_tokens,
            output_tokens: said.output_tokens,
            cost: said.cost,
        }
    }
}

impl From<Failed> for CallError {
    fn from(Failed { error, text }: Failed) -> Self {
        match &*error {
            "unavailable" => Self::Unavailable(text),
            "denied" => Self::Denied(text),
            "timed-out" => Self::TimedOut,
            "too-long" => Self::TooLong(text),
            _ => Self::Other(text),
        }
    }
}
