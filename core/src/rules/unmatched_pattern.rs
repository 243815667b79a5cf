//! A pattern of instructions that matches no file of the project.
//!
//! The pattern is misspelled, or the files have moved. A pattern that begins with a folder is always reported, others only if no pattern of the
//! instructions matches: then they are never applied.
//!
//! ```yaml
//! applyTo: "scr/**/*.ts"
//! ```
//!
//! Folders of dependencies and build results are not searched. Patterns for these folders, and for folders whose names begin with a dot, are not
//! checked. Nothing is reported if the project contains only Markdown and hidden files, or too many files to search.

use alloc::format;

use crate::diagnostic::Finding;
use crate::span::Span;

crate::diagnostic::rule! {
    name: "unmatched-pattern",
    severity: Note,
    fix: None,
    found: between,
    evidence: "VS Code's, Claude Code's and Cursor's documentation of instructions and rules (2026-10), Qwen Code's source code: they apply to files that match",
}

/// The finding about a pattern.
pub(crate) fn finding(pattern: &str, at: Span, is_applied: bool) -> Finding {
    let message = format!("`{pattern}` matches no file of the project");
    Finding::new(&RULE, at, message).label(if is_applied {
        "this pattern has no effect"
    } else {
        "the instructions are never applied"
    })
}
