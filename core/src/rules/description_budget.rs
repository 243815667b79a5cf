//! Descriptions that are too long in total.
//!
//! The descriptions of all agents are part of every conversation, so that the model knows which to call. Claude Code warns above about
//! 15,000 tokens, counting four characters per token.
//!
//! For the list of skills, Claude Code documents 1 % of the context, and Codex 8,000 characters or 2 %: 2,000 tokens. Skills that only
//! users call are not listed.
//!
//! Shorten the longest ones to a sentence or two about when to call the agent or the skill. Other instructions belong in the prompt.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::cast::Cast;
use crate::diagnostic::Diagnostic;
use crate::dialect::Kind;
use crate::order::sorted_indices;

crate::diagnostic::rule! {
    name: "description-budget",
    severity: Note,
    fix: None,
    found: cast,
    evidence: "Claude Code warns at startup; issues with its numbers; for skills, documentation of Claude Code (2026-08) and Codex (2026-10)",
}

/// Characters per token, as Claude Code counts.
const CHARACTERS: usize = 4;

/// How many of the longest are shown.
const SHOWN: usize = 3;

pub(super) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    found.extend(diagnostic(cast));
}

fn diagnostic(cast: &Cast<'_>) -> Option<Diagnostic> {
    let budget = cast.dialect.description_budget? as usize;
    let members: Vec<_> = cast
        .members
        .iter()
        .filter(|member| member.path.is_some() && member.for_models)
        .collect();
    let most = cast.dialect.listing.map_or(usize::MAX, |most| most as usize);
    let length = |at: usize| members[at].description.chars().count().min(most);
    let lengths: Vec<usize> = (0..members.len()).map(length).collect();
    let tokens = lengths.iter().sum::<usize>() / CHARACTERS;
    if tokens <= budget {
        return None;
    }
    let order = sorted_indices(lengths.len(), &|a, b| lengths[b].cmp(&lengths[a]));
    let mut longest = order.iter().take(SHOWN);
    let at = longest.position(|at| members[*at].in_project).unwrap_or(0);
    let longest = order.get(at)?;
    let others = order.iter().filter(|other| *other != longest);
    let what = if at == 0 {
        "longest"
    } else {
        "longest of the project"
    };
    let count = members.len();
    let does = match cast.dialect.kind {
        Kind::Agent => "warns above",
        Kind::Skill | Kind::Command => "lists about",
    };
    let total = if count == 1 {
        "1 description totals".to_string()
    } else {
        format!("{count} descriptions total")
    };
    let message = format!(
        "{total} about {tokens} tokens; {} {does} {budget}",
        cast.dialect.id
    );
    let tokens = |at: usize| format!("about {} tokens", lengths[at] / CHARACTERS);
    let member = members[*longest];
    let mut diagnostic = member.diagnostic(&RULE, member.mentions.description, message)?;
    diagnostic.primary.text = format!("the {what}, {}", tokens(*longest));
    let related = others.take(SHOWN - 1);
    let related =
        related.filter_map(|at| members[*at].label(members[*at].mentions.description, &tokens(*at)));
    diagnostic.related = related.collect();
    let why = match cast.dialect.kind {
        Kind::Agent => "every conversation includes them all",
        Kind::Skill | Kind::Command => "the model does not see the rest",
    };
    diagnostic.help = Some(format!("shorten the longest: {why}"));
    Some(diagnostic)
}
