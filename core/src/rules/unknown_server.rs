//! An MCP server that the project does not configure.
//!
//! The project configures its MCP servers in a file, and the agent uses another one. Without that server, the agent does not work as
//! intended.
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

/// Prefixes of servers that are built in, or come with an account or a plugin.
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
            let message = format!("the project does not configure MCP server `{}`", mention.name);
            if let Some(mut diagnostic) = member.diagnostic(&RULE, mention.at, message) {
                diagnostic.help = Some("add it to .mcp.json to share it with the project".to_string());
                found.push(diagnostic);
            }
        }
    }
}

fn own(member: &Member<'_>, folded: &str) -> bool {
    member.mentions.own_servers.iter().any(|own| alike(own, folded))
}
