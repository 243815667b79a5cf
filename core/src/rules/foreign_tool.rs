//! A tool of another product.
//!
//! Files are copied between products together with their lists of tools. The names are unknown there: the agent gets fewer tools than
//! it lists, or none.
//!
//! ```yaml
//! tools: codebase, editFiles, fetch
//! ```
//!
//! In Claude Code, write instead:
//!
//! ```yaml
//! tools: Grep, Edit, WebFetch
//! ```

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::diagnostic::{Finding, Fix};
use crate::phrase::listed;
use crate::subject::Subject;
use crate::tool_lists::{Entry, Meaning, ToolList};

crate::diagnostic::rule! {
    name: "foreign-tool",
    severity: Warning,
    fix: Unsafe,
    found: file,
    evidence: "the tools of each release, in the table of tools",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for list in &subject.tools {
        let mut dialects: Vec<&str> = Vec::new();
        for entry in &list.entries {
            if let Meaning::Foreign(dialect, _) = entry.meaning
                && !dialects.contains(&dialect)
            {
                dialects.push(dialect);
            }
        }
        let fix = if dialects.is_empty() {
            None
        } else {
            translated(list, subject.text)
        };
        let mut fix = fix.into_iter();
        for dialect in dialects {
            if let Some(mut finding) = finding(list, dialect) {
                finding.fixes.extend(fix.next());
                findings.push(finding);
            }
        }
    }
}

/// All tools of one product make one finding.
fn finding(list: &ToolList<'_>, dialect: &str) -> Option<Finding> {
    let its = |entry: &&Entry<'_>| matches!(entry.meaning, Meaning::Foreign(other, _) if other == dialect);
    let entries: Vec<&Entry<'_>> = list.entries.iter().filter(its).collect();
    let first = entries.first()?;
    let names: Vec<&str> = entries.iter().map(|entry| &*entry.rule.tool).collect();
    let (is, own) = match names.len() {
        1 => ("is a tool", list.vocabulary.dialect),
        _ => ("are tools", list.vocabulary.dialect),
    };
    let message = format!("{} {is} of {dialect}, not of {own}", listed(&names));
    let spelled = entries.iter().filter_map(|entry| spelled(list, entry)).flatten();
    let mut names: Vec<&str> = Vec::new();
    for name in spelled {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let finding = Finding::new(&RULE, first.rule.span, message)
        .severity(list.severity())
        .label(list.consequence());
    Some(match names.as_slice() {
        [] => finding.note(format!("{own} has no equivalent")),
        names => finding.help(format!("use {} instead", listed(names))),
    })
}

/// The dialect's tools that do what a foreign one does, and no more.
fn spelled(list: &ToolList<'_>, entry: &Entry<'_>) -> Option<Vec<&'static str>> {
    match entry.meaning {
        Meaning::Foreign(_, rights) => Some(
            rights
                .each()
                .flat_map(|right| list.vocabulary.spell(right))
                .collect(),
        ),
        Meaning::OtherCase(known) => Some(alloc::vec![known]),
        _ => None,
    }
}

/// The list in the dialect's names.
fn translated(list: &ToolList<'_>, text: &str) -> Option<Fix> {
    let names: Vec<Option<Vec<String>>> = list
        .entries
        .iter()
        .map(|entry| {
            Some(
                spelled(list, entry)?
                    .into_iter()
                    .map(ToString::to_string)
                    .collect(),
            )
        })
        .collect();
    Some(Fix {
        title: format!("Rename to tools of {}", list.vocabulary.dialect),
        safe: false,
        edits: list.with(&names, text)?,
    })
}
