//! Frontmatter that is a list or plain text.
//!
//! Readers look for keys, and find none.
//!
//! Write it as `key: value` lines.

crate::diagnostic::rule! {
    name: "not-a-map",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "all loaders take a map of keys",
}
