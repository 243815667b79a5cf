//! An agent of the project that acts without asking.
//!
//! The file is part of the repository: for everyone who checks it out, the agent may run every command and change every file without
//! asking.
//!
//! ```yaml
//! permissionMode: bypassPermissions
//! ```
//!
//! Let users choose this mode themselves, or set a narrower one such as `acceptEdits`.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::dialect::{Canonical, Level};
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "permission-bypass",
    severity: Warning,
    fix: None,
    found: agent,
    evidence: "the documentation of permission modes; Claude Code recommends it for isolated machines only",
}

/// Modes that disable every check, in any dialect.
const BYPASSES: &[&str] = &[
    "bypassPermissions",
    "yolo",
    "eager",
    "fullAccess",
    "danger-full-access",
    "never_confirm",
];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if !matches!(subject.level, Level::Project | Level::Plugin) {
        return;
    }
    let modes = subject.known().filter(|(key, field, _)| {
        key.field == Canonical::PermissionMode
            && !key.ignored_at.contains(&subject.level)
            && !field.value.is_empty()
    });
    for (key, field, node) in modes {
        // A mode that is invalid here disables nothing, and is reported as that.
        let is_one = |mode: &str| key.one_of.is_empty() || key.one_of.iter().any(|known| known == mode);
        let mode = node.as_text().filter(|mode| BYPASSES.contains(mode));
        if let Some(mode) = mode.filter(|mode| is_one(mode)) {
            let message = format!("`{mode}` lets the agent act without asking, wherever the project is used");
            findings.push(
                Finding::new(&RULE, field.value_span, message)
                    .label("this disables every check")
                    .help("let users choose this mode, or set a narrower one"),
            );
        }
    }
}
