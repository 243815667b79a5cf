//! Descriptions that are too long together.
//!
//! The descriptions of all agents are part of every conversation, so that the model knows whom to call. Claude Code warns from about
//! 15,000 tokens on, counting four characters as one.
//!
//! Shorten the longest: when to call the agent, in a sentence or two. What the agent has to know belongs in its prompt.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::cast::Cast;
use crate::diagnostic::Diagnostic;
use crate::order::sorted_indices;

crate::diagnostic::rule! {
    name: "description-budget",
    severity: Note,
    fix: None,
    found: cast,
    evidence: "Claude Code warns at startup; issues with its numbers",
}

/// Characters of a token, as Claude Code counts.
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
        .filter(|member| member.path.is_some())
        .collect();
    let length = |at: usize| members[at].description.chars().count();
    let lengths: Vec<usize> = (0..members.len()).map(length).collect();
    let tokens = lengths.iter().sum::<usize>() / CHARACTERS;
    if tokens <= budget {
        return None;
    }
    let order = sorted_indices(lengths.len(), &|a, b| lengths[b].cmp(&lengths[a]));
    let (longest, others) = order.split_first()?;
    let count = members.len();
    let message = format!(
        "the descriptions of {count} agents come to about {tokens} tokens, more than the {budget} from which {} warns",
        cast.dialect.id
    );
    let tokens = |at: usize| format!("about {} tokens", lengths[at] / CHARACTERS);
    let member = members[*longest];
    let mut diagnostic = member.diagnostic(&RULE, member.mentions.description, message)?;
    diagnostic.primary.text = format!("the longest, {}", tokens(*longest));
    let related = others.iter().take(SHOWN - 1);
    let related =
        related.filter_map(|at| members[*at].label(members[*at].mentions.description, &tokens(*at)));
    diagnostic.related = related.collect();
    diagnostic.help = Some("shorten the longest: all of them are part of every conversation".to_string());
    Some(diagnostic)
}
