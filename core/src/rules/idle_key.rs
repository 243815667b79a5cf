//! A key that has no effect where the file lives.
//!
//! Tools trust the agents of plugins less than the user's own, and pass over keys that would give them more rights, or take
//! rights away from others. Who relies on such a key is not protected by it.
//!
//! Copy the agent to the project or the user's directory if it needs the key, or remove the key.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "idle-key",
    severity: Warning,
    fix: None,
    found: file,
    evidence: "the document on plugins: Claude Code passes over permissionMode, hooks, mcpServers and initialPrompt",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let idle = subject
        .known()
        .filter(|(key, ..)| key.ignored_at.contains(&subject.level));
    findings.extend(idle.map(|(_, field, _)| {
        let message = format!(
            "{} passes over `{}` in the agents of a plugin",
            subject.dialect.id, field.key
        );
        Finding::new(&RULE, field.key_span, message)
            .label("so it has no effect here")
            .help("remove it, or keep the agent in the project or the user's directory")
    }));
}
