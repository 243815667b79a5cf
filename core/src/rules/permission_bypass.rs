//! An agent of the project that asks nobody before it acts.
//!
//! The file comes with the repository: whoever checks it out lets its agent run every command and change every file without
//! being asked.
//!
//! ```yaml
//! permissionMode: bypassPermissions
//! ```
//!
//! Leave the mode to those who use the agent, or choose a narrower one such as `acceptEdits`.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::dialect::{Canonical, Level};
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "permission-bypass",
    severity: Warning,
    fix: None,
    found: file,
    evidence: "the documents about permission modes; Claude Code advises it for isolated machines only",
}

/// Values that lift every check, in any dialect.
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
        // What is no mode here lifts nothing, and is reported as that.
        let is_one = |mode: &str| key.one_of.is_empty() || key.one_of.iter().any(|known| known == mode);
        let mode = node.as_text().filter(|mode| BYPASSES.contains(mode));
        if let Some(mode) = mode.filter(|mode| is_one(mode)) {
            let message =
                format!("`{mode}` lets the agent act without being asked, wherever the project goes");
            findings.push(
                Finding::new(&RULE, field.value_span, message)
                    .label("this lifts every check")
                    .help("leave the mode to those who use the agent, or choose a narrower one"),
            );
        }
    }
}
