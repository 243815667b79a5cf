//! A second frontmatter at the top of the body.
//!
//! Only the first one is read. The second is part of the prompt, and its fields have no effect.
//!
//! Move all fields into the first.

use alloc::string::ToString;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::frontmatter::{closing_of_keys, next_line};
use crate::span::Span;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "second-frontmatter",
    severity: Warning,
    fix: None,
    found: file,
    evidence: "all readers end the frontmatter at the first closing fence",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let body = subject.body();
    let end = subject.parts.body.end.index();
    let trimmed = body.trim_start();
    if subject.parts.frontmatter.is_none() || !trimmed.starts_with("---") {
        return;
    }
    let start = end - trimmed.len();
    let fence = Span::new(start, start + trimmed.find(['\n', '\r']).unwrap_or(trimmed.len()));
    if fence.of(subject.text).trim_end() != "---" {
        return;
    }
    if closing_of_keys(subject.text, next_line(subject.text, fence.end.index())).is_some() {
        let message = "second frontmatter in the body".to_string();
        findings.push(
            Finding::new(&RULE, fence, message)
                .label("part of the prompt: its fields have no effect")
                .help("move its fields into the first one"),
        );
    }
}
