//! Text that continues in the first column.
//!
//! Only indented lines belong to the value above them. Examples pasted below a description break the frontmatter.
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
    evidence: "reports about Claude Code, where such an agent silently vanishes",
}
