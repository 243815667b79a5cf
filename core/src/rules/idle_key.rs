//! A field that has no effect in this location.
//!
//! Tools trust plugin agents less than the user's own, and ignore fields that would give them more permissions or restrict others.
//! Such a field protects nothing.
//!
//! Copy the agent to the project or the user's directory if it needs the field, or remove the field.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "idle-key",
    severity: Warning,
    fix: None,
    found: agent,
    evidence: "the plugin documentation: Claude Code ignores permissionMode, hooks, mcpServers and initialPrompt",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let idle = subject
        .known()
        .filter(|(key, ..)| key.ignored_at.contains(&subject.level));
    findings.extend(idle.map(|(_, field, _)| {
        let message = format!("{} ignores `{}` in plugin agents", subject.dialect.id, field.key);
        Finding::new(&RULE, field.key_span, message)
            .label("it has no effect here")
            .help("remove it, or move the agent to the project or the user's directory")
    }));
}
