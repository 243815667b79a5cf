//! An MCP server that the project does not configure.
//!
//! The project says in a file which servers it has, and the agent uses another one. Who does not happen to have that server cannot use
//! the agent as it is meant.
//!
//! ```yaml
//! tools: Read, mcp__github__get_issue
//! ```
//!
//! Add the server to `.mcp.json`, or to `mcpServers` of the agent.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::cast::{Cast, Member};
use crate::closest::{alike, fold};
use crate::diagnostic::Diagnostic;

crate::diagnostic::rule! {
    name: "unknown-server",
    severity: Note,
    fix: None,
    found: cast,
    evidence: "Claude Code documentation of MCP scopes; the .mcp.json of the project",
}

/// Servers that the product has itself, or names for those that come with an account or a plugin.
const OTHERS: &[&str] = &["claudeai", "claudeinchrome", "plugin"];

pub(super) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    let Some(servers) = &cast.servers else { return };
    let known: Vec<_> = servers.iter().map(|server| fold(server)).collect();
    for member in &cast.members {
        let mut named: Vec<&str> = Vec::new();
        for mention in &member.mentions.servers {
            let server = fold(&mention.name);
            let own = || own(member, &server);
            let other = server == "ide" || OTHERS.iter().any(|other| server.starts_with(other));
            if known.contains(&server) || other || named.contains(&&*mention.name) || own() {
                continue;
            }
            named.push(&mention.name);
            let message = format!("the project does not configure the MCP server `{}`", mention.name);
            if let Some(mut diagnostic) = member.diagnostic(&RULE, mention.at, message) {
                diagnostic.help =
                    Some("add it to .mcp.json, if all who work on the project are to have it".to_string());
                found.push(diagnostic);
            }
        }
    }
}

fn own(member: &Member<'_>, folded: &str) -> bool {
    member.mentions.own_servers.iter().any(|own| alike(own, folded))
}
