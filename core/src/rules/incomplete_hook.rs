//! A hook that lacks its command, address or prompt, or has a field of the wrong type.
//!
//! It cannot run, while the other hooks of the file do.
//!
//! ```json
//! { "hooks": { "PreToolUse": [{ "matcher": "Bash", "command": "./check.sh" }] } }
//! ```
//!
//! Hooks are in a list `hooks` beside their matcher:
//!
//! ```json
//! { "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "./check.sh" }] }] } }
//! ```

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::dialect::Dialect;
use crate::hooks::{commands, groups};
use crate::reader::copilot_hook;
use crate::rules::{invalid_settings, unknown_hook};
use crate::span::Offset;
use crate::subject::Subject;
use crate::yaml::{Entry, Kind, Node};

crate::diagnostic::rule! {
    name: "incomplete-hook",
    severity: Warning,
    fix: None,
    found: file,
    evidence: "Claude Code's hooks reference (2026-08): required fields; measured with 2.1.332, and with Copilot CLI 1.0.102: the other hooks of the file run",
}

/// What follows from it.
pub(crate) const EFFECT: &str = "the hook cannot run";

/// What other types than commands need.
const NEEDS: &[(&str, &str)] = &[
    ("http", "url"),
    ("mcp_tool", "server"),
    ("mcp_tool", "tool"),
    ("prompt", "prompt"),
    ("agent", "prompt"),
];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for hooks in subject.hooks() {
        incomplete(subject.dialect, hooks, findings);
    }
}

/// The hooks that lack something.
pub(crate) fn incomplete(dialect: &Dialect, hooks: &Node, findings: &mut Vec<Finding>) {
    // The format of the file may have said so.
    let known = findings.iter();
    let known = known.filter(|found| [RULE.name, invalid_settings::RULE.name].contains(&found.rule));
    let told: BTreeSet<Offset> = known.map(|found| found.span.start).collect();
    let is_told = |node: &Node| told.range(node.span.start..node.span.end).next().is_some();
    for group in groups(&dialect.hooks, hooks) {
        let event = group.event();
        // Whatever it has, it never runs.
        if !dialect.hooks.has_event(event) {
            continue;
        }
        let Some(hooks) = group.hooks else {
            if is_told(group.node) {
                continue;
            }
            let message = format!("an entry of `{event}` has no list `hooks`");
            findings.push(finding(group.node, message));
            continue;
        };
        for hook in hooks {
            if let Some(lack) = lack(dialect, hook).filter(|_| !is_told(hook)) {
                findings.push(finding(hook, format!("a hook of `{event}` has no {lack}")));
            }
        }
    }
}

/// What is wrong with the hooks of a file of Copilot.
pub(crate) fn of_copilot(dialect: &Dialect, hooks: &Node, findings: &mut Vec<Finding>) {
    let types = findings
        .iter()
        .filter(|found| found.rule == unknown_hook::RULE.name);
    let told: BTreeSet<Offset> = types.map(|found| found.span.start).collect();
    let is_known = |entry: &&Entry| {
        entry
            .key
            .as_text()
            .is_some_and(|event| dialect.hooks.has_event(event))
    };
    for entry in hooks.entries().iter().filter(is_known) {
        let event = entry.key.as_text().unwrap_or_default();
        let Some(items) = entry.value.items() else {
            let message = format!("`hooks.{event}` must be a list");
            let found = Finding::new(&invalid_settings::RULE, entry.value.span, message);
            findings.push(found.label("copilot ignores the whole file"));
            continue;
        };
        for (number, item) in items.iter().enumerate() {
            if told.range(item.span.start..item.span.end).next().is_some() {
                continue;
            }
            let Some(error) = copilot_hook(event, number, item) else {
                continue;
            };
            let mut commands = dialect.hooks.commands.iter();
            let is_bare = commands.all(|key| item.get(key).is_none());
            // Its own words for a missing command are those for two.
            let lack = lack(dialect, item).filter(|_| is_bare && !item.entries().is_empty());
            let message = match (lack, error.split_once(": ")) {
                (Some(lack), _) => format!("a hook of `{event}` has no {lack}"),
                (None, Some((at, what))) => format!("`{at}`: {what}"),
                (None, None) => error,
            };
            findings.push(finding(item, message));
        }
    }
}

/// What a hook lacks.
fn lack(dialect: &Dialect, hook: &Node) -> Option<String> {
    let rules = &dialect.hooks;
    let has = |key: &str| {
        let value = hook.get(key).and_then(Node::as_text);
        value.is_some_and(|value| !value.trim().is_empty())
    };
    match hook.get("type").and_then(Node::as_text) {
        None if rules.strict => Some("`type`".into()),
        None | Some("command") => {
            let keys = rules.commands.iter().take(2).map(|key| format!("`{key}`"));
            let is_missing = commands(rules, hook).next().is_none();
            is_missing.then(|| keys.collect::<Vec<_>>().join(" or "))
        }
        Some(kind) => {
            let mut needs = NEEDS.iter().filter(|(of, _)| *of == kind);
            let (_, need) = needs.find(|(_, need)| !has(need))?;
            Some(format!("`{need}`"))
        }
    }
}

/// At the first key, as the whole may have many lines.
fn finding(node: &Node, message: String) -> Finding {
    let first = match &node.kind {
        Kind::Mapping(entries) => entries.first().map(|entry| entry.key.span),
        _ => None,
    };
    Finding::new(&RULE, first.unwrap_or(node.span), message).label(EFFECT)
}
