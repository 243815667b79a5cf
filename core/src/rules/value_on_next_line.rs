//! Text that starts on the line after its field.
//!
//! Markdown formatters move long values there. It is valid YAML, but line-based readers find an empty value.
//!
//! ```yaml
//! description:
//!   Reviews changes.
//! ```
//!
//! Write instead:
//!
//! ```yaml
//! description: Reviews changes.
//! ```

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::diagnostic::{Edit, Finding, Fix};
use crate::span::Span;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "value-on-next-line",
    severity: Warning,
    fix: Safe,
    found: file,
    evidence: "a report about Claude Code: agents vanish after a formatter has moved their descriptions",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for (_, field, node) in subject.known().filter(|(key, ..)| key.is_text()) {
        let gap = Span::new(field.key_span.end.index(), field.value_span.start.index());
        let moved = gap
            .of(subject.text)
            .strip_prefix(':')
            .is_some_and(|gap| gap.contains(['\n', '\r']) && gap.trim().is_empty());
        if !moved || node.as_text().is_none_or(str::is_empty) {
            continue;
        }
        let message = format!("`{}` starts on the next line", field.key);
        let finding =
            Finding::new(&RULE, field.value_span, message).label("some readers take the value as empty");
        let fix = Fix {
            title: "Move it to the field's line".to_string(),
            safe: true,
            edits: vec![Edit {
                span: Span::new(field.key_span.end.index() + 1, field.value_span.start.index()),
                text: String::from(" "),
            }],
        };
        findings.push(finding.fix(fix));
    }
}
