//! Whether a definition's lists grant a tool.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::definition::{Definition, ToolFilter, ToolRule};
use crate::dialect::{Dialect, Extent};
use crate::vocabulary::{self, Rights, Standing};

/// The mode that allows no changes.
const PLAN: &str = "plan";

/// Whether a tool filter grants a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The tool, as offered.
    pub tool: String,
    /// Whether the agent gets it.
    pub granted: bool,
    /// Why.
    pub reason: String,
    /// The specifiers that restrict it; none if the whole tool is granted.
    pub specifiers: Vec<String>,
}

/// Whether a definition's lists and its permission mode grant one tool.
pub fn grant_in_mode(dialect: &Dialect, definition: &Definition, tool: &str) -> Grant {
    let granted = grant(dialect, definition, tool);
    if !granted.granted || !only_plans(definition) || changes_nothing(dialect, tool) {
        return granted;
    }
    Grant {
        granted: false,
        reason: format!("{}, but permission mode `plan` forbids changes", granted.reason),
        specifiers: Vec::new(),
        ..granted
    }
}

/// Whether a definition's lists grant one tool.
pub fn grant(dialect: &Dialect, definition: &Definition, tool: &str) -> Grant {
    let answer = |granted, reason: String, specifiers| Grant {
        tool: tool.to_string(),
        granted,
        reason,
        specifiers,
    };
    // A denied entry denies the whole tool, whatever its specifier.
    let mut denied = definition.denied_tools.iter();
    if let Some(rule) = denied.find(|rule| covers(dialect, rule, tool)) {
        return answer(false, format!("`{}` is denied", rule.tool), Vec::new());
    }
    let (extent, statement) = match &definition.tools {
        ToolFilter::Only(list) => return listed(dialect, list, tool, answer),
        ToolFilter::All => return answer(true, "the list allows all tools".to_string(), Vec::new()),
        ToolFilter::Absent => (dialect.tools.absent, "there is no list of tools"),
        ToolFilter::Null => (dialect.tools.null, "the list of tools has no value"),
        ToolFilter::None => (dialect.tools.empty, "the list of tools is empty"),
    };
    let meaning = match extent {
        Extent::All => "all",
        Extent::None => "none",
    };
    let reason = format!("{statement}, which means {meaning} for {}", dialect.id);
    answer(extent == Extent::All, reason, Vec::new())
}

fn listed(
    dialect: &Dialect,
    list: &[ToolRule],
    tool: &str,
    answer: impl Fn(bool, String, Vec<String>) -> Grant,
) -> Grant {
    let first = list.iter().find(|rule| covers(dialect, rule, tool));
    match (first, narrowed(dialect, list, tool)) {
        (Some(first), Some(specifiers)) => {
            answer(true, format!("`{}` is in the list", first.tool), specifiers)
        }
        _ => answer(false, "it is not in the list".to_string(), Vec::new()),
    }
}

/// The specifiers of a listed tool; empty if one of its entries is the whole tool. None if it is not listed.
pub(super) fn narrowed(dialect: &Dialect, list: &[ToolRule], tool: &str) -> Option<Vec<String>> {
    let matching = || list.iter().filter(|rule| covers(dialect, rule, tool));
    matching().next()?;
    let specifiers: Option<Vec<String>> = matching().map(|rule| rule.specifier.clone()).collect();
    Some(specifiers.unwrap_or_default())
}

/// Whether an entry matches this tool: by its name or another name for it, by its MCP server, or by a pattern ending in `*`.
pub(crate) fn covers(dialect: &Dialect, rule: &ToolRule, tool: &str) -> bool {
    if current(dialect, &rule.tool) == current(dialect, tool) || delegates(dialect, &rule.tool, tool) {
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

/// The dialect's current name for a tool.
fn current<'a>(dialect: &Dialect, name: &'a str) -> &'a str {
    let found = vocabulary::of(dialect.product()).and_then(|vocabulary| vocabulary.find(name));
    match found.map(|tool| tool.standing) {
        Some(Standing::Alias(current)) => current,
        _ => name,
    }
}

/// Whether both names are the tool that calls agents, which each release names differently.
pub(crate) fn delegates(dialect: &Dialect, name: &str, tool: &str) -> bool {
    let known = vocabulary::of(dialect.product()).and_then(|vocabulary| vocabulary.find(name));
    let calls =
        matches!(name, "Agent" | "Task") || known.is_some_and(|known| known.rights == Rights::DELEGATE);
    calls && !tool.is_empty() && tool == dialect.delegation.tool
}

/// The rights of a tool. A name that the dialect does not know has its meaning in other dialects.
pub(super) fn rights(dialect: &Dialect, tool: &str) -> Rights {
    let known = |dialect: &str| Some(vocabulary::of(dialect)?.find(tool)?.rights);
    known(dialect.product()).unwrap_or_else(|| {
        let others = vocabulary::speakers(tool).filter_map(known);
        others.fold(Rights::default(), Rights::with)
    })
}

/// Whether the agent's mode allows no changes.
pub(super) fn only_plans(definition: &Definition) -> bool {
    definition.permission_mode.as_deref() == Some(PLAN)
}

/// Whether an agent without a list of tools has all offered ones.
pub(crate) fn inherits(definition: &Definition, dialect: &Dialect) -> bool {
    let extent = match definition.tools {
        ToolFilter::Absent => dialect.tools.absent,
        ToolFilter::Null => dialect.tools.null,
        ToolFilter::None => dialect.tools.empty,
        ToolFilter::All | ToolFilter::Only(_) => return false,
    };
    extent == Extent::All
}

/// What a tool does with its agent's own work in the background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BackgroundTool {
    /// It reads or awaits the results.
    Output,
    /// It ends the work.
    Stop,
}

/// What a tool does with its agent's own work in the background, if it does nothing else.
pub(crate) fn background_tool(dialect: &Dialect, tool: &str) -> Option<BackgroundTool> {
    match rights(dialect, tool) {
        Rights::SHELL_OUTPUT => Some(BackgroundTool::Output),
        Rights::SHELL_KILL => Some(BackgroundTool::Stop),
        _ => None,
    }
}

/// Whether a tool is known to make no changes. An agent that it calls is limited, too.
pub(crate) fn changes_nothing(dialect: &Dialect, tool: &str) -> bool {
    let rights = rights(dialect, tool);
    let delegates = rights == Rights::DELEGATE || tool == dialect.delegation.tool;
    // It adds a text to the conversation, and an agent that it calls is limited, too.
    let loads = dialect.skill_tool.iter().any(|skills| skills.tool == tool);
    delegates || loads || !rights.is_empty() && rights.change_nothing()
}
