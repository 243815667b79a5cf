//! A listed skill that does not exist.
//!
//! The agent starts without it, and without a warning.
//!
//! ```yaml
//! skills: [api-conventions]
//! ```
//!
//! Claude Code looks for `.claude/skills/api-conventions/SKILL.md` in the project and in the home directory. A skill named
//! `plugin:name` is looked for if the plugin is in the project.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::cast::Cast;
use crate::diagnostic::{Diagnostic, Severity};
use crate::limits::GUESSES;
use crate::offered::{Verdict, closest_full};

crate::diagnostic::rule! {
    name: "missing-skill",
    severity: Warning,
    fix: None,
    found: cast,
    evidence: "Claude Code documentation: a missing skill is named in the debug log only",
}

pub(crate) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    let skills = cast.skills.as_deref().unwrap_or_default();
    let mut guesses = GUESSES;
    for member in &cast.members {
        for mention in &member.mentions.skills {
            let name = &mention.name;
            if verdict(cast, name) != Verdict::Missing {
                continue;
            }
            let message = format!("skill `{name}` not found");
            let Some(mut diagnostic) = member.diagnostic(&RULE, mention.at, message) else {
                continue;
            };
            // Without any skills here, they may be installed in another way.
            if skills.is_empty() && !name.contains(':') {
                diagnostic.severity = Severity::Note;
            }
            diagnostic.primary.text = "the agent starts without it".to_string();
            let all = skills.iter().map(|skill| &**skill);
            let closest = || closest_full(name, all.chain(cast.offered.skills.all()));
            match (guesses > 0).then(closest).flatten() {
                Some(meant) => diagnostic.help = Some(format!("did you mean `{meant}`?")),
                None => {
                    diagnostic.note = Some(match name.split_once(':') {
                        Some((plugin, _)) => format!("plugin `{plugin}` of this project does not have it"),
                        None => format!("{} looks in {}", cast.dialect.id, cast.dialect.skills.join(", ")),
                    });
                }
            }
            guesses = guesses.saturating_sub(1);
            found.push(diagnostic);
        }
    }
}

/// Whether a skill is there. Skills of plugins are named `plugin:name`, or by their own name.
pub(crate) fn verdict(cast: &Cast<'_>, name: &String) -> Verdict {
    let offered = &cast.offered;
    match &cast.skills {
        Some(skills) if skills.binary_search(name).is_ok() => Verdict::There,
        Some(_) if offered.skills.ending(name).is_some() => Verdict::There,
        Some(_) if !name.contains(':') => Verdict::Missing,
        _ => offered.verdict(&offered.skills, name),
    }
}

/// The skill's whole name.
pub(crate) fn find<'a>(cast: &'a Cast<'_>, name: &'a String) -> &'a str {
    let skills = cast.skills.as_deref().unwrap_or_default();
    let offered = &cast.offered.skills;
    match skills.binary_search(name) {
        Ok(_) => name,
        Err(_) => offered
            .find(name)
            .or_else(|| offered.ending(name))
            .unwrap_or(name),
    }
}
