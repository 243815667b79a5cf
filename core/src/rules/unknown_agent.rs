//! A call to an agent that does not exist.
//!
//! `Agent(name)` in a list of tools lets an agent call another one. If no agent has that name, the call fails.
//!
//! ```yaml
//! tools: Read, Agent(code-reveiwer)
//! ```
//!
//! Use the name in the other file; `callsheet list` shows all names.

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::cast::{Cast, Member};
use crate::closest::{closest, fold};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::limits::GUESSES;
use crate::mentions::Mention;

crate::diagnostic::rule! {
    name: "unknown-agent",
    severity: Warning,
    fix: Unsafe,
    found: cast,
    evidence: "Claude Code documentation; the active agents of the catalog",
}

pub(super) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    if cast
        .members
        .iter()
        .all(|member| member.mentions.agents.is_empty())
    {
        return;
    }
    let mut folded: Vec<_> = cast.members.iter().map(|member| fold(member.name)).collect();
    folded = crate::order::sorted(folded, |a, b| a.cmp(b));
    let mut guesses = GUESSES;
    for member in &cast.members {
        for mention in &member.mentions.agents {
            let same = || cast.dialect.folds_names && folded.binary_search(&fold(&mention.name)).is_ok();
            let shipped = || cast.dialect.other_agents.contains(&mention.name);
            // Agents of plugins are named `plugin:name` and need not be installed here.
            if cast.find(&mention.name).is_none() && !mention.name.contains(':') && !same() && !shipped() {
                found.extend(diagnostic(cast, member, mention, guesses > 0));
                guesses = guesses.saturating_sub(1);
            }
        }
    }
}

fn diagnostic(cast: &Cast<'_>, member: &Member<'_>, mention: &Mention, guess: bool) -> Option<Diagnostic> {
    let name = &mention.name;
    let broken = cast.broken.binary_search(&&**name).is_ok();
    let message = match broken {
        true => format!("`{}` may call `{name}`, which does not load", member.name),
        false => format!("`{}` may call unknown agent `{name}`", member.name),
    };
    let mut diagnostic = member.diagnostic(&RULE, mention.at, message)?;
    diagnostic.primary.text = "calls to it fail".to_string();
    let others = cast.members.iter().map(|member| member.name);
    if let Some(meant) = closest(name, others).filter(|_| guess && !broken) {
        diagnostic.help = Some(format!("did you mean `{meant}`?"));
        diagnostic.fixes = vec![Fix {
            title: format!("Write `{meant}`"),
            safe: false,
            edits: vec![Edit {
                span: diagnostic.primary.place.span,
                text: meant.to_string(),
            }],
        }];
    }
    Some(diagnostic)
}
