//! A hook for an event that the tool does not have.
//!
//! It never runs, so it cannot block anything.
//!
//! ```yaml
//! hooks:
//!   PreToolUse: []
//! ```

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::closest::closest;
use crate::diagnostic::{Edit, Finding, Fix};
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "unknown-hook",
    severity: Warning,
    fix: Unsafe,
    found: file,
    evidence: "the dialect's list of events",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let hooks = subject.known().filter(|(key, ..)| !key.events.is_empty());
    for (key, _, node) in hooks {
        for entry in node.entries() {
            let event = entry.key.as_text().unwrap_or_default();
            if event.is_empty() || key.events.iter().any(|known| known == event) {
                continue;
            }
            let message = format!("{} has no event `{event}`", subject.dialect.id);
            let mut finding = Finding::new(&RULE, entry.key.span, message).label("the hook never runs");
            if let Some(meant) = closest(event, key.events.iter().map(|known| &**known)) {
                finding = finding.help(format!("did you mean `{meant}`?")).fix(Fix {
                    title: format!("Write `{meant}`"),
                    safe: false,
                    edits: vec![Edit {
                        span: entry.key.span,
                        text: meant.to_string(),
                    }],
                });
            }
            findings.push(finding);
        }
    }
}
