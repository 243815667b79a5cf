//! A skill whose name differs from its folder.
//!
//! The Agent Skills specification requires a skill to have the name of its folder. VS Code silently skips a skill with a different name, Claude
//! Code finds it by both names, and most other tools use the `name` field. The same skill then has two names.
//!
//! ```text
//! .github/skills/release/SKILL.md with `name: release-notes`
//! ```
//!
//! Rename the folder or the skill.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::diagnostic::{Finding, Severity};
use crate::dialect::{Canonical, Kind};
use crate::places::folder;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "folder-mismatch",
    severity: Warning,
    fix: None,
    found: skill,
    evidence: "Agent Skills specification (2026-08); VS Code documentation (2026-10): such a skill silently fails to load; five measured tools load it",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let definition = subject.definition;
    let field = definition
        .field(Canonical::Name)
        .or_else(|| definition.field(Canonical::DisplayName));
    let Some(field) = field.filter(|_| subject.dialect.kind == Kind::Skill) else {
        return;
    };
    let name = subject
        .node(field)
        .and_then(|node| node.as_text())
        .unwrap_or_default();
    let folder = folder(subject.path);
    if name.is_empty() || folder.is_empty() || name == folder {
        return;
    }
    // The name of a plugin may come first.
    if name.rsplit_once(':').is_some_and(|(_, last)| last == folder) {
        return;
    }
    let message = format!("skill `{name}` is in a folder named `{folder}`");
    let finding = Finding::new(&RULE, field.value_span, message).help(format!(
        "name the folder `{}`, or the skill `{folder}`",
        as_folder(name)
    ));
    findings.push(match &subject.dialect.other_folder {
        Some(consequence) => finding.label(consequence.clone()),
        None => finding
            .severity(Severity::Note)
            .label("some tools use this, some the folder"),
    });
}

/// The name as the specification has it: lowercase with hyphens.
fn as_folder(name: &str) -> String {
    let last = name.rsplit(':').next().unwrap_or(name).to_lowercase();
    let words = last
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}
