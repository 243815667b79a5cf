//! Two agents with the same description.
//!
//! The model chooses an agent by its description alone. With two identical ones, it calls either.
//!
//! State in each description what only that agent does.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::cast::{Cast, Member};
use crate::diagnostic::Diagnostic;
use crate::order::sorted_indices;

crate::diagnostic::rule! {
    name: "same-description",
    severity: Warning,
    fix: None,
    found: cast,
    evidence: "the description alone decides which agent is called, by the documentation of all dialects",
}

pub(super) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    let written = cast.members.iter().filter(|member| member.path.is_some());
    let written = written.filter(|member| !member.description.trim().is_empty());
    let written: Vec<&Member<'_>> = written.collect();
    let folded: Vec<String> = written.iter().map(|member| fold(member.description)).collect();
    let order = sorted_indices(written.len(), &|a, b| folded[a].cmp(&folded[b]));
    for group in order.chunk_by(|a, b| folded[*a] == folded[*b]) {
        let first = written[group[0]];
        for other in &group[1..] {
            let member = written[*other];
            let message = format!("`{}` and `{}` have the same description", first.name, member.name);
            if let Some(mut diagnostic) = member.diagnostic(&RULE, member.mentions.description, message) {
                diagnostic.primary.text = "the model cannot tell them apart".to_string();
                let related = first.label(first.mentions.description, "the other one");
                diagnostic.related = related.into_iter().collect();
                found.push(diagnostic);
            }
        }
    }
}

/// Its words in lowercase.
fn fold(description: &str) -> String {
    let lower = description.to_lowercase();
    let mut folded = String::with_capacity(lower.len() + 1);
    for word in lower.split_whitespace() {
        folded.push_str(word);
        folded.push(' ');
    }
    folded
}
