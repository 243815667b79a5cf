//! A request to a model.

use callsheet_contract::conversation::{Message, ModelRequest, Role, ToolSpec};
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
pub(super) struct Prompt<'a> {
    dialect: &'a str,
    agent: &'a [String],
    provider: Option<&'a str>,
    model: &'a str,
    messages: Vec<Said<'a>>,
    tools: Vec<Tool<'a>>,
}

#[derive(Serialize)]
struct Said<'a> {
    role: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    /// As JSON; a string if it is not valid.
    schema: Value,
}

impl<'a> Prompt<'a> {
    pub(super) fn new(dialect: &'a str, request: &'a ModelRequest) -> Self {
        Self {
            dialect,
            agent: &request.agent,
            provider: request.provider.as_deref(),
            model: &request.model,
            messages: request.messages.iter().map(Said::from).collect(),
            tools: request.tools.iter().map(Tool::from).collect(),
        }
    }
}

impl<'a> From<&'a Message> for Said<'a> {
    fn from(message: &'a Message) -> Self {
        let role = match message.role {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        };
        let text = &message.text;
        Self { role, text }
    }
}

impl<'a> From<&'a ToolSpec> for Tool<'a> {
    fn from(tool: &'a ToolSpec) -> Self {
        Self {
            name: &tool.name,
            description: &tool.description,
            schema: serde_json::from_str(&tool.schema).unwrap_or_else(|_| tool.schema.clone().into()),
        }
    }
}
