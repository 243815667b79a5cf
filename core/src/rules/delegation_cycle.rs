//! Agents that call each other in a cycle.
//!
//! An agent that can call itself, directly or through others, can run until a limit stops it, at the cost of every round. Not every
//! tool has such a limit.
//!
//! ```yaml
//! name: planner
//! tools: Agent(coder)
//! ```
//!
//! ```yaml
//! name: coder
//! tools: Agent(planner)
//! ```
//!
//! Remove one of the calls, and let the result go back to the caller instead.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::cast::Cast;
use crate::cycles::cycles;
use crate::diagnostic::Diagnostic;
use crate::mentions::Mention;

crate::diagnostic::rule! {
    name: "delegation-cycle",
    severity: Warning,
    fix: None,
    found: cast,
    evidence: "the tool lists of the active agents; reports of sub-agents that spawn each other endlessly",
}

/// The longest cycle that is spelled out.
const SPELLED: usize = 6;

pub(super) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    let mentions: Vec<Vec<(usize, &Mention)>> = cast
        .members
        .iter()
        .map(|member| {
            let mentions = member.mentions.agents.iter();
            mentions
                .filter_map(|mention| Some((cast.find(&mention.name)?, mention)))
                .collect()
        })
        .collect();
    let calls = mentions
        .iter()
        .map(|calls| calls.iter().map(|(called, _)| *called).collect());
    for cycle in cycles(&calls.collect::<Vec<_>>()) {
        let cycle = cycle.into_iter();
        let cycle: Vec<(usize, &Mention)> = cycle
            .map(|(member, call)| (member, mentions[member][call].1))
            .collect();
        found.extend(diagnostic(cast, &cycle));
    }
}

fn diagnostic(cast: &Cast<'_>, cycle: &[(usize, &Mention)]) -> Option<Diagnostic> {
    let (first, rest) = cycle.split_first()?;
    let member = &cast.members[first.0];
    let name = member.name;
    let message = match rest {
        [] => format!("`{name}` may call itself"),
        rest if rest.len() < SPELLED => {
            let names: Vec<String> = rest
                .iter()
                .map(|(member, _)| format!("`{}`", cast.members[*member].name))
                .collect();
            format!(
                "`{name}` may call {}, which leads back to `{name}`",
                names.join(", then ")
            )
        }
        rest => format!("`{name}` leads back to itself via {} other agents", rest.len()),
    };
    let mut diagnostic = member.diagnostic(&RULE, first.1.at, message)?;
    diagnostic.primary.text = "the agents can call each other endlessly".to_string();
    let related = rest
        .iter()
        .take(SPELLED)
        .filter_map(|(member, mention)| cast.members[*member].label(mention.at, "then here"));
    diagnostic.related = related.collect();
    Some(diagnostic)
}
