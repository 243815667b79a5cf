//! A skill that links to a file that does not exist, or settings that name one.
//!
//! The model is told to read a file and cannot find it. Codex ignores an agent whose `config_file` does not exist. OpenCode does not start
//! if its settings include a file that does not exist, as in `"prompt": "{file:./prompts/lead.txt}"`.
//!
//! ```markdown
//! See [the checklist](references/checklist.md).
//! ```
//!
//! Links are relative to the skill's folder, and paths in settings to that of the settings. Those that lead out of the project, and names
//! with variables, are not checked.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::cast::{Cast, Member};
use crate::diagnostic::{Diagnostic, Finding};
use crate::dialect::Dialect;
use crate::files::{Surroundings, join};
use crate::mentions::Mention;
use crate::places::parent;
use crate::span::Span;

crate::diagnostic::rule! {
    name: "missing-file",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "Agent Skills specification (2026-08): references are relative to the skill; Codex 0.169.0 warns that it ignores the agent; OpenCode 1.18.33 reports a bad file reference",
}

/// The links of the members to files that do not exist.
pub(crate) fn check(cast: &Cast<'_>, around: &mut dyn Surroundings, found: &mut Vec<Diagnostic>) {
    for member in &cast.members {
        let path = member.path.unwrap_or_default();
        let folder = parent(path);
        for link in &member.mentions.files {
            if !around.has(&join(folder, &link.name)) {
                found.extend(finding(member, link));
            }
        }
    }
}

/// The finding about a file that settings name.
pub(crate) fn in_settings(dialect: &Dialect, name: &str, at: Span) -> Finding {
    let message = format!("the settings name `{name}`, which does not exist");
    Finding::new(&RULE, at, message).label([&*dialect.id, " ignores the agent"].concat())
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
