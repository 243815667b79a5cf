//! A hook for an event that the tool does not have, or of an unknown type.
//!
//! It never runs, so it cannot block anything. Claude Code skips it, and the rest of the file counts.
//!
//! ```yaml
//! hooks:
//!   PreToolUse: []
//! ```

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::closest::closest;
use crate::diagnostic::{Edit, Finding, Fix};
use crate::dialect::Dialect;
use crate::hooks::{groups, is_event};
use crate::subject::Subject;
use crate::yaml::Node;

crate::diagnostic::rule! {
    name: "unknown-hook",
    severity: Warning,
    fix: Unsafe,
    found: file,
    evidence: "the dialect's lists of events and of types; Codex 0.169.0; Claude Code's settings reference (2026-08): unknown events are skipped",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for hooks in subject.hooks() {
        unknown(subject.dialect, hooks, findings);
    }
}

/// The unknown events and types of hooks.
pub(crate) fn unknown(dialect: &Dialect, hooks: &Node, findings: &mut Vec<Finding>) {
    let rules = &dialect.hooks;
    let mut written = BTreeSet::new();
    for entry in hooks.entries().iter().filter(|entry| is_event(entry)) {
        let mut found = finding(dialect, &entry.key, "event", &rules.events);
        if let Some(found) = found.as_mut() {
            // The right name alone makes no hook of what is none, and a name that is there would be twice.
            let is_list = entry.value.items().is_some();
            let mut is_new = |fix: &Fix| {
                let mut edits = fix.edits.iter();
                edits.all(|edit| hooks.get(&edit.text).is_none() && written.insert(edit.text.clone()))
            };
            found.fixes.retain(|fix| is_list && is_new(fix));
        }
        findings.extend(found);
    }
    let groups = groups(rules, hooks).into_iter();
    let types = groups
        .filter(|group| rules.has_event(group.event()))
        .flat_map(|group| group.hooks);
    let types = types.flatten().filter_map(|hook| hook.get("type"));
    findings.extend(types.filter_map(|node| finding(dialect, node, "hook type", &rules.types)));
}

/// The finding if a word is not among the known ones.
fn finding(dialect: &Dialect, node: &Node, what: &str, known: &[String]) -> Option<Finding> {
    let word = node.as_text().filter(|word| !word.is_empty())?;
    if known.is_empty() || known.iter().any(|known| known == word) {
        return None;
    }
    let message = format!("{} has no {what} `{word}`", dialect.id);
    let finding = Finding::new(&RULE, node.span, message).label("the hook never runs");
    let Some(meant) = closest(word, known.iter().map(|known| &**known)) else {
        return Some(finding);
    };
    Some(finding.help(format!("did you mean `{meant}`?")).fix(Fix {
        title: format!("Write `{meant}`"),
        safe: false,
        edits: vec![Edit {
            span: node.span,
            text: meant.to_string(),
        }],
    }))
}
