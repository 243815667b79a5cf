//! A field that has no effect in this location.
//!
//! Tools trust plugin agents less than the user's own, and ignore fields that would give them more permissions or restrict others.
//! Such a field protects nothing. OpenCode gives all agents in its `mode` and `modes` folders the mode `primary`, whatever their files say.
//!
//! Copy a plugin's agent to the project or the user's directory if it needs the field, or remove the field.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::dialect::Canonical;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "idle-key",
    severity: Warning,
    fix: None,
    found: agent,
    evidence: "the plugin documentation: Claude Code ignores permissionMode, hooks, mcpServers and initialPrompt; OpenCode 1.18.33",
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
    let Some(set) = subject.dialect.mode_at(subject.path) else {
        return;
    };
    let others = subject
        .known()
        .filter(|(key, _, value)| key.field == Canonical::Mode && value.as_text() != Some(set));
    findings.extend(others.map(|(_, field, _)| {
        let message = format!("{} ignores `{}` in this folder", subject.dialect.id, field.key);
        Finding::new(&RULE, field.key_span, message)
            .label(format!("all agents here have the mode `{set}`"))
            .help("move the file to the folder `agents`")
    }));
}
