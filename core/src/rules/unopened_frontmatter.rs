//! Frontmatter without an opening `---`.
//!
//! The file starts with fields, and only a line of `---` ends them. Without one on the first line there is no frontmatter.
//!
//! ```markdown
//! name: reviewer
//! description: Reviews changes.
//! ---
//! ```
//!
//! Add a line of `---` before the fields.

use alloc::string::ToString;
use alloc::vec;

use crate::diagnostic::{Edit, Finding, Fix};
use crate::frontmatter::closing_of_keys;
use crate::span::Span;

crate::diagnostic::rule! {
    name: "unopened-frontmatter",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "measured: all loaders but two of the Rust ones drop the file or take the fields as the prompt",
}

/// Fields from the first line on, and a fence after them.
pub(crate) fn find(text: &str, start: usize) -> Option<Finding> {
    let rest = &text[start..];
    if !rest.starts_with("name:") && !rest.starts_with("description:") {
        return None;
    }
    let closing = closing_of_keys(text, start)?;
    let keys = &text[start..closing.start.index()];
    if !["name:", "description:"]
        .iter()
        .all(|key| keys.lines().any(|line| line.starts_with(key)))
    {
        return None;
    }
    let first = Span::new(start, start + rest.find(['\n', '\r'])?);
    let message = "the frontmatter has no opening fence".to_string();
    let finding = Finding::new(&RULE, first, message).label("no reader takes this as a field");
    let end = if rest.contains("\r\n") { "\r\n" } else { "\n" };
    Some(finding.fix(Fix {
        title: "Open it with `---`".to_string(),
        safe: true,
        edits: vec![Edit {
            span: Span::at(start),
            text: "---".to_string() + end,
        }],
    }))
}
