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

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::cast::{Cast, Member};
use crate::closest::{alike, fold};
use crate::diagnostic::Diagnostic;
use crate::offered::Verdict;

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
    let known = Known::new(cast);
    for member in &cast.members {
        let mut named: Vec<&str> = Vec::new();
        for mention in &member.mentions.servers {
            let is_missing = known.verdict(member, &mention.name) == Verdict::Missing;
            if !is_missing || named.contains(&&*mention.name) {
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

/// The servers that the project configures, without case and separators; none if unknown.
pub(crate) struct Known(Option<BTreeSet<String>>);

impl Known {
    pub(crate) fn new(cast: &Cast<'_>) -> Self {
        let servers = cast.servers.as_ref();
        Self(servers.map(|servers| servers.iter().map(|server| fold(server)).collect()))
    }

    pub(crate) fn verdict(&self, member: &Member<'_>, name: &str) -> Verdict {
        let server = fold(name);
        let mut own = member.mentions.own_servers.iter();
        if own.any(|own| alike(own, &server)) || self.0.as_ref().is_some_and(|known| known.contains(&server))
        {
            Verdict::There
        } else if server == "ide" || OTHERS.iter().any(|other| server.starts_with(other)) {
            Verdict::Unknown
        } else {
            match self.0 {
                Some(_) => Verdict::Missing,
                None => Verdict::Unknown,
            }
        }
    }
}
