//! A key without which the agent does not load.
//!
//! Which keys are required depends on the tool. An empty value counts as none.
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
    evidence: "the dialect's document; Claude Code, Kode and Neovate drop the file in silence",
}
