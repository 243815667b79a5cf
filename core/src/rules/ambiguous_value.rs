//! Text that some readers take as a number, a date, a boolean or nothing.
//!
//! YAML 1.1 and 1.2 guess the type of an unquoted value differently: `no` is text in one and false in the other, `1:30` is ninety,
//! `0777` is 511, `2026-01-02` is a date. The agent then has another name in each reader, or is dropped.
//!
//! ```yaml
//! name: on
//! ```
//!
//! Write instead:
//!
//! ```yaml
//! name: 'on'
//! ```

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::{missing_field, wrong_type};
use crate::diagnostic::{Edit, Finding, Fix};
use crate::dialect::Shape;
use crate::subject::Subject;
use crate::yaml::{guess, requoted};

crate::diagnostic::rule! {
    name: "ambiguous-value",
    severity: Warning,
    fix: Safe,
    found: file,
    evidence: "measured: OpenHands reads YAML 1.1, Kode and Neovate a mixture, the Rust readers YAML 1.2",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    // For words in a list, the finding about the list is more precise.
    let texts = subject
        .known()
        .filter(|(key, ..)| key.is_text() && key.one_of.is_empty());
    for (key, field, node) in texts {
        let Some(what) = node.as_text().filter(|_| node.is_plain()).and_then(guess) else {
            continue;
        };
        if key.shape == Shape::Scalar && is_read_alike(&field.value) || field.value.is_empty() {
            continue;
        }
        let fix = Fix {
            title: "Quote it".to_string(),
            safe: what != "nothing",
            edits: vec![Edit {
                span: field.value_span,
                text: requoted(field.value_span.of(subject.text)),
            }],
        };
        let is_reported = |found: &&mut Finding| {
            found.span == field.value_span
                && [missing_field::RULE.name, wrong_type::RULE.name].contains(&found.rule)
        };
        match findings.iter_mut().find(is_reported) {
            Some(finding) => finding.fixes.push(fix),
            None => {
                let message = format!("some readers take `{}` in `{}` as {what}", field.value, field.key);
                let finding = Finding::new(&RULE, field.value_span, message).label("text only in quotes");
                findings.push(finding.fix(fix));
            }
        }
    }
}

/// Whether it is a number that every reader writes back unchanged.
fn is_read_alike(value: &str) -> bool {
    value
        .parse::<i64>()
        .is_ok_and(|number| number.to_string() == value)
}
