//! A tool that the product no longer has.
//!
//! The name has no effect, unless the product still accepts it for the new one.
//!
//! ```yaml
//! tools: Read, MultiEdit, Task
//! ```
//!
//! In Claude Code, write instead:
//!
//! ```yaml
//! tools: Read, Edit, Agent
//! ```

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::diagnostic::{Finding, Fix, Severity};
use crate::subject::Subject;
use crate::tool_lists::{Entry, Meaning, ToolList};
use crate::vocabulary::{Rights, Standing, Tool};

crate::diagnostic::rule! {
    name: "retired-tool",
    severity: Warning,
    fix: Unsafe,
    found: file,
    evidence: "changelogs, in the table of tools",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for list in &subject.tools {
        for (at, entry) in list.entries.iter().enumerate() {
            if let Meaning::Known(tool) = entry.meaning {
                findings.extend(finding(subject, list, at, tool));
            }
        }
    }
}

fn finding(subject: &Subject<'_>, list: &ToolList<'_>, at: usize, tool: &'static Tool) -> Option<Finding> {
    let entry = &list.entries[at];
    let (name, id) = (tool.name, list.vocabulary.dialect);
    let old = list.vocabulary.old_names;
    let renamed = matches!(tool.standing, Standing::Renamed(_));
    let (new, kept, message) = match tool.standing {
        Standing::Renamed(new) => (Some(new), false, format!("{id} renamed `{name}` to `{new}`")),
        Standing::Retired(Some(new)) if !old.is_empty() => {
            (Some(new), true, format!("{id} renamed `{name}` to `{new}`"))
        }
        Standing::Retired(new) => (new, false, format!("{id} no longer has the tool `{name}`")),
        Standing::Current | Standing::Alias(_) => return None,
    };
    // Permissions that other entries give are not lost.
    let lost = !kept && !renamed && !list.denied && !others(list, at).closed().contains(tool.rights);
    let label = match (renamed, lost) {
        _ if kept => format!("only {old} still takes the old name"),
        (true, _) => "the old name still works".to_string(),
        (false, true) => list.consequence().to_string(),
        (false, false) => "it has no effect".to_string(),
    };
    let finding = Finding::new(&RULE, entry.rule.span, message)
        .severity(if lost { Severity::Warning } else { Severity::Note })
        .label(label);
    let Some(new) = new else { return Some(finding) };
    let there = |other: &Entry<'_>| other.rule.tool == new && other.rule.specifier == entry.rule.specifier;
    let (title, edits, help) = if list.entries.iter().any(there) {
        (
            format!("Remove `{name}`"),
            list.without(at, subject.text),
            format!("remove it: `{new}` in the list replaces it"),
        )
    } else {
        (
            format!("Write `{new}`"),
            entry.renamed(new).map(|edit| vec![edit]),
            format!("use `{new}`"),
        )
    };
    let fix = edits.map(|edits| Fix {
        title,
        safe: false,
        edits,
    });
    let mut finding = finding.help(help);
    finding.fixes.extend(fix);
    Some(finding)
}

/// The permissions that the other entries give.
fn others(list: &ToolList<'_>, at: usize) -> Rights {
    let mut rights = Rights::default();
    for (other, entry) in list.entries.iter().enumerate() {
        if let Meaning::Known(tool) = entry.meaning
            && other != at
            && !matches!(tool.standing, Standing::Retired(_))
        {
            rights = rights.with(tool.rights);
        }
    }
    rights
}
