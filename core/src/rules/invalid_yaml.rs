//! Frontmatter that is not YAML, even with its values quoted.
//!
//! What Callsheet shows of such a file was made out line by line. No other reader can be relied on to do so.
//!
//! Mend the line that is pointed at. Common causes are a tab for indentation, a quotation that is not closed, and a long value that
//! goes on in the first column.

crate::diagnostic::rule! {
    name: "invalid-yaml",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "every reader that uses a YAML parser drops the file",
}
