//! Two names that differ only in case and separators.
//!
//! People and models mix such names up. Claude Code takes them for one: only one of the agents can be called.
//!
//! ```yaml
//! name: Code_Reviewer
//! ```
//!
//! Give one of `Code_Reviewer` and `code-reviewer` another name.

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
    evidence: "Claude Code looks agents up without case and separators since 2.1.140",
}

pub(super) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    let folded: Vec<String> = cast.members.iter().map(|member| fold(member.name)).collect();
    let order = sorted_indices(folded.len(), &|a, b| folded[a].cmp(&folded[b]));
    for group in order.chunk_by(|a, b| folded[*a] == folded[*b]) {
        let first = &cast.members[group[0]];
        for other in &group[1..] {
            let member = &cast.members[*other];
            // One of them may be shipped with the product.
            let (at, apart) = match member.path {
                Some(_) => (member, first),
                None => (first, member),
            };
            let other = match apart.path {
                Some(_) => format!("`{}`", apart.name),
                None => format!("`{}`, which is shipped,", apart.name),
            };
            let (name, id) = (at.name, &cast.dialect.id);
            let (severity, message) = match cast.dialect.folds_names {
                true => (
                    Severity::Warning,
                    format!("`{name}` and {other} are one name to {id}"),
                ),
                false => (
                    Severity::Note,
                    format!("`{name}` and {other} differ only in case and separators"),
                ),
            };
            if let Some(mut diagnostic) = at.diagnostic(&RULE, at.at, message) {
                diagnostic.severity = severity;
                diagnostic.related = apart.label(apart.at, "the other one").into_iter().collect();
                diagnostic.help = Some("give one of them another name".to_string());
                found.push(diagnostic);
            }
        }
    }
}
