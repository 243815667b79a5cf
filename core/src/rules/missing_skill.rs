//! A listed skill that does not exist.
//!
//! The agent starts without it, and without a warning.
//!
//! ```yaml
//! skills: [api-conventions]
//! ```
//!
//! Claude Code looks for `.claude/skills/api-conventions/SKILL.md` in the project and in the home directory.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::cast::Cast;
use crate::closest::closest;
use crate::diagnostic::{Diagnostic, Severity};
use crate::limits::GUESSES;

crate::diagnostic::rule! {
    name: "missing-skill",
    severity: Warning,
    fix: None,
    found: cast,
    evidence: "Claude Code documentation: a missing skill is named in the debug log only",
}

pub(super) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    let Some(skills) = &cast.skills else { return };
    let mut guesses = GUESSES;
    for member in &cast.members {
        for mention in &member.mentions.skills {
            // Skills of plugins are named `plugin:name` and need not be installed here.
            let name = &mention.name;
            if skills.binary_search(name).is_ok() || name.contains(':') {
                continue;
            }
            let message = format!("skill `{name}` not found");
            let Some(mut diagnostic) = member.diagnostic(&RULE, mention.at, message) else {
                continue;
            };
            // Without any skills here, they may be installed in another way.
            if skills.is_empty() {
                diagnostic.severity = Severity::Note;
            }
            diagnostic.primary.text = "the agent starts without it".to_string();
            let meant = closest(name, skills.iter().map(|skill| &**skill));
            diagnostic.help = Some(match meant.filter(|_| guesses > 0) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("{} looks in {}", cast.dialect.id, cast.dialect.skills.join(", ")),
            });
            guesses = guesses.saturating_sub(1);
            found.push(diagnostic);
        }
    }
}
