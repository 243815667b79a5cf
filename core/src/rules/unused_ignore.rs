//! A comment that suppresses nothing.
//!
//! What it was written against is no longer found, whichever tool looks there, or it stands at another line. Remove it: it would
//! hide the next finding of its kind.
//!
//! In the frontmatter a comment alone on its line is about the next key, one behind a value is about that value:
//!
//! ```yaml
//! # callsheet: ignore[unknown-key] our launcher reads it
//! room: 12
//! tools: Read, Fetch # callsheet: ignore[unknown-tool]
//! ```
//!
//! In the body it is an HTML comment, `<!-- callsheet: ignore[RULE] -->`: alone on its line about the next line that is not blank, else
//! about its own. `ignore-file[…]` is about the whole file, wherever it stands. Comments against rules that hold between files, such
//! as `shadowed`, are never reported.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use crate::diagnostic::Finding;
use crate::span::Span;

crate::diagnostic::rule! {
    name: "unused-ignore",
    severity: Warning,
    fix: None,
    found: reading,
    evidence: "none of the dialects has a finding of that rule there",
}

/// A rule is not found where a comment says so.
pub(crate) fn finding(rule: &str, name: Span, whole_file: bool) -> Finding {
    let place = if whole_file { "in this file" } else { "here" };
    Finding::new(
        &RULE,
        name,
        format!("`{rule}` is not found {place}, so there is nothing to ignore"),
    )
    .help("remove the comment, or put it at the line that it is about")
}

/// A comment for us that says nothing.
pub(crate) fn garbled(comment: Span) -> Finding {
    let message = "a comment for Callsheet that it does not understand".to_owned();
    Finding::new(&RULE, comment, message).help(String::from(
        "write `callsheet: ignore[RULE]` or `callsheet: ignore-file[RULE]`",
    ))
}
