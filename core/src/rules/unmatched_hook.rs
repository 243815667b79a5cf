//! A hook whose matcher matches no tool.
//!
//! Claude Code compares a matcher of letters, digits, `_`, `-`, `|` and commas with whole tool names. Names are case-sensitive, and a server's
//! name does not match its tools. A permission such as `Bash(git *)` is read as a regular expression, which matches no tool name.
//!
//! ```json
//! { "matcher": "bash", "hooks": [{ "type": "command", "command": "./check.sh" }] }
//! ```
//!
//! Write the tool's name, `mcp__server__.*` for all tools of a server, and put a permission into the hook's `if`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::closest::distance;
use crate::diagnostic::Finding;
use crate::dialect::Dialect;
use crate::hooks::{groups, is_exact};
use crate::subject::Subject;
use crate::vocabulary::{self, Vocabulary};
use crate::yaml::Node;

crate::diagnostic::rule! {
    name: "unmatched-hook",
    severity: Warning,
    fix: None,
    found: file,
    evidence: "Claude Code's hooks reference (2026-08): matcher patterns, and matching of MCP tools",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for hooks in subject.hooks() {
        unmatched(subject.dialect, hooks, findings);
    }
}

/// The matchers of tools that match none.
pub(crate) fn unmatched(dialect: &Dialect, hooks: &Node, findings: &mut Vec<Finding>) {
    let Some(tools) = vocabulary::of(dialect.product()) else {
        return;
    };
    let rules = &dialect.hooks;
    for group in groups(rules, hooks) {
        let is_of_tools = rules.tool_events.iter().any(|event| event == group.event());
        if let Some(matcher) = group.matcher().filter(|_| is_of_tools) {
            findings.extend(finding(tools, matcher));
        }
    }
}

fn finding(tools: &Vocabulary, matcher: &Node) -> Option<Finding> {
    let text = matcher.as_text()?;
    let help = if is_exact(matcher) {
        exact(tools, text)?
    } else {
        permission(tools, text)?
    };
    let message = format!("matcher `{text}` matches no tool of {}", tools.dialect);
    let found = Finding::new(&RULE, matcher.span, message).label("the hook never runs");
    Some(match help {
        Some(help) => found.help(help),
        None => found,
    })
}

/// The help for a matcher of names, if each of them is known to be no tool's. Others may be newer than the table.
fn exact(tools: &Vocabulary, text: &str) -> Option<Option<String>> {
    let names = text
        .split(['|', ','])
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let helps: Vec<Option<String>> = names.map(|name| wrong(tools, name)).collect::<Option<_>>()?;
    helps.into_iter().next()
}

/// The help for a name that is no tool's.
fn wrong(tools: &Vocabulary, name: &str) -> Option<Option<String>> {
    if let Some(server) = name.strip_prefix("mcp__") {
        let help = format!("write `{name}__.*` for all tools of the server");
        return (!server.contains("__")).then_some(Some(help));
    }
    if tools.find(name).is_some() {
        return None;
    }
    let near = tools.nearest(name).filter(|near| distance(name, near) <= Some(1));
    match near {
        Some(near) => Some(Some(format!("did you mean `{near}`?"))),
        None => tools.is_foreign(name).then_some(None),
    }
}

/// The help for a tool with a specifier, unless that is a regular expression for a longer name.
fn permission(tools: &Vocabulary, text: &str) -> Option<Option<String>> {
    let (tool, specifier) = text.strip_suffix(')')?.split_once('(')?;
    let is_specifier = specifier.starts_with('*') || specifier.contains([' ', ':', '/']);
    let is_alone = !specifier.contains(['|', '(', ')']);
    let is_it = tools.find(tool).is_some() && is_specifier && is_alone;
    is_it.then(|| Some(format!("match `{tool}`, and set `if` of the hook to `{text}`")))
}
