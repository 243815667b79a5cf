//! Frontmatter that is not valid YAML, even with its values quoted.
//!
//! Callsheet recovers the fields of such a file line by line. Do not rely on other readers to do so.
//!
//! Fix the reported line. Common causes are a tab as indentation, an unclosed quote, and a long value that continues in the first
//! column.

crate::diagnostic::rule! {
    name: "invalid-yaml",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "every reader that uses a YAML parser drops the file",
}
