//! Several tools written as one.
//!
//! Most products accept comma-separated text or a list. They read text separated by spaces or line ends, or a list in quotes, as one name.
//! Products that accept only a list read comma-separated text as one name, too. Claude Code also splits at spaces, but not at line ends.
//!
//! ```yaml
//! tools: |
//!   Read
//!   Grep
//! ```
//!
//! Write instead:
//!
//! ```yaml
//! tools: Read, Grep
//! ```

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::diagnostic::{Edit, Finding, Fix, Severity};
use crate::dialect::{Shape, ToolText};
use crate::subject::Subject;
use crate::tool_lists::{Entry, Meaning, ToolList, words};

crate::diagnostic::rule! {
    name: "tool-list-form",
    severity: Error,
    fix: Safe,
    found: agent,
    evidence: "the dialect's document; Claude Code 2.1.332, OpenHands 1.58 and Kode 1.1.23 as measured",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(subject.tools.iter().filter_map(|list| finding(subject, list)));
}

fn finding(subject: &Subject<'_>, list: &ToolList<'_>) -> Option<Finding> {
    let entry = list.entries.iter().find(|entry| is_several(entry))?;
    let (id, key) = (&subject.dialect.id, &list.field.key);
    let is_text = subject.node(list.field)?.items().is_none();
    let span = if is_text {
        list.field.value_span
    } else {
        entry.rule.span
    };
    let written = span.of(subject.text);
    let shape = match &subject.dialect.key(key)?.shape {
        Shape::Tools(shape) => shape,
        _ => return None,
    };
    // Some releases split more than is documented.
    let in_doubt = shape.text == ToolText::Commas && !written.contains(['[', '{']);
    let has_commas = matches!(shape.text, ToolText::Commas | ToolText::Spaces);
    let is_quoted = is_text && has_commas && entry.rule.tool.contains(['"', '\'']);
    let message = if is_quoted {
        format!(
            "the quotes in `{key}` belong to the names: there is no tool `{}`",
            entry.rule.tool
        )
    } else {
        format!("`{key}` has several tools where {id} takes one")
    };
    let finding = Finding::new(&RULE, span, message);
    let finding = if is_quoted {
        finding.label("plain text keeps its quotes")
    } else if in_doubt {
        finding
            .severity(Severity::Warning)
            .label("some readers take this as one tool")
    } else {
        finding.label("this is read as one tool, which does not exist")
    };
    let (text, edits) = if is_text {
        if written.contains('\n') || !words(written).all(is_plain) {
            return Some(finding);
        }
        let names: Vec<&str> = words(written).collect();
        let text = if shape.list {
            format!("[{}]", names.join(", "))
        } else {
            names.join(", ")
        };
        let edit = Edit {
            span,
            text: text.clone(),
        };
        (format!("write `{key}: {text}`"), Some(vec![edit]))
    } else {
        (
            format!("write each tool as an item of `{key}`"),
            list.entries
                .iter()
                .all(|entry| words(&entry.rule.tool).all(is_plain))
                .then(|| divided(list, subject.text))
                .flatten(),
        )
    };
    let mut finding = finding.help(text);
    finding.fixes.extend(edits.map(|edits| Fix {
        title: "Write them as a list".to_string(),
        safe: true,
        edits,
    }));
    Some(finding)
}

fn is_several(entry: &Entry<'_>) -> bool {
    matches!(entry.meaning, Meaning::Several)
}

/// Whether a name needs no quotes in a list and has no other meaning there.
fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | '*'))
}

/// The list with an item for each tool.
fn divided(list: &ToolList<'_>, text: &str) -> Option<Vec<Edit>> {
    let names: Vec<Option<Vec<String>>> = list
        .entries
        .iter()
        .map(|entry| is_several(entry).then(|| words(&entry.rule.tool).map(ToString::to_string).collect()))
        .collect();
    list.with(&names, text)
}
