//! An MCP server that the agent uses but does not list.
//!
//! A list of tools excludes everything that it does not name, including the tools of MCP servers. An agent that configures a server, or
//! whose prompt names a server's tools, cannot use them.
//!
//! ```yaml
//! tools: Read, Grep
//! mcpServers: [github]
//! ```
//!
//! In Claude Code, write instead:
//!
//! ```yaml
//! tools: Read, Grep, mcp__github__*
//! mcpServers: [github]
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::closest::alike;
use crate::definition::{Field, ToolFilter};
use crate::diagnostic::{Finding, Severity};
use crate::dialect::Canonical;
use crate::lines::find;
use crate::span::Span;
use crate::subject::Subject;
use crate::vocabulary::{self, Mcp, McpStyle};
use crate::yaml::Node;

crate::diagnostic::rule! {
    name: "unlisted-server",
    severity: Warning,
    fix: None,
    found: agent,
    evidence: "Claude Code documentation; several user reports of MCP tools missing in an agent",
}

const PREFIX: &str = "mcp__";

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let ToolFilter::Only(rules) = &subject.definition.tools else {
        return;
    };
    let style = vocabulary::of(subject.dialect.product()).and_then(|vocabulary| vocabulary.mcp);
    if style != Some(McpStyle::DoubleUnderscore) {
        return;
    }
    let listed = |server: &str| {
        rules
            .iter()
            .any(|rule| match McpStyle::DoubleUnderscore.parse(&rule.tool) {
                Some(Mcp::All) => true,
                Some(Mcp::Server(other) | Mcp::Tool(other, _)) => alike(other, server),
                None => rule.tool.starts_with(PREFIX) || rule.tool.contains(server),
            })
    };
    let mut named: Vec<&str> = Vec::new();
    if let Some(field) = subject.definition.field(Canonical::McpServers) {
        for server in subject
            .definition
            .mcp_servers
            .iter()
            .filter(|server| !listed(server))
        {
            named.push(server);
            let span = place(subject, field, server);
            findings.push(finding(server, "is configured", span, Severity::Warning));
        }
    }
    for (server, span) in mentioned(subject) {
        if !listed(server) && !named.contains(&server) {
            named.push(server);
            findings.push(finding(server, "is named in the prompt", span, Severity::Note));
        }
    }
}

/// Where the field has the name of a server.
fn place(subject: &Subject<'_>, field: &Field, server: &str) -> Span {
    let node = subject.node(field);
    let items = node.and_then(Node::items).unwrap_or_default();
    let maps = items.iter().chain(node).flat_map(Node::entries);
    let mut names = items.iter().chain(maps.map(|entry| &entry.key));
    let name = names.find(|name| name.as_text() == Some(server));
    name.map_or(field.value_span, |name| name.span)
}

fn finding(server: &str, how: &str, span: Span, severity: Severity) -> Finding {
    let message: String = format!("MCP server `{server}` {how}, but none of its tools is listed");
    Finding::new(&RULE, span, message)
        .severity(severity)
        .label("the agent cannot use it")
        .help(format!(
            "add `{PREFIX}{server}__*` or the needed tools to the list"
        ))
}

/// The servers whose tools the prompt names, with their places.
fn mentioned<'a>(subject: &Subject<'a>) -> Vec<(&'a str, Span)> {
    let body = subject.body();
    let start = subject.parts.body.start.index();
    if find(subject.text, subject.parts.body, PREFIX).is_none() {
        return Vec::new();
    }
    let named = body.match_indices(PREFIX).filter_map(|(at, _)| {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let rest = &body[at..];
        let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
        match McpStyle::DoubleUnderscore.parse(name) {
            Some(Mcp::Tool(server, _)) => Some((server, Span::new(start + at, start + at + name.len()))),
            _ => None,
        }
    });
    named.take(crate::limits::TOOLS).collect()
}
