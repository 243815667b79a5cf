//! Text that YAML reads as something else, and drops.
//!
//! In an unquoted value, `#` after a space starts a comment, a leading `!` a tag, and a leading `&` an anchor. None of that is part of
//! the text.
//!
//! ```yaml
//! description: Closes issue #12 and its kin
//! ```
//!
//! The description is now `Closes issue`. Write instead:
//!
//! ```yaml
//! description: 'Closes issue #12 and its kin'
//! ```

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::definition::Field;
use crate::diagnostic::{Edit, Finding, Fix};
use crate::span::Span;
use crate::subject::Subject;
use crate::yaml::{Node, requoted};

crate::diagnostic::rule! {
    name: "lost-text",
    severity: Warning,
    fix: Safe,
    found: file,
    evidence: "YAML 1.2, sections 6.6, 6.8 and 6.9; every measured loader cuts the text off",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let texts = subject.known().filter(|(key, ..)| key.is_prose());
    findings.extend(texts.filter_map(|(_, field, node)| {
        if !node.is_plain() {
            return None;
        }
        after_hash(subject, field, node).or_else(|| before_text(subject, field, node))
    }));
}

/// A comment after a value that is probably meant as text: a `#` followed by a space may well be a comment.
fn after_hash(subject: &Subject<'_>, field: &Field, node: &Node) -> Option<Finding> {
    let end = field.value_span.end.index();
    let comment = subject.comments.iter().find(|comment| {
        let between = subject.text.get(end..comment.span.start.index());
        between.is_some_and(|between| !between.is_empty() && between.bytes().all(|b| b == b' ' || b == b'\t'))
    })?;
    let first = comment.value.chars().next()?;
    if !first.is_alphanumeric() || node.as_text().is_some_and(str::is_empty) {
        return None;
    }
    let message = format!("`{}` stops at `#`", field.key);
    let finding = Finding::new(&RULE, comment.span, message).label("the rest is a YAML comment");
    // Before a digit, `#` is a number sign.
    Some(finding.fix(quote(
        subject,
        field.value_span.to(comment.span),
        first.is_ascii_digit(),
    )))
}

fn before_text(subject: &Subject<'_>, field: &Field, node: &Node) -> Option<Finding> {
    let lost = Span::new(field.value_span.start.index(), node.span.start.index());
    let word = lost.of(subject.text).trim_end();
    let (sign, meaning) = match word.chars().next()? {
        '!' if !word.starts_with("!!") => ('!', "a tag"),
        '&' if !subject.text.contains(&word.replacen('&', "*", 1)) => ('&', "an anchor"),
        _ => return None,
    };
    let span = Span::new(lost.start.index(), lost.start.index() + word.len());
    let message = format!("`{}` starts after `{word}`", field.key);
    let finding =
        Finding::new(&RULE, span, message).label(format!("YAML reads `{sign}` as {meaning}, not as text"));
    Some(finding.fix(quote(subject, field.value_span, true)))
}

fn quote(subject: &Subject<'_>, span: Span, safe: bool) -> Fix {
    Fix {
        title: "Quote the whole text".to_string(),
        safe: safe && !span.of(subject.text).contains(['\n', '\r']),
        edits: vec![Edit {
            span,
            text: requoted(span.of(subject.text)),
        }],
    }
}
