//! The types that several interfaces use.

use callsheet_core::{catalog, definition, diagnostic, dialect, span};

use crate::bindings::exports::callsheet::agents::types;

pub(crate) fn list<A, B>(items: impl IntoIterator<Item = A>, convert: impl Fn(A) -> B) -> Vec<B> {
    items.into_iter().map(convert).collect()
}

pub fn span(span: span::Span) -> types::Span {
    types::Span {
        start: span.start.get(),
        end: span.end.get(),
    }
}

pub(crate) fn place(place: diagnostic::Place) -> types::Place {
    let position = |at: callsheet_core::lines::Position| types::Position {
        line: at.line,
        column: at.column,
    };
    types::Place {
        path: place.path,
        span: span(place.span),
        start: position(place.start),
        end: position(place.end),
    }
}

pub(crate) fn kind(kind: dialect::Kind) -> types::Kind {
    match kind {
        dialect::Kind::Agent => types::Kind::Agent,
        dialect::Kind::Skill => types::Kind::Skill,
        dialect::Kind::Command => types::Kind::Command,
    }
}

pub fn core_kind(kind: types::Kind) -> dialect::Kind {
    match kind {
        types::Kind::Agent => dialect::Kind::Agent,
        types::Kind::Skill => dialect::Kind::Skill,
        types::Kind::Command => dialect::Kind::Command,
    }
}

pub(crate) fn severity(severity: diagnostic::Severity) -> types::Severity {
    match severity {
        diagnostic::Severity::Error => types::Severity::Error,
        diagnostic::Severity::Warning => types::Severity::Warning,
        diagnostic::Severity::Note => types::Severity::Note,
    }
}

pub fn diagnostic(found: diagnostic::Diagnostic) -> types::Diagnostic {
    let label = |label: diagnostic::Label| types::Label {
        place: place(label.place),
        text: label.text,
    };
    let edit = |edit: diagnostic::Edit| types::Edit {
        span: span(edit.span),
        text: edit.text,
    };
    let fix = |fix: diagnostic::Fix| types::Fix {
        title: fix.title,
        safe: fix.safe,
        edits: list(fix.edits, edit),
    };
    types::Diagnostic {
        rule: found.rule.to_owned(),
        severity: severity(found.severity),
        message: found.message,
        primary: label(found.primary),
        related: list(found.related, label),
        note: found.note,
        help: found.help,
        fixes: list(found.fixes, fix),
    }
}

pub fn diagnostics(found: Vec<diagnostic::Diagnostic>) -> Vec<types::Diagnostic> {
    list(found, diagnostic)
}

pub(crate) fn level(level: dialect::Level) -> types::Level {
    match level {
        dialect::Level::BuiltIn => types::Level::BuiltIn,
        dialect::Level::Plugin => types::Level::Plugin,
        dialect::Level::User => types::Level::User,
        dialect::Level::Project => types::Level::Project,
        dialect::Level::Policy => types::Level::Policy,
        dialect::Level::CommandLine => types::Level::CommandLine,
        dialect::Level::Programmatic => types::Level::Programmatic,
    }
}

pub fn core_level(level: types::Level) -> dialect::Level {
    match level {
        types::Level::BuiltIn => dialect::Level::BuiltIn,
        types::Level::Plugin => dialect::Level::Plugin,
        types::Level::User => dialect::Level::User,
        types::Level::Project => dialect::Level::Project,
        types::Level::Policy => dialect::Level::Policy,
        types::Level::CommandLine => dialect::Level::CommandLine,
        types::Level::Programmatic => dialect::Level::Programmatic,
    }
}

pub(crate) fn origin(origin: catalog::Origin) -> types::Origin {
    types::Origin {
        dialect: origin.dialect,
        level: level(origin.level),
        source: origin.source,
        path: origin.path,
    }
}

pub(crate) fn tool_rule(rule: definition::ToolRule) -> types::ToolRule {
    types::ToolRule {
        tool: rule.tool,
        specifier: rule.specifier,
        span: span(rule.span),
    }
}

pub(crate) fn tool_filter(filter: definition::ToolFilter) -> types::ToolFilter {
    match filter {
        definition::ToolFilter::Absent => types::ToolFilter::Absent,
        definition::ToolFilter::Null => types::ToolFilter::Null,
        definition::ToolFilter::None => types::ToolFilter::None,
        definition::ToolFilter::All => types::ToolFilter::All,
        definition::ToolFilter::Only(rules) => types::ToolFilter::Only(list(rules, tool_rule)),
    }
}

pub(crate) fn model(model: definition::Model) -> types::ModelChoice {
    match model {
        definition::Model::Absent => types::ModelChoice::Absent,
        definition::Model::Inherit => types::ModelChoice::Inherit,
        definition::Model::Alias(alias) => types::ModelChoice::Alias(alias),
        definition::Model::Id(id) => types::ModelChoice::Id(id),
    }
}

pub fn agent(agent: definition::Definition, from: catalog::Origin) -> types::Agent {
    let field = |field: definition::Field| types::Field {
        canonical: field.canonical.map(|field| field.name().to_owned()),
        key: field.key,
        value: field.value,
        key_span: span(field.key_span),
        value_span: span(field.value_span),
    };
    types::Agent {
        name: agent.name,
        description: agent.description,
        examples: agent.examples,
        tools: tool_filter(agent.tools),
        denied_tools: list(agent.denied_tools, tool_rule),
        model: model(agent.model),
        model_name: agent.model_name,
        provider: agent.provider,
        effort: agent.effort,
        max_tokens: agent.max_tokens,
        thinking_budget: agent.thinking_budget,
        allowed_commands: agent.allowed_commands,
        endpoint: agent.endpoint.map(|endpoint| types::Endpoint {
            base_url: endpoint.base_url,
            api_key_variable: endpoint.api_key_variable,
        }),
        context: agent.context,
        fork_context: agent.fork_context,
        color: agent.color,
        permission_mode: agent.permission_mode,
        limits: types::Limits {
            turns: agent.limits.turns,
        },
        skills: agent.skills,
        hooks: agent.hooks,
        mcp_servers: agent.mcp_servers,
        servers: agent.servers,
        system_prompt: agent.system_prompt,
        body: span(agent.body),
        origin: origin(from),
        fields: list(agent.fields, field),
    }
}
