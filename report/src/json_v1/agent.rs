//! One agent, with all fields of its file.

use serde::Serialize;

use super::built::Origins;

use callsheet_contract::types as wit;

use super::diagnostic::Span;
use super::document::Document;
use super::graph::User;
use crate::{report, words};

#[derive(Serialize)]
pub(super) struct Show<'a> {
    dialect: &'a str,
    also_in: &'a [String],
    agent: Agent<'a>,
    document: Option<Document<'a>>,
    used_by: Vec<User<'a>>,
    compiled_from: Option<Origins<'a>>,
}

impl<'a> From<&'a report::Shown> for Show<'a> {
    fn from(shown: &'a report::Shown) -> Self {
        Self {
            dialect: &shown.dialect,
            also_in: &shown.also,
            agent: (&shown.agent).into(),
            document: shown.document.as_ref().map(Into::into),
            used_by: shown.users.iter().map(Into::into).collect(),
            compiled_from: shown.origins.as_ref().map(Into::into),
        }
    }
}

#[derive(Serialize)]
struct Agent<'a> {
    name: &'a str,
    description: &'a str,
    examples: &'a [String],
    tools: ToolFilter<'a>,
    denied_tools: Vec<ToolRule<'a>>,
    model: ModelChoice<'a>,
    model_name: Option<&'a str>,
    provider: Option<&'a str>,
    effort: Option<&'a str>,
    max_tokens: Option<i64>,
    thinking_budget: Option<i64>,
    allowed_commands: Option<&'a [String]>,
    endpoint: Option<Endpoint<'a>>,
    context: Option<&'a str>,
    fork_context: Option<bool>,
    color: Option<&'a str>,
    permission_mode: Option<&'a str>,
    limits: Limits,
    skills: &'a [String],
    hooks: &'a [String],
    mcp_servers: &'a [String],
    system_prompt: &'a str,
    body: Span,
    origin: Origin<'a>,
    fields: Vec<Field<'a>>,
}

impl<'a> From<&'a wit::Agent> for Agent<'a> {
    fn from(agent: &'a wit::Agent) -> Self {
        Self {
            name: &agent.name,
            description: &agent.description,
            examples: &agent.examples,
            tools: (&agent.tools).into(),
            denied_tools: agent.denied_tools.iter().map(Into::into).collect(),
            model: (&agent.model).into(),
            model_name: agent.model_name.as_deref(),
            provider: agent.provider.as_deref(),
            effort: agent.effort.as_deref(),
            max_tokens: agent.max_tokens,
            thinking_budget: agent.thinking_budget,
            allowed_commands: agent.allowed_commands.as_deref(),
            endpoint: agent.endpoint.as_ref().map(Into::into),
            context: agent.context.as_deref(),
            fork_context: agent.fork_context,
            color: agent.color.as_deref(),
            permission_mode: agent.permission_mode.as_deref(),
            limits: Limits {
                turns: agent.limits.turns,
            },
            skills: &agent.skills,
            hooks: &agent.hooks,
            mcp_servers: &agent.mcp_servers,
            system_prompt: &agent.system_prompt,
            body: agent.body.into(),
            origin: (&agent.origin).into(),
            fields: agent.fields.iter().map(Into::into).collect(),
        }
    }
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum ToolFilter<'a> {
    Absent,
    Null,
    None,
    All,
    Only { rules: Vec<ToolRule<'a>> },
}

impl<'a> From<&'a wit::ToolFilter> for ToolFilter<'a> {
    fn from(filter: &'a wit::ToolFilter) -> Self {
        match filter {
            wit::ToolFilter::Absent => Self::Absent,
            wit::ToolFilter::Null => Self::Null,
            wit::ToolFilter::None => Self::None,
            wit::ToolFilter::All => Self::All,
            wit::ToolFilter::Only(rules) => Self::Only {
                rules: rules.iter().map(Into::into).collect(),
            },
        }
    }
}

#[derive(Serialize)]
pub(super) struct ToolRule<'a> {
    tool: &'a str,
    specifier: Option<&'a str>,
    span: Span,
}

impl<'a> From<&'a wit::ToolRule> for ToolRule<'a> {
    fn from(rule: &'a wit::ToolRule) -> Self {
        Self {
            tool: &rule.tool,
            specifier: rule.specifier.as_deref(),
            span: rule.span.into(),
        }
    }
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum ModelChoice<'a> {
    Absent,
    Inherit,
    Alias { name: &'a str },
    Id { name: &'a str },
}

impl<'a> From<&'a wit::ModelChoice> for ModelChoice<'a> {
    fn from(model: &'a wit::ModelChoice) -> Self {
        match model {
            wit::ModelChoice::Absent => Self::Absent,
            wit::ModelChoice::Inherit => Self::Inherit,
            wit::ModelChoice::Alias(name) => Self::Alias { name },
            wit::ModelChoice::Id(name) => Self::Id { name },
        }
    }
}

#[derive(Serialize)]
struct Endpoint<'a> {
    base_url: Option<&'a str>,
    api_key_variable: Option<&'a str>,
}

impl<'a> From<&'a wit::Endpoint> for Endpoint<'a> {
    fn from(endpoint: &'a wit::Endpoint) -> Self {
        Self {
            base_url: endpoint.base_url.as_deref(),
            api_key_variable: endpoint.api_key_variable.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct Limits {
    turns: Option<u32>,
}

#[derive(Serialize)]
pub(super) struct Origin<'a> {
    dialect: &'a str,
    level: &'static str,
    source: &'a str,
    path: Option<&'a str>,
}

impl<'a> From<&'a wit::Origin> for Origin<'a> {
    fn from(origin: &'a wit::Origin) -> Self {
        Self {
            dialect: &origin.dialect,
            level: words::level(origin.level),
            source: &origin.source,
            path: origin.path.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct Field<'a> {
    canonical: Option<&'a str>,
    key: &'a str,
    value: &'a str,
    key_span: Span,
    value_span: Span,
}

impl<'a> From<&'a wit::Field> for Field<'a> {
    fn from(field: &'a wit::Field) -> Self {
        Self {
            canonical: field.canonical.as_deref(),
            key: &field.key,
            value: &field.value,
            key_span: field.key_span.into(),
            value_span: field.value_span.into(),
        }
    }
}
