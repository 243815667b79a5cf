//! A skill that links to a file that does not exist.
//!
//! The model is told to read a file and cannot find it.
//!
//! ```markdown
//! See [the checklist](references/checklist.md).
//! ```
//!
//! Links are relative to the skill's folder. Those that lead out of the project, and names with variables, are not checked.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::cast::{Cast, Member};
use crate::diagnostic::Diagnostic;
use crate::files::{Surroundings, join};
use crate::mentions::Mention;

crate::diagnostic::rule! {
    name: "missing-file",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "Agent Skills specification (2026-08): references are relative to the skill",
}

/// The links of the members to files that do not exist.
pub(crate) fn check(cast: &Cast<'_>, around: &mut dyn Surroundings, found: &mut Vec<Diagnostic>) {
    for member in &cast.members {
        let path = member.path.unwrap_or_default();
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for link in &member.mentions.files {
            if !around.has(&join(folder, &link.name)) {
                found.extend(finding(member, link));
            }
        }
    }
}

fn finding(member: &Member<'_>, link: &Mention) -> Option<Diagnostic> {
    let message = format!(
        "skill `{}` links to `{}`, which does not exist",
        member.name, link.name
    );
    let mut diagnostic = member.diagnostic(&RULE, link.at, message)?;
    diagnostic.primary.text = "no such file".to_string();
    Some(diagnostic)
}
