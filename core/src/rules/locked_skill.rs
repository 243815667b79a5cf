//! A listed skill that agents cannot load.
//!
//! Only the user may start a skill with `disable-model-invocation: true`. An agent that lists it starts without it, and without a warning.
//!
//! ```yaml
//! skills: [deploy]
//! ```
//!
//! Remove the field from the skill, or the skill from the list.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::cast::Cast;
use crate::diagnostic::Diagnostic;

crate::diagnostic::rule! {
    name: "locked-skill",
    severity: Warning,
    fix: None,
    found: cast,
    evidence: "Claude Code documentation (2026-08): such skills cannot be preloaded",
}

pub(super) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    let Some(lock) = &cast.dialect.skill_lock else {
        return;
    };
    for member in &cast.members {
        for mention in &member.mentions.skills {
            if cast.locked.binary_search(&mention.name).is_err() {
                continue;
            }
            let message = format!("skill `{}` cannot be loaded: it has `{lock}: true`", mention.name);
            let Some(mut diagnostic) = member.diagnostic(&RULE, mention.at, message) else {
                continue;
            };
            diagnostic.primary.text = "the agent starts without it".to_string();
            diagnostic.help = Some("remove the field, or the skill from the list".to_string());
            found.push(diagnostic);
        }
    }
}
