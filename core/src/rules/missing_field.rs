//! A required field is missing.
//!
//! Which fields are required depends on the tool. An empty value counts as missing.
//!
//! ```yaml
//! name: reviewer
//! description: Reviews changes. Use after each commit.
//! ```

crate::diagnostic::rule! {
    name: "missing-field",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "the dialect's document; Claude Code, Kode and Neovate silently drop the file",
}
