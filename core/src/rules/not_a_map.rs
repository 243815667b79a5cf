//! Frontmatter that is a list or plain text.
//!
//! Readers look for fields and find none.
//!
//! Write `key: value` lines.

crate::diagnostic::rule! {
    name: "not-a-map",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "all loaders require a map",
}
