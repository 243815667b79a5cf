//! A tool that the dialect does not know.
//!
//! An unknown name leaves the agent with fewer tools than listed. Most tools silently ignore it, some refuse the file, and an agent
//! without any known name does not start. Names are exact: `bash` is not `Bash`.
//!
//! ```yaml
//! tools: read, Websearch
//! ```
//!
//! In Claude Code, write instead:
//!
//! ```yaml
//! tools: Read, WebSearch
//! ```

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::diagnostic::{Finding, Fix, Severity};
use crate::dialect::Extent;
use crate::phrase::listed;
use crate::subject::Subject;
use crate::tool_lists::{Entry, Meaning, ToolList};
use crate::yaml::Reading;

crate::diagnostic::rule! {
    name: "unknown-tool",
    severity: Warning,
    fix: Safe,
    found: file,
    evidence: "the tools of each release, in the table of tools; Claude Code starts no agent whose names are all unknown",
}

/// What people write for all tools.
const ALL: &[&str] = &["all", "any", "everything", "inherit", "*"];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    // Broken YAML leaves its punctuation in the values.
    let is_leftover = |tool: &str| {
        subject.reading > Reading::Strict && (tool.ends_with(':') || tool.contains(['[', ']', '{', '}']))
    };
    for list in &subject.tools {
        let mut far: Vec<&Entry<'_>> = Vec::new();
        for entry in &list.entries {
            match entry.meaning {
                Meaning::Unknown if is_leftover(&entry.rule.tool) => {}
                Meaning::OtherCase(known) => findings.push(near(list, entry, known)),
                Meaning::Unknown if ALL.contains(&&*entry.rule.tool) => {
                    findings.push(all(subject, list, entry));
                }
                Meaning::Unknown => match list.vocabulary.nearest(&entry.rule.tool) {
                    Some(known) => findings.push(near(list, entry, known)),
                    None => far.push(entry),
                },
                _ => {}
            }
        }
        findings.extend(others(list, &far));
    }
}

fn near(list: &ToolList<'_>, entry: &Entry<'_>, known: &str) -> Finding {
    let tool = &entry.rule.tool;
    let only_case = known.eq_ignore_ascii_case(tool);
    let fix = entry.renamed(known).map(|edit| Fix {
        title: format!("Write `{known}`"),
        safe: only_case,
        edits: vec![edit],
    });
    let help = if only_case {
        format!("write `{known}`: names are case-sensitive")
    } else {
        format!("did you mean `{known}`?")
    };
    let mut finding = finding(list, entry, &[tool]).help(help);
    finding.fixes.extend(fix);
    finding
}

fn all(subject: &Subject<'_>, list: &ToolList<'_>, entry: &Entry<'_>) -> Finding {
    let help = if list.denied || subject.dialect.tools.absent == Extent::None {
        "list the tools by name".to_string()
    } else {
        format!("omit `{}` to give all tools", list.field.key)
    };
    finding(list, entry, &[&entry.rule.tool]).help(help)
}

/// All unknown names without a near match make one finding.
fn others(list: &ToolList<'_>, entries: &[&Entry<'_>]) -> Option<Finding> {
    let first = entries.first()?;
    let names: Vec<&str> = entries.iter().map(|entry| &*entry.rule.tool).collect();
    let found = finding(list, first, &names);
    Some(match list.vocabulary.more {
        "" => found,
        more => found
            .severity(Severity::Note)
            .label(format!("exists only if {more} add it")),
    })
}

fn finding(list: &ToolList<'_>, entry: &Entry<'_>, names: &[&str]) -> Finding {
    let tools = if names.len() == 1 { "tool" } else { "tools" };
    let own = if list.vocabulary.more.is_empty() {
        ""
    } else {
        " of its own"
    };
    let message = format!(
        "{} has no {tools}{own} called {}",
        list.vocabulary.dialect,
        listed(names)
    );
    Finding::new(&RULE, entry.rule.span, message)
        .severity(list.severity())
        .label(list.consequence())
}
