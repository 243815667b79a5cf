//! A description longer than other tools accept.
//!
//! Every conversation includes the descriptions of all agents, and some tools refuse one of more than 1,024 characters.
//!
//! State in a sentence or two when to use the agent; examples and instructions belong in the body.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::dialect::Canonical;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "long-description",
    severity: Note,
    fix: None,
    found: agent,
    evidence: "measured: Neovate drops the agent; the Agent Skills format has the same limit",
}

/// The most characters that every tool accepts.
const LONGEST: usize = 1024;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let description = &subject.definition.description;
    let key = subject.dialect.of_field(Canonical::Description);
    let limited = key.is_some_and(|key| key.longest.is_some());
    let Some(field) = subject
        .definition
        .field(Canonical::Description)
        .filter(|_| !limited)
    else {
        return;
    };
    let length = description.chars().count();
    if length > LONGEST {
        let message = format!("the description has {length} characters; some tools accept only {LONGEST}");
        findings.push(Finding::new(&RULE, field.key_span, message).label("every conversation includes it"));
    }
}
