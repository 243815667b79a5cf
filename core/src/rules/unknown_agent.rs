//! A reference to an agent that does not exist.
//!
//! `Agent(name)` in a list of tools lets an agent call another one, handoffs offer one, and a skill or command can run in one. If no agent
//! has that name, the call fails.
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
use crate::dialect::Kind;
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
    between(cast, cast, found);
}

/// The agents that files name, among `agents`.
pub(crate) fn between(cast: &Cast<'_>, agents: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    if cast
        .members
        .iter()
        .all(|member| member.mentions.agents.is_empty())
    {
        return;
    }
    // Where agents have titles, others name them by these.
    let titles = agents
        .members
        .iter()
        .filter_map(|member| member.mentions.title.as_deref());
    let titles: Vec<&str> = titles.collect();
    let folds = agents.dialect.folds_names || !titles.is_empty();
    let names = agents.members.iter().map(|member| member.name);
    let mut folded: Vec<_> = names.chain(titles).map(fold).collect();
    folded = crate::order::sorted(folded, |a, b| a.cmp(b));
    let mut guesses = GUESSES;
    for member in &cast.members {
        for mention in &member.mentions.agents {
            let same = || folds && folded.binary_search(&fold(&mention.name)).is_ok();
            let mut others = agents.dialect.other_agents.iter();
            let mut shipped = || others.any(|known| known.eq_ignore_ascii_case(&mention.name));
            // Agents of plugins are named `plugin:name` and need not be installed here.
            if agents.find(&mention.name).is_none() && !mention.name.contains(':') && !same() && !shipped() {
                found.extend(diagnostic(
                    cast.dialect.kind,
                    agents,
                    member,
                    mention,
                    guesses > 0,
                ));
                guesses = guesses.saturating_sub(1);
            }
        }
    }
}

fn diagnostic(
    kind: Kind,
    agents: &Cast<'_>,
    member: &Member<'_>,
    mention: &Mention,
    guess: bool,
) -> Option<Diagnostic> {
    let name = &mention.name;
    let broken = agents.broken.binary_search(&&**name).is_ok();
    let message = match (kind, broken) {
        (Kind::Agent, true) => format!("`{}` may call `{name}`, which does not load", member.name),
        (Kind::Agent, false) => format!("`{}` may call unknown agent `{name}`", member.name),
        (_, true) => format!(
            "{} `{}` runs in agent `{name}`, which does not load",
            kind.noun(),
            member.name
        ),
        (_, false) => format!("{} `{}` runs in unknown agent `{name}`", kind.noun(), member.name),
    };
    let mut diagnostic = member.diagnostic(&RULE, mention.at, message)?;
    diagnostic.primary.text = "calls to it fail".to_string();
    let others = agents.members.iter().map(|member| member.name);
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
