//! A control character in the frontmatter.
//!
//! Such characters are invisible, come from copying out of a terminal, and are invalid in YAML: most readers refuse the whole file.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::diagnostic::{Edit, Finding, Fix};
use crate::span::Span;

crate::diagnostic::rule! {
    name: "control-character",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "YAML 1.2, section 5.1; measured: all loaders but two drop the file",
}

/// All control characters of the frontmatter, as one finding.
pub(crate) fn find(text: &str, yaml: Span) -> Option<Finding> {
    let base = yaml.start.index();
    let found = yaml.of(text).char_indices().filter(|(_, c)| is_forbidden(*c));
    let found: Vec<(Span, char)> = found
        .map(|(at, c)| (Span::new(base + at, base + at + c.len_utf8()), c))
        .collect();
    let (span, first) = found.first()?;
    let message = format!("control character U+{:04X} in the frontmatter", u32::from(*first));
    let edit = |(span, _): &(Span, char)| Edit {
        span: *span,
        text: String::new(),
    };
    let fix = Fix {
        title: "Remove it".to_string(),
        safe: true,
        edits: found.iter().map(edit).collect(),
    };
    Some(
        Finding::new(&RULE, *span, message)
            .label("invalid in YAML: most readers refuse the file")
            .fix(fix),
    )
}

fn is_forbidden(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}')
}
