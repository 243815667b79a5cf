//! A hook for an event that the tool does not have, or of an unknown type.
//!
//! It never runs, so it cannot block anything.
//!
//! ```yaml
//! hooks:
//!   PreToolUse: []
//! ```

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::closest::closest;
use crate::diagnostic::{Edit, Finding, Fix};
use crate::subject::Subject;
use crate::yaml::Node;

crate::diagnostic::rule! {
    name: "unknown-hook",
    severity: Warning,
    fix: Unsafe,
    found: file,
    evidence: "the dialect's lists of events and of types",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let hooks = subject.known().filter(|(key, ..)| !key.events.is_empty());
    for (key, _, node) in hooks {
        for entry in node.entries() {
            findings.extend(finding(subject, &entry.key, "event", &key.events));
            let matchers = entry.value.items().unwrap_or_default();
            let handlers = matchers
                .iter()
                .filter_map(|matcher| matcher.get("hooks")?.items());
            let types = handlers.flatten().filter_map(|handler| handler.get("type"));
            findings.extend(types.filter_map(|node| finding(subject, node, "hook type", &key.handlers)));
        }
    }
}

/// The finding if a word is not among the known ones.
fn finding(subject: &Subject<'_>, node: &Node, what: &str, known: &[String]) -> Option<Finding> {
    let word = node.as_text().filter(|word| !word.is_empty())?;
    if known.iter().any(|known| known == word) {
        return None;
    }
    let message = format!("{} has no {what} `{word}`", subject.dialect.id);
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
