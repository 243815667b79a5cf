//! Two agents with the same description.
//!
//! The description is all that the model knows of an agent before it calls it. Of two that say the same, it calls either.
//!
//! Say in each description what the agent does that the other does not.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::cast::{Cast, Member};
use crate::diagnostic::Diagnostic;
use crate::order::sorted_indices;

super::rule! {
    name: "same-description",
    severity: Warning,
    fix: None,
    evidence: "the description alone decides who is called, by the documents of all dialects",
}

pub(super) fn check(cast: &Cast<'_>, found: &mut Vec<Diagnostic>) {
    let written: Vec<&Member<'_>> = cast
        .members
        .iter()
        .filter(|member| member.path.is_some())
        .collect();
    let plain: Vec<String> = written.iter().map(|member| plain(member.description)).collect();
    let order = sorted_indices(plain.len(), &|a, b| plain[a].cmp(&plain[b]));
    for group in order.chunk_by(|a, b| plain[*a] == plain[*b]) {
        let first = written[group[0]];
        for other in group[1..].iter().filter(|other| !plain[**other].is_empty()) {
            let member = written[*other];
            let message = format!("`{}` and `{}` have the same description", first.name, member.name);
            if let Some(mut diagnostic) = member.diagnostic(&RULE, member.mentions.description, message) {
                diagnostic.primary.text = "nobody can tell when to call which".to_string();
                diagnostic.related = first
                    .label(first.mentions.description, "the other one")
                    .into_iter()
                    .collect();
                found.push(diagnostic);
            }
        }
    }
}

/// Without case and with single blanks.
fn plain(description: &str) -> String {
    let mut plain = String::new();
    for word in description.split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.extend(word.chars().flat_map(char::to_lowercase));
    }
    plain
}
