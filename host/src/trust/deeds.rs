//! What servers would do if the file that defines them were trusted.

use super::Stake;
use crate::mcp::{Server, servers_of_agent, servers_of_file};
use crate::types::Agent;

/// What the servers of an agent's file would do; none if it has none.
pub fn deeds(agent: &Agent) -> Option<Stake> {
    let source = agent.origin.path.as_deref().unwrap_or_default();
    stake(&servers_of_agent(source, &agent.servers))
}

/// What the servers of a file such as `.mcp.json` would do; none if it has none.
pub fn deeds_of_file(source: &str, text: &str) -> Option<Stake> {
    stake(&servers_of_file(source, text).ok()?)
}

/// A line for each, and the problems of others.
fn stake((servers, problems): &(Vec<Server>, Vec<String>)) -> Option<Stake> {
    let deeds = servers
        .iter()
        .map(|server| format!("{}: {}", server.name, server.deed()));
    let lines: Vec<String> = deeds.chain(problems.iter().cloned()).collect();
    (!lines.is_empty()).then(|| Stake {
        what: "which means",
        value: lines.join("\n"),
    })
}
