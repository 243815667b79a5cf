//! A skill whose description is cut in the list that the model sees.
//!
//! Claude Code lists each skill with its `description` and `when_to_use`, and cuts them together after 1,536 characters. What follows
//! does not help the model choose the skill.
//!
//! Put the purpose first, and details into the body.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::dialect::Canonical;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "long-listing",
    severity: Warning,
    fix: None,
    found: skill,
    evidence: "Claude Code documentation (2026-08)",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(most) = subject.dialect.listing else {
        return;
    };
    let fields = [Canonical::Description, Canonical::WhenToUse];
    let fields = fields
        .into_iter()
        .filter_map(|field| subject.definition.field(field));
    let text = |field| Some(subject.node(field)?.as_text()?.chars().count());
    let length: usize = fields.clone().filter_map(text).sum();
    let Some(field) = fields.clone().next().filter(|_| length > most as usize) else {
        return;
    };
    let keys: Vec<&str> = fields.map(|field| &*field.key).collect();
    let has = if keys.len() == 1 { "has" } else { "have" };
    let keys = keys.join("` and `");
    let message = format!(
        "`{keys}` {has} {length} characters; {} lists {most}",
        subject.dialect.id
    );
    findings.push(Finding::new(&RULE, field.key_span, message).label("the rest is cut"));
}
