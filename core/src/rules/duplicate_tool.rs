//! A tool that is listed twice.
//!
//! The second entry changes nothing. If an entry with a specifier is listed beside the whole tool, see `idle-specifier`.
//!
//! ```yaml
//! tools: Read, Grep, Read
//! ```

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::{Finding, Fix};
use crate::subject::Subject;
use crate::tool_lists::{Entry, Meaning, ToolList};

crate::diagnostic::rule! {
    name: "duplicate-tool",
    severity: Note,
    fix: Safe,
    found: file,
    evidence: "every measured loader treats a list of tools as a set",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for list in &subject.tools {
        for at in 1..list.entries.len() {
            findings.extend(finding(subject, list, at));
        }
    }
}

fn finding(subject: &Subject<'_>, list: &ToolList<'_>, at: usize) -> Option<Finding> {
    let entry = &list.entries[at];
    let same = |other: &&Entry<'_>| {
        (&other.rule.tool, &other.rule.specifier) == (&entry.rule.tool, &entry.rule.specifier)
    };
    let first = list.entries[..at].iter().find(same)?;
    if !matches!(entry.meaning, Meaning::Known(_) | Meaning::Server) {
        return None;
    }
    let tool = entry.rule.span.of(subject.text);
    let message = format!("duplicate `{tool}` in `{}`", list.field.key);
    let mut finding = Finding::new(&RULE, entry.rule.span, message)
        .label("it has no effect")
        .related(first.rule.span, "first listed here");
    finding
        .fixes
        .extend(list.without(at, subject.text).map(|edits| Fix {
            title: "Remove it".into(),
            safe: true,
            edits,
        }));
    Some(finding)
}
