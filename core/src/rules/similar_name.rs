//! Two names that differ only in case and separators.
//!
//! People and models confuse such names. Claude Code treats them as one: only one of the agents can be called.
//!
//! ```yaml
//! name: Code_Reviewer
//! ```
//!
//! Rename `Code_Reviewer` or `code-reviewer`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::cast::Cast;
use crate::closest::fold;
use crate::diagnostic::{Diagnostic, Severity};
use crate::order::sorted_indices;

crate::diagnostic::rule! {
    name: "similar-name",
    severity: Note,
    fix: None,
    found: cast,
    evidence: "Claude Code ignores case and separators in agent names since 2.1.140",
}

pub(super) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    let folded: Vec<String> = cast.members.iter().map(|member| fold(member.name)).collect();
    let order = sorted_indices(folded.len(), &|a, b| folded[a].cmp(&folded[b]));
    for group in order.chunk_by(|a, b| folded[*a] == folded[*b]) {
        let first = &cast.members[group[0]];
        for other in &group[1..] {
            let member = &cast.members[*other];
            // One of them may be built in.
            let (at, apart) = match member.path {
                Some(_) => (member, first),
                None => (first, member),
            };
            let other = match apart.path {
                Some(_) => format!("`{}`", apart.name),
                None => format!("built-in `{}`", apart.name),
            };
            let (name, id) = (at.name, &cast.dialect.id);
            let (severity, message) = if cast.dialect.folds_names {
                (
                    Severity::Warning,
                    format!("{id} takes `{name}` and {other} as one name"),
                )
            } else {
                (
                    Severity::Note,
                    format!("`{name}` and {other} differ only in case and separators"),
                )
            };
            if let Some(mut diagnostic) = at.diagnostic(&RULE, at.at, message) {
                diagnostic.severity = severity;
                diagnostic.related = apart.label(apart.at, "the other one").into_iter().collect();
                diagnostic.help = Some("rename one of them".to_string());
                found.push(diagnostic);
            }
        }
    }
}
