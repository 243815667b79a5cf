//! A text that goes on in the first column.
//!
//! Only what is indented belongs to the value above it. Examples that are pasted below a description break the frontmatter.
//!
//! ```yaml
//! description: Reviews changes.
//! <example>review this</example>
//! ```
//!
//! Write instead:
//!
//! ```yaml
//! description: |-
//!   Reviews changes.
//!   <example>review this</example>
//! ```

crate::diagnostic::rule! {
    name: "unindented-text",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "reports about Claude Code, where such an agent vanishes in silence",
}
