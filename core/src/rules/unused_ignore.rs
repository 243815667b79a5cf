//! A comment that suppresses nothing.
//!
//! The finding is no longer reported for any tool, or the comment is on the wrong line. Remove the comment: it would hide the next finding of
//! its rule.
//!
//! In the frontmatter, a comment on a line of its own applies to the next field, one after a value to that value:
//!
//! ```yaml
//! # callsheet: ignore[unknown-key] our launcher reads it
//! room: 12
//! tools: Read, Fetchh # callsheet: ignore[unknown-tool]
//! ```
//!
//! In the body it is an HTML comment, `<!-- callsheet: ignore[RULE] -->`: on a line of its own it applies to the next line that is not
//! blank, otherwise to its own line. `ignore-file[…]` applies to the whole file, anywhere in it. Comments for rules that compare files,
//! such as `shadowed`, are never reported.

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
    evidence: "no dialect has a finding of that rule there",
}

/// A comment for a rule that is not found there.
pub(crate) fn finding(rule: &str, name: Span, whole_file: bool) -> Finding {
    let place = if whole_file { "in this file" } else { "here" };
    Finding::new(&RULE, name, format!("`{rule}` is not found {place}"))
        .help("remove the comment, or move it to the line it is for")
}

/// A `callsheet:` comment of an invalid form.
pub(crate) fn garbled(comment: Span) -> Finding {
    let message = "invalid `callsheet:` comment".to_owned();
    Finding::new(&RULE, comment, message).help(String::from(
        "write `callsheet: ignore[RULE]` or `callsheet: ignore-file[RULE]`",
    ))
}
