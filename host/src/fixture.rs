//! Fixtures of several tests.

use crate::types::{Diagnostic, Label, Place, Position, Severity, Span};

/// A finding of `some-rule` in `x.md`, without fixes.
pub(crate) fn finding(start: u32, end: u32) -> Diagnostic {
    let position = Position { line: 1, column: 1 };
    let place = Place {
        path: "x.md".to_owned(),
        span: Span { start, end },
        start: position,
        end: position,
    };
    Diagnostic {
        rule: "some-rule".to_owned(),
        severity: Severity::Error,
        message: String::new(),
        primary: Label {
            place,
            text: String::new(),
        },
        related: Vec::new(),
        help: None,
        fixes: Vec::new(),
    }
}
