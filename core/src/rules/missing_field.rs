//! A required field is missing.
//!
//! Which fields are required depends on the tool. An empty value counts as missing.
//!
//! ```yaml
//! name: reviewer
//! description: Reviews changes. Use after each commit.
//! ```

super::rule! {
    name: "missing-field",
    severity: Error,
    fix: Safe,
    evidence: "the dialect's document; Claude Code, Kode and Neovate silently drop the file",
}
