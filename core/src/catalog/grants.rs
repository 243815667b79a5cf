//! The tools that an agent gets.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Catalog;
use crate::definition::{Definition, ToolFilter, ToolRule};
use crate::dialect::{Dialect, Extent};

/// What a tool filter makes of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The tool, as offered.
    pub tool: String,
    /// Whether the agent gets it.
    pub granted: bool,
    /// Why.
    pub reason: String,
    /// The specifiers that narrow it; none if the whole tool is granted.
    pub specifiers: Vec<String>,
}

/// The tools that an agent gets out of those offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grants {
    /// One for each tool offered.
    pub offered: Vec<Grant>,
    /// Entries of the agent's list that name no tool offered.
    pub unmatched: Vec<String>,
}

impl Catalog {
    /// The tools that the agent of this name gets. None if no such agent is in force.
    pub fn grants(&mut self, name: &str, offered: &[String]) -> Option<Grants> {
        let (definition, _) = self.get(name)?;
        let offered: Vec<Grant> = offered
            .iter()
            .map(|tool| grant(&self.dialect, &definition, tool))
            .collect();
        let unmatched = rules(&definition.tools)
            .iter()
            .filter(|rule| !offered.iter().any(|grant| covers(rule, &grant.tool)))
            .map(|rule| rule.tool.clone())
            .collect();
        Some(Grants { offered, unmatched })
    }
}

fn grant(dialect: &Dialect, definition: &Definition, tool: &str) -> Grant {
    let answer = |granted, reason: String, specifiers| Grant {
        tool: tool.to_string(),
        granted,
        reason,
        specifiers,
    };
    // A denied entry takes the whole tool, whatever its specifier says.
    if let Some(rule) = definition.denied_tools.iter().find(|rule| covers(rule, tool)) {
        return answer(false, format!("`{}` is denied", rule.tool), Vec::new());
    }
    let (extent, statement) = match &definition.tools {
        ToolFilter::Only(list) => return listed(list, tool, answer),
        ToolFilter::All => return answer(true, "the list says all tools".to_string(), Vec::new()),
        ToolFilter::Absent => (dialect.tools.absent, "there is no list of tools"),
        ToolFilter::Null => (dialect.tools.null, "the list of tools has no value"),
        ToolFilter::None => (dialect.tools.empty, "the list of tools is empty"),
    };
    let meaning = match extent {
        Extent::All => "all",
        Extent::None => "none",
    };
    let reason = format!("{statement}, which is {meaning} for {}", dialect.id);
    answer(extent == Extent::All, reason, Vec::new())
}

fn listed(list: &[ToolRule], tool: &str, answer: impl Fn(bool, String, Vec<String>) -> Grant) -> Grant {
    let matching: Vec<&ToolRule> = list.iter().filter(|rule| covers(rule, tool)).collect();
    let Some(first) = matching.first() else {
        return answer(false, "it is not in the list".to_string(), Vec::new());
    };
    let specifiers: Option<Vec<String>> = matching.iter().map(|rule| rule.specifier.clone()).collect();
    answer(
        true,
        format!("`{}` is in the list", first.tool),
        specifiers.unwrap_or_default(),
    )
}

fn rules(filter: &ToolFilter) -> &[ToolRule] {
    match filter {
        ToolFilter::Only(rules) => rules,
        _ => &[],
    }
}

/// Whether an entry means this tool: its name, the MCP server that it is on, or a pattern ending in `*`.
fn covers(rule: &ToolRule, tool: &str) -> bool {
    if rule.tool == tool {
        return true;
    }
    if let Some(prefix) = rule.tool.strip_suffix('*') {
        return prefix.starts_with("mcp__") && tool.starts_with(prefix);
    }
    let server = rule
        .tool
        .strip_prefix("mcp__")
        .is_some_and(|server| !server.contains("__"));
    server
        && tool
            .strip_prefix(&*rule.tool)
            .is_some_and(|rest| rest.starts_with("__"))
}
