//! An MCP server that the project does not configure.
//!
//! The project configures its MCP servers in a file, and the agent uses one that is not in it. Without that server, the agent does not work as
//! intended.
//!
//! ```yaml
//! tools: Read, mcp__github__get_issue
//! ```
//!
//! Add the server to `.mcp.json`, or to `mcpServers` of the agent.

use alloc::collections::BTreeMap;
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

/// The servers that the project configures, by their names without case and separators.
pub(crate) struct Known {
    servers: BTreeMap<String, String>,
    /// Whether agents are expected to use no others.
    are_all: bool,
}

impl Known {
    pub(crate) fn new(cast: &Cast<'_>) -> Self {
        let mut servers = BTreeMap::new();
        let known = cast.servers.iter().flatten();
        servers.extend(known.map(|server| (fold(server), server.clone())));
        Self {
            servers,
            are_all: cast.servers.is_some() && cast.dialect.servers.expected,
        }
    }

    /// The name under which a server is configured, by the file itself or by the project.
    pub(crate) fn find<'a>(&'a self, member: &'a Member<'_>, name: &str) -> Option<&'a str> {
        let mut own = member.mentions.own_servers.iter();
        let own = own.find(|own| alike(&own.name, name)).map(|own| &*own.name);
        let known = |folded: &str| self.servers.get(folded).map(|known| &**known);
        let folded = fold(name);
        // The tools of a plugin's servers have the names of both.
        let of_plugin = || {
            let (plugin, _) = member.name.split_once(':')?;
            let rest = folded.strip_prefix("plugin")?.strip_prefix(&*fold(plugin))?;
            known(rest)
        };
        own.or_else(|| known(&folded)).or_else(of_plugin)
    }

    pub(crate) fn verdict(&self, member: &Member<'_>, name: &str) -> Verdict {
        let server = fold(name);
        if self.find(member, name).is_some() {
            Verdict::There
        } else if !self.are_all || server == "ide" || OTHERS.iter().any(|other| server.starts_with(other)) {
            Verdict::Unknown
        } else {
            Verdict::Missing
        }
    }
}
