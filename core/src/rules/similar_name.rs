//! Two names that differ only in case and separators.
//!
//! People and models confuse such names. Claude Code treats those of agents as one: only one of the agents can be called.
//!
//! Skills and commands are named by folders and files. Those that differ only in case, or in how a letter such as `é` is stored, are one
//! folder or file on macOS and Windows, so that a checkout there has only one of them.
//!
//! ```yaml
//! name: Code_Reviewer
//! ```
//!
//! Rename `Code_Reviewer` or `code-reviewer`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::cast::{Cast, Member};
use crate::closest::fold;
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::Kind;
use crate::file_names::same_file;
use crate::order::sorted_indices;

crate::diagnostic::rule! {
    name: "similar-name",
    severity: Note,
    fix: None,
    found: cast,
    evidence: "Claude Code ignores case and separators in agent names since 2.1.140; file systems of macOS and Windows",
}

pub(super) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    let is_agent = cast.dialect.kind == Kind::Agent;
    let folded = |member: &Member<'_>| {
        let name = same_file(member.name);
        if is_agent { fold(&name) } else { name }
    };
    let folded: Vec<String> = cast.members.iter().map(folded).collect();
    let order = sorted_indices(folded.len(), &|a, b| folded[a].cmp(&folded[b]));
    for group in order.chunk_by(|a, b| folded[*a] == folded[*b]) {
        for pair in group.windows(2) {
            let (first, member) = (&cast.members[pair[0]], &cast.members[pair[1]]);
            if member.name == first.name {
                continue;
            }
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
            let is_alike = fold(name) == fold(apart.name);
            let (severity, message) = if is_agent && is_alike && cast.dialect.folds_names {
                (
                    Severity::Warning,
                    format!("{id} takes `{name}` and {other} as one name"),
                )
            } else if is_one_file(at, apart) {
                let message = format!("`{name}` and {other} are one file on macOS and Windows");
                (Severity::Warning, message)
            } else {
                let what = match (is_alike, is_agent) {
                    (false, _) => "how letters are stored",
                    (true, true) => "case and separators",
                    (true, false) => "case",
                };
                let message = format!("`{name}` and {other} differ only in {what}");
                (Severity::Note, message)
            };
            if let Some(mut diagnostic) = at.diagnostic(&RULE, at.at, message) {
                diagnostic.severity = severity;
                if !is_alike {
                    diagnostic.primary.text = "its letters are stored in another form".to_string();
                }
                diagnostic.related = apart.label(apart.at, "the other one").into_iter().collect();
                diagnostic.help = Some("rename one of them".to_string());
                found.push(diagnostic);
            }
        }
    }
}

/// Whether the paths of both differ only in what some file systems ignore.
fn is_one_file(a: &Member<'_>, b: &Member<'_>) -> bool {
    match (a.path, b.path) {
        (Some(a), Some(b)) => same_file(a) == same_file(b),
        _ => false,
    }
}
