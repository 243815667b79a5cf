//! A specifier that does not restrict its tool as written.
//!
//! Parentheses after a tool restrict it: `Bash(git *)` allows only git commands. This does not work everywhere. A denied tool is denied
//! as a whole, whatever the parentheses contain; beside the whole tool a narrower entry has no effect; and some products ignore
//! specifiers, or take the entry with its parentheses as the name of a tool.
//!
//! ```yaml
//! tools: Read, Bash
//! disallowedTools: Bash(git push *)
//! ```
//!
//! Restrict commands where the product enforces it: in its permission rules.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::diagnostic::{Finding, Severity};
use crate::dialect::Specifiers;
use crate::subject::Subject;
use crate::tool_lists::{Entry, Meaning, ToolList};
use crate::vocabulary::Rights;

crate::diagnostic::rule! {
    name: "idle-specifier",
    severity: Error,
    fix: None,
    found: agent,
    evidence: "Claude Code documentation; Kode 2.0.2, OpenHands 1.58 and Neovate 0.27 as measured",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for list in &subject.tools {
        let specified = list.entries.iter().filter(|entry| {
            entry
                .rule
                .specifier
                .as_deref()
                .is_some_and(|specifier| specifier != "*")
        });
        findings.extend(specified.filter_map(|entry| finding(subject, list, entry)));
    }
}

fn finding(subject: &Subject<'_>, list: &ToolList<'_>, entry: &Entry<'_>) -> Option<Finding> {
    let id = &subject.dialect.id;
    let (tool, written) = (
        &entry.rule.tool,
        entry.rule.span.of(subject.text).trim_matches(['"', '\'']),
    );
    let found = |message: String| Finding::new(&RULE, entry.rule.span, message);
    match subject.dialect.tools.specifiers {
        Specifiers::Literal if !matches!(entry.meaning, Meaning::Known(_)) => return None,
        Specifiers::Literal => {
            let message = format!("{id} takes `{written}` as a tool name");
            return Some(found(message).label("no such tool"));
        }
        _ if list.denied => {
            let message = format!("`{written}` denies all of `{tool}`");
            let finding = found(message).label("specifiers have no effect in deny lists");
            return Some(finding.help("deny commands in the permission rules of the settings"));
        }
        Specifiers::Ignored => {
            let message = format!("{id} takes `{written}` as all of `{tool}`");
            return Some(found(message).label("specifiers are ignored"));
        }
        Specifiers::Narrow => {}
    }
    let whole = |other: &&Entry<'_>| other.rule.tool == *tool && other.rule.specifier.is_none();
    if let Some(whole) = list.entries.iter().find(whole) {
        let message = format!("`{written}` has no effect: all of `{tool}` is allowed");
        return Some(
            found(message)
                .severity(Severity::Warning)
                .related(whole.rule.span, "here"),
        );
    }
    match entry.meaning {
        Meaning::Known(known) if known.rights.contains(Rights::DELEGATE) => {
            let message = format!("`{written}` only applies to the top-level agent");
            let label = "as a sub-agent, it may call any agent";
            Some(found(message).severity(Severity::Note).label(label))
        }
        _ => None,
    }
}
