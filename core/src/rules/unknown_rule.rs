//! A comment that names an unknown rule.
//!
//! It suppresses nothing. `callsheet rules` lists all rules.
//!
//! ```yaml
//! room: 12 # callsheet: ignore[unknown_keys]
//! ```
//!
//! Write instead:
//!
//! ```yaml
//! room: 12 # callsheet: ignore[unknown-key]
//! ```

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;

use crate::closest::closest;
use crate::diagnostic::{Edit, Finding, Fix};
use crate::span::Span;

crate::diagnostic::rule! {
    name: "unknown-rule",
    severity: Warning,
    fix: Unsafe,
    found: reading,
    evidence: "the table of rules",
}

pub(crate) fn finding(rule: &str, name: Span) -> Finding {
    let finding = Finding::new(&RULE, name, format!("unknown rule `{rule}`"));
    match closest(rule, super::RULES.iter().map(|rule| rule.name)) {
        Some(meant) => finding.help(format!("did you mean `{meant}`?")).fix(Fix {
            title: format!("Write `{meant}`"),
            safe: false,
            edits: vec![Edit {
                span: name,
                text: meant.to_owned(),
            }],
        }),
        None => finding.help("see `callsheet rules` for all rules"),
    }
}
