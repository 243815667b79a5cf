//! A list of tools that is empty, or missing where that means no tools.
//!
//! Some products read an empty list as no tools, others as all of them, and a field without a value is a third case. Omit the field
//! for the default, and list tools for anything else. OpenHands gives none by default: there the tools must be listed.
//!
//! ```yaml
//! tools:
//! ```

use alloc::format;
use alloc::vec::Vec;

use super::misspelt_key;
use crate::definition::ToolFilter;
use crate::diagnostic::Finding;
use crate::dialect::{Canonical, Extent};
use crate::subject::Subject;
use crate::yaml::{Kind, Node, Plain};

crate::diagnostic::rule! {
    name: "empty-tools",
    severity: Warning,
    fix: None,
    found: last,
    evidence: "the dialect's document; `[]` differs between six products",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(finding(subject));
    // A list under another field name is reported as that.
    if !findings.iter().any(|found| found.rule == misspelt_key::RULE.name) {
        findings.extend(missing(subject));
    }
}

/// Few products give no tools by default, and files come from products that give all.
fn missing(subject: &Subject<'_>) -> Option<Finding> {
    let dialect = subject.dialect;
    let is_missing =
        matches!(subject.definition.tools, ToolFilter::Absent) && dialect.tools.absent == Extent::None;
    let key = dialect.of_field(Canonical::Tools).filter(|_| is_missing)?;
    let message = format!(
        "`{}` is missing: the agent has no tools in {}",
        key.spellings[0], dialect.id
    );
    let finding = Finding::new(&RULE, subject.opening(), message);
    Some(finding.help(format!(
        "list the tools in `{}`; other products default to all",
        key.spellings[0]
    )))
}

fn finding(subject: &Subject<'_>) -> Option<Finding> {
    let defaults = subject.dialect.tools;
    let field = subject.definition.field(Canonical::Tools)?;
    let (extent, what) = match subject.definition.tools {
        ToolFilter::Null => (defaults.null, "has no value"),
        // A value that is refused is reported as that.
        ToolFilter::None if is_list(subject.node(field)?) => (defaults.empty, "is empty"),
        _ => return None,
    };
    let (id, key) = (&subject.dialect.id, &field.key);
    let meaning = match extent {
        Extent::All => "the agent has all tools",
        Extent::None => "the agent has no tools",
    };
    let others = subject.dialects.iter().filter(|other| {
        let theirs = match subject.definition.tools {
            ToolFilter::Null => other.tools.null,
            _ => other.tools.empty,
        };
        theirs != extent
            && other
                .key(key)
                .is_some_and(|known| known.field == Canonical::Tools)
    });
    let others: Vec<&str> = others.map(|other| &*other.id).collect();
    let message = format!("`{key}` {what}: {meaning} in {id}");
    let finding = Finding::new(&RULE, field.key_span, message);
    Some(match (others.as_slice(), extent) {
        ([], Extent::All) => finding.help(format!("omit `{key}` to give all tools")),
        ([], Extent::None) => finding,
        (others, _) => finding.note(format!("it means the opposite in {}", others.join(", "))),
    })
}

fn is_list(node: &Node) -> bool {
    matches!(node.kind, Kind::Sequence(_)) || matches!(node.plain(), Some(Plain::Text(_)))
}
